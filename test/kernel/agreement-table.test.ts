// The table of agreement, cell by cell: what it says is what is decided, shown and documented.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Result } from "../../src/kernel/command/result.ts";
import {
  AGREEMENT,
  APPROVAL_MODES,
  type ApprovalMode,
  agreementsOf,
  LIFE_MS,
  LOCAL_COUNTS,
} from "../../src/kernel/decide/agreement-table.ts";
import { stepProgressOf } from "../../src/kernel/decide/plan-status.ts";
import { shownBefore } from "../../src/kernel/decide/step-ref.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Tier, TierNeeds } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { agreementTexts, needsText } from "../../src/spine/words/steps/agreement-in-words.ts";
import { agreementLines } from "../../tools/documents/agreement.ts";
import { NAME, state as vmState, wantStopped } from "../spine/world.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  explanationHash,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenRequest,
} from "./story.ts";

type Needed = Exclude<TierNeeds, "refused">;
const STEPS: Readonly<Record<Exclude<Tier, "read">, Setting>> = {
  high: { vms: [vmState()], entries: [wantStopped("power-off")] },
  irreversible: { action: { kind: "vm.delete" } },
  low: {},
  medium: { vms: [vmState()], entries: [wantStopped("shutdown")] },
};
const TIERS = Object.keys(STEPS) as readonly (keyof typeof STEPS)[];
const SERVICE = { door: "service" } as const;
const EVE: Actor = { id: "eve", kind: "person", roles: ["approver"] };

const opened = (mode: ApprovalMode): Story => {
  const told = story(mode);
  told.ask(tokenRequest(told, { id: EVE.id, kind: "person", roles: ["approver"] }));
  return told;
};

/** carol or robo asks and applies; the others approve. */
const tried = (
  mode: ApprovalMode,
  applier: Actor,
  tier: keyof typeof STEPS,
  approvers: readonly Actor[],
  name?: string,
): Result => {
  const told = opened(mode);
  const { of } = planned(told, { ...STEPS[tier], by: applier });
  for (const by of approvers) approve(told, of, by, SERVICE);
  return applier.kind === "agent"
    ? told.ask({ kind: "apply", of }, { by: applier, ...SERVICE })
    : apply(told, of, applier, name === undefined ? SERVICE : { ...SERVICE, name });
};

const others = (count: number): readonly Actor[] => [BOB, EVE].slice(0, count);

for (const mode of APPROVAL_MODES) {
  for (const tier of TIERS) {
    for (const applier of [CAROL, ROBO]) {
      const kind = applier.kind === "agent" ? "agent" : "person";
      const needs: TierNeeds = AGREEMENT[mode][kind][tier];
      test(`${mode}: an apply of tier ${tier} by ${kind === "agent" ? "an agent" : "a person"} needs ${needsText(needs, kind)}`, () => {
        if (needs === "refused") {
          assert.deepEqual(codesOf(tried(mode, applier, tier, [BOB, EVE], NAME)), ["agent-irreversible"]);
          return;
        }
        assert.equal(tried(mode, applier, tier, others(needs.approvals), NAME).kind, "intended");
        heldToApprovals(mode, applier, tier, needs);
        heldToConfirmation(mode, applier, tier, needs);
      });
    }
  }
}

const heldToApprovals = (mode: ApprovalMode, applier: Actor, tier: keyof typeof STEPS, needs: Needed): void => {
  if (needs.approvals === 0) return;
  const fewer = tried(mode, applier, tier, others(needs.approvals - 1), NAME);
  assert.deepEqual(codesOf(fewer), ["approval-missing"]);
  if (applier.kind !== "person") return;
  const withOwn = tried(mode, applier, tier, [...others(needs.approvals - 1), applier], NAME);
  assert.equal(withOwn.kind, needs.ownCounts ? "intended" : "refused");
};

const heldToConfirmation = (mode: ApprovalMode, applier: Actor, tier: keyof typeof STEPS, needs: Needed): void => {
  const told = opened(mode);
  const { of } = planned(told, { ...STEPS[tier], by: applier });
  for (const by of others(needs.approvals)) approve(told, of, by, SERVICE);
  const bare = told.ask({ kind: "apply", of: shownBefore(of) }, { by: applier, ...SERVICE });
  assert.deepEqual(codesOf(bare), needs.confirmation ? ["confirmation-missing"] : []);
  if (!needs.confirmation) return;
  const unnamed = tried(mode, applier, tier, others(needs.approvals));
  assert.deepEqual(codesOf(unnamed), needs.typedName ? ["name-not-typed"] : []);
};

test("a person who applies an agent's plan is not sent for approvals that would be the agent's", () => {
  const told = opened("four-eyes");
  const { of } = planned(told, { ...STEPS.high, by: ROBO });
  for (const by of [BOB, EVE]) approve(told, of, by, SERVICE);
  const [refusal, ...more] = refusalsOf(apply(told, of, CAROL, SERVICE));
  assert.deepEqual(more, []);
  assert.deepEqual(
    [refusal?.code, refusal?.cause, refusal?.facts["requester"]],
    ["approval-missing", "for-the-agent", "robo"],
  );
  // Where no approval is needed the agent's plan is applied by whoever confirms it.
  const low = opened("four-eyes");
  assert.equal(apply(low, planned(low, { by: ROBO }).of, CAROL, SERVICE).kind, "intended");
});

test("too few approvals, and approvals that do not count, are told apart", () => {
  const told = opened("single-operator");
  const { of } = planned(told, { ...STEPS.high, by: CAROL });
  const before = refusalsOf(apply(told, of, CAROL, SERVICE))[0];
  assert.deepEqual([before?.cause, before?.facts["needed"], before?.facts["step"]], ["too-few", 1, 1]);
  const until = later(told.now(), 60_000);
  told.ask(
    { explanation: explanationHash(told, of), kind: "approve", of, reason: "for a minute", until },
    { by: BOB, ...SERVICE },
  );
  told.pass(60_000);
  const after = refusalsOf(apply(told, of, CAROL, SERVICE))[0];
  assert.deepEqual([after?.cause, after?.facts["uncounted"]], ["uncounted", 1]);
});

test("how a step stands names what its tier needs in its environment's mode alone", () => {
  for (const mode of APPROVAL_MODES) {
    const told = opened(mode);
    const { id, of } = planned(told, { ...STEPS.high, by: CAROL });
    const plan = recall(told.state().plans, id) ?? assert.fail("the plan is known");
    const terms = { approval: mode, entryOf: () => of.step.entry };
    const { agreements, tier } = stepProgressOf(told.state(), plan, 0, of.step, told.now(), terms, ALICE);
    assert.deepEqual([tier, agreements], ["high", agreementsOf("high", [mode])]);
  }
});

test("an agent gains nothing by the mode, and never gets what cannot be undone", () => {
  assert.deepEqual(AGREEMENT["four-eyes"].agent, AGREEMENT["single-operator"].agent);
  for (const mode of APPROVAL_MODES) assert.equal(AGREEMENT[mode].agent.irreversible, "refused");
});

test("a higher tier never asks for less, and four eyes never for less than one", () => {
  const weight = (needs: TierNeeds): number =>
    needs === "refused"
      ? Number.POSITIVE_INFINITY
      : needs.approvals * 8 +
        Number(!needs.ownCounts && needs.approvals > 0) * 4 +
        Number(needs.typedName) * 2 +
        Number(needs.confirmation);
  const rising: readonly Tier[] = ["read", "low", "medium", "high", "irreversible"];
  for (const mode of APPROVAL_MODES) {
    for (const applier of ["agent", "person"] as const) {
      const weights = rising.map((tier) => weight(AGREEMENT[mode][applier][tier]));
      assert.deepEqual(
        weights,
        weights.toSorted((a, b) => a - b),
        `${mode}, ${applier}`,
      );
      assert.equal(weights[0], 0, "reading needs nobody");
    }
  }
  for (const tier of rising) {
    assert.ok(weight(AGREEMENT["four-eyes"].person[tier]) >= weight(AGREEMENT["single-operator"].person[tier]), tier);
  }
});

test("a verdict says that approval is needed exactly where the table asks it of people", () => {
  for (const tier of TIERS) {
    for (const mode of APPROVAL_MODES) {
      const { result } = planned(opened(mode), STEPS[tier]);
      const needs = AGREEMENT[mode].person[tier];
      const asks = needs === "refused" || needs.approvals > 0;
      assert.equal(result.kind === "planned" && result.verdict, asks ? "needs-approval" : "clear", `${mode} ${tier}`);
    }
  }
});

test("where both modes need the same it is said once, and otherwise for each", () => {
  assert.deepEqual(agreementTexts(agreementsOf("medium")), [
    "tier medium: a person needs confirmation; an agent: approval by a person",
  ]);
  assert.deepEqual(agreementTexts(agreementsOf("high")), [
    "tier high, four-eyes: a person needs approval by another person, then confirmation; an agent: approvals by two people",
    "tier high, single-operator: a person needs approval, which may be their own, then confirmation; an agent: approvals by two people",
  ]);
  assert.equal(
    needsText(AGREEMENT["four-eyes"].person.irreversible, "person"),
    "approvals by two other people, the typed name, then confirmation",
  );
  assert.equal(needsText(AGREEMENT["four-eyes"].person.read, "person"), "nothing");
});

/** In minutes, from when the world was seen. */
const LIVES: Readonly<Record<Tier, number>> = { high: 15, irreversible: 15, low: 60, medium: 60, read: 60 };
test("a step of each tier may be approved until its life ends, and not at that instant", () => {
  assert.deepEqual(
    LIFE_MS,
    Object.fromEntries(Object.entries(LIVES).map(([tier, minutes]) => [tier, minutes * 60_000])),
  );
  for (const tier of TIERS) {
    const approvedAfter = (ms: number): readonly string[] => {
      const told = opened("single-operator");
      const { of } = planned(told, STEPS[tier]);
      told.pass(ms);
      return codesOf(approve(told, of, BOB));
    };
    assert.deepEqual(approvedAfter(LIVES[tier] * 60_000 - 1), [], tier);
    assert.deepEqual(approvedAfter(LIVES[tier] * 60_000), ["step-expired"], tier);
  }
});

test("agreement that is given at the ledger's own files counts where one operates alone", () => {
  assert.deepEqual(LOCAL_COUNTS, { "four-eyes": false, "single-operator": true });
  for (const mode of APPROVAL_MODES) {
    const told = opened(mode);
    const result = apply(told, planned(told, { by: CAROL }).of, CAROL, { door: "local" });
    assert.deepEqual(codesOf(result), LOCAL_COUNTS[mode] ? [] : ["service-needed"], mode);
  }
});

test("docs/roles-and-approvals.md shows the table", () => {
  const text = readFileSync(new URL("../../docs/roles-and-approvals.md", import.meta.url), "utf8");
  for (const line of agreementLines()) assert.ok(text.includes(line), line);
});
