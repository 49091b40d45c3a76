// B2, P7-A2: four eyes are two people's, an approval is for whoever it names, and it ends with the token that gave it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "../../src/kernel/command/request.ts";
import { approversOf, isOneHand, mayApply } from "../../src/kernel/decide/agreement.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { instantOf, msOf } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  DAN,
  explanationHash,
  freshToken,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
const AT_SERVICE = { door: "service" } as const;

/** Somebody makes a token, and so could use it. */
const minted = (told: Story, by: Actor, id: string, ...roles: readonly Role[]): Actor => {
  const kind = roles.includes("agent") ? "agent" : "person";
  assert.equal(told.ask(tokenRequest(told, { id, kind, roles }), { by, ...AT_SERVICE }).kind, "done");
  return { id, kind, roles };
};
const mintedLocally = (told: Story, id: string, ...roles: readonly Role[]): Actor => {
  assert.equal(told.ask(tokenRequest(told, { id, kind: "person", roles })).kind, "done");
  return { id, kind: "person", roles };
};
const rotated = (told: Story, subject: string, by: Actor): string => {
  const fresh = freshToken(told.now(), told.records.length);
  const result = told.ask({ act: "rotate", ...fresh, kind: "token", subject }, { by, ...AT_SERVICE });
  assert.equal(result.kind, "done", JSON.stringify(result));
  return fresh.token;
};
const revoked = (told: Story, subject: string): void => {
  assert.equal(told.ask({ act: "revoke", kind: "token", token: tokenOf(told, subject) }).kind, "done");
};

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

/** bob approved; then something happens to a token. */
const after = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: CAROL });
  approve(told, of, BOB);
  happens(told);
  return refusalsOf(apply(told, of));
};
cannot("P7-A2", "count the approval of a token that was revoked", {
  neighbour: () => after((told) => revoked(told, "robo")),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => revoked(told, "bob")),
    ),
});
cannot("P7-A2", "count the approval of a token that was rotated, whoever did that", {
  neighbour: () => after((told) => void rotated(told, "carol", CAROL)),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => void rotated(told, "bob", BOB)),
    ),
});
cannot("P7-A2", "inherit an approval with the name of whoever gave it", {
  neighbour: () =>
    after((told) => {
      revoked(told, "robo");
      minted(told, DAN, "robo", "agent");
    }),
  offence: () =>
    coded(
      "approval-missing",
      after((told) => {
        revoked(told, "bob");
        mintedLocally(told, "bob", "approver");
      }),
    ),
});
cannot("B1", "apply what somebody asked for whose token was revoked, or inherit it with their name", {
  neighbour: () => robosPlan((told) => void rotated(told, "robo", ROBO)),
  offence: () =>
    coded(
      "plan-closed",
      robosPlan((told) => {
        revoked(told, "robo");
        minted(told, DAN, "robo", "agent");
      }),
    ),
});
const robosPlan = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { by: ROBO });
  approve(told, of, BOB);
  happens(told);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, ...AT_SERVICE }));
};

cannot("P7-A2", "answer a challenge that was given to a token before", {
  neighbour: () => challenged((told) => void rotated(told, "bob", BOB)),
  offence: () =>
    coded(
      "confirmation-spent",
      challenged((told) => void rotated(told, "carol", CAROL)),
    ),
});
const challenged = (happens: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of }, { by: CAROL });
  const id = told.records.at(-1)?.auditId ?? assert.fail("it is recorded");
  assert.ok(challenge.kind === "challenged");
  happens(told);
  const confirmation = { challenge: id, explanation: challenge.explanation };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }, { by: CAROL }));
};

cannot("P7-A2", "count an approval at the instant it ends", {
  neighbour: () => approvedFor(60_000, 60_000 - 1),
  offence: () => coded("approval-missing", approvedFor(60_000, 60_000)),
});
const approvedFor = (ms: number, lateMs: number): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, STOP);
  const until = instantOf(msOf(told.now()) + ms);
  const explanation = explanationHash(told, of);
  told.ask({ explanation, kind: "approve", of, reason: "for a minute", until }, { by: BOB });
  told.pass(lateMs);
  return refusalsOf(apply(told, of));
};

test("an approval ends with the token that gave it, if the step lasts longer", () => {
  const told = story();
  const { expiresAt, ...eve } = tokenRequest(told, { id: "eve", kind: "person", roles: ["approver"] });
  const soon = instantOf(msOf(told.now()) + 60_000);
  assert.ok(soon < expiresAt);
  told.ask({ ...eve, expiresAt: soon });
  const { of } = planned(told, STOP);
  const given = approve(told, of, { id: "eve", kind: "person", roles: ["approver"] });
  assert.equal(given.kind === "approved" && given.expiresAt, soon);
  assert.equal(get(told.state().subjects, "eve")?.expiresAt, soon);
  told.pass(60_000 - 1);
  assert.equal(apply(told, of).kind, "intended");
});

test("where one person may approve their own step, whose token it was does not matter", () => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: ALICE });
  assert.equal(approve(told, of, minted(told, CAROL, "eve", "approver")).kind, "approved");
  assert.equal(apply(told, of).kind, "intended");
});
