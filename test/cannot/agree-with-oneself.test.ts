// B2, P7-A2: four eyes are two people's, and an approval is for whoever it names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { approversOf, isOneHand, mayApply } from "../../src/kernel/decide/agreement.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import {
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  DAN,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";
import { AT_SERVICE, minted, mintedLocally, revoked, rotated, STOP } from "./minted-tokens.ts";

/** Who asked, who approves through the service, and what that comes to. */
const approving = (by: (told: Story) => Actor, requester: Actor = CAROL): readonly Refusal[] => {
  const told = story("four-eyes");
  const approver = by(told);
  const { of } = planned(told, { ...STOP, by: requester });
  return refusalsOf(approve(told, of, approver, AT_SERVICE));
};

cannot("B2", "approve at the ledger's own files where four eyes are required", {
  neighbour: () => locally("single-operator"),
  offence: () => coded("service-needed", locally("four-eyes")),
});
const locally = (mode: "four-eyes" | "single-operator"): readonly Refusal[] => {
  const told = story(mode);
  const { of } = planned(told, { ...STOP, by: CAROL });
  const result = approve(told, of, BOB);
  assert.equal(recall(told.state().plans, of.plan)?.approvals.length, mode === "four-eyes" ? 0 : 1);
  return refusalsOf(result);
};

cannot("B2", "approve with a token that the requester made", {
  neighbour: () => approving((told) => minted(told, DAN, "eve", "approver")),
  offence: () =>
    coded(
      "approval-made",
      approving((told) => minted(told, CAROL, "eve", "approver")),
    ),
});
cannot("B2", "approve with a token that somebody made whose token the requester made", {
  neighbour: () => approving((told) => minted(told, minted(told, DAN, "mallory", "operator"), "eve", "approver")),
  offence: () =>
    coded(
      "approval-made",
      approving((told) => minted(told, minted(told, CAROL, "mallory", "operator"), "eve", "approver")),
    ),
});
cannot("B2", "hide who made a token by revoking the one in between", {
  neighbour: () => approving((told) => throughMallory(told, DAN)),
  offence: () =>
    coded(
      "approval-made",
      approving((told) => throughMallory(told, CAROL)),
    ),
});
const throughMallory = (told: Story, by: Actor): Actor => {
  const eve = minted(told, minted(told, by, "mallory", "operator"), "eve", "approver");
  revoked(told, "mallory");
  mintedLocally(told, "mallory", "operator");
  return eve;
};
cannot("B2", "approve what somebody asked for whose token the approver made", {
  neighbour: () => approving(() => CAROL, DAN),
  offence: () => {
    const told = story("four-eyes");
    const { of } = planned(told, { ...STOP, by: minted(told, CAROL, "mallory", "operator") });
    return coded("approval-made", refusalsOf(approve(told, of, CAROL, AT_SERVICE)));
  },
});
cannot("B2", "hide who made a token by rotating it oneself", {
  neighbour: () =>
    approving((told) => {
      const eve = minted(told, CAROL, "eve", "approver");
      rotated(told, "eve", DAN);
      return eve;
    }),
  offence: () =>
    coded(
      "approval-made",
      approving((told) => {
        const eve = minted(told, CAROL, "eve", "approver");
        rotated(told, "eve", eve);
        return eve;
      }),
    ),
});

/** dan asked; somebody whose token carol or bob's maker made approved; carol applies. */
const applying = (approver: (told: Story) => Actor): readonly Refusal[] => {
  const told = story("four-eyes");
  const by = approver(told);
  const { of } = planned(told, { ...STOP, by: DAN });
  assert.deepEqual(codesOf(approve(told, of, by, AT_SERVICE)), [], "the requester has nothing to do with it");
  return refusalsOf(apply(told, of, CAROL, AT_SERVICE));
};
cannot("B2", "count an approval with a token that the applier made", {
  neighbour: () => applying((told) => mintedLocally(told, "eve", "approver")),
  offence: () =>
    coded(
      "approval-made",
      applying((told) => minted(told, CAROL, "eve", "approver")),
    ),
});
cannot("B2", "count an approval for an applier whose token the approver made", {
  neighbour: () => appliedByMallory(DAN),
  offence: () => coded("approval-made", appliedByMallory(CAROL)),
});
/** dan asked, carol approved, and mallory applies, whose token one of the two made. */
const appliedByMallory = (maker: Actor): readonly Refusal[] => {
  const told = story("four-eyes");
  const mallory = minted(told, maker, "mallory", "operator");
  const { of } = planned(told, { ...STOP, by: DAN });
  approve(told, of, CAROL, AT_SERVICE);
  return refusalsOf(apply(told, of, mallory, AT_SERVICE));
};

test("an approval at the ledger's own files is not counted where four eyes are required, whenever it was given", () => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: CAROL });
  approve(told, of, BOB);
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("it is known");
  const [needs, applier] = [
    { localCounts: false, ownCounts: false },
    { id: "dan", kind: "person" },
  ];
  assert.deepEqual(approversOf(told.state(), plan.approvals, plan, applier, needs), []);
  assert.deepEqual(approversOf(told.state(), plan.approvals, plan, applier, { ...needs, localCounts: true }), ["bob"]);
});

test("whoever made an agent's token may approve what it asks for", () => {
  const told = story("four-eyes");
  const max = minted(told, CAROL, "max", "agent");
  const { of } = planned(told, { by: max });
  approve(told, of, CAROL, AT_SERVICE);
  assert.equal(told.ask({ kind: "apply", of }, { by: max, ...AT_SERVICE }).kind, "intended");
  assert.equal(isOneHand(told.state(), "carol", { id: "max", kind: "person" }), true, "a person would be one hand");
});

/** One agent's plan, approved; an agent applies it. */
const agentApplies = (by: "boto" | "robo"): readonly Refusal[] => {
  const told = story();
  const boto = minted(told, DAN, "boto", "agent");
  const { of } = planned(told, { by: ROBO });
  approve(told, of, BOB);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: by === "boto" ? boto : ROBO, ...AT_SERVICE }));
};
cannot("P7-A2", "let an agent apply what another asked for", {
  neighbour: () => agentApplies("robo"),
  offence: () => coded("agent-foreign-plan", agentApplies("boto")),
});
cannot("P7-A2", "let an agent apply what a person asked for, whoever approved it", {
  neighbour: () => agentApplies("robo"),
  offence: () => {
    const told = story();
    const { of } = planned(told);
    approve(told, of, BOB);
    return coded("agent-foreign-plan", refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, ...AT_SERVICE })));
  },
});
cannot("P7-A2", "count for a person what was approved for an agent", {
  neighbour: () => personApplies(CAROL),
  offence: () => coded("approval-missing", personApplies(ROBO)),
});
const personApplies = (requester: Actor): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: requester });
  approve(told, of, BOB);
  return refusalsOf(apply(told, of));
};

test("an approval names who may apply it, and nobody else may", () => {
  const told = story();
  const agents = approve(told, planned(told, { by: ROBO }).of, BOB);
  assert.deepEqual(agents.kind === "approved" && agents.appliers, { id: "robo", kind: "agent" });
  const peoples = approve(told, planned(told, STOP).of, BOB);
  assert.deepEqual(peoples.kind === "approved" && peoples.appliers, { kind: "people" });
  const forRobo = { appliers: { id: "robo", kind: "agent" } } as const;
  assert.equal(mayApply(forRobo, ROBO), true);
  assert.equal(mayApply(forRobo, { id: "boto", kind: "agent" }), false);
  assert.equal(mayApply(forRobo, { id: "robo", kind: "person" }), false);
  assert.equal(mayApply({ appliers: { kind: "people" } }, CAROL), true);
  assert.equal(mayApply({ appliers: { kind: "people" } }, ROBO), false);
});
