// A policy in the kernel's records and state: it is recorded with the configuration, survives being saved, replays, and
// shows in how a step stands; and where there is none, nothing is another than before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sectionsOf } from "../../src/kernel/command/recorded-config.ts";
import { agreementsOf } from "../../src/kernel/decide/agreement-table.ts";
import { stepProgressOf } from "../../src/kernel/decide/plan-status.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { State } from "../../src/kernel/state/state.ts";
import { STATE_CODEC } from "../../src/kernel/state/state-json.ts";
import { type Policy, policyDigest } from "../../src/spine/plan/policy.ts";
import { canonical } from "../../src/spine/values/canonical.ts";
import { again } from "./day.ts";
import { ALICE, apply, approve, BOB, configOf, planIn, planned, type Story, story } from "./story.ts";

const RAISED: Policy = { tighten: [{ action: "vm.start", to: "high" }], version: 1 };

const restored = (state: State): State => STATE_CODEC.fromJson(JSON.parse(JSON.stringify(STATE_CODEC.toJson(state))));

const progressOf = (told: Story, state: State, { id, of }: ReturnType<typeof planned>, policy: Policy | undefined) => {
  const plan = recall(state.plans, id) ?? assert.fail("the plan is known");
  const config = configOf("single-operator", true, policy);
  const { home: section } = sectionsOf(config);
  const terms = { ...config.environments["home"], approval: "single-operator", entryOf: () => of.step.entry } as const;
  return stepProgressOf(
    state,
    plan,
    0,
    of.step,
    told.now(),
    { ...terms, ...(section === undefined ? {} : { section }) },
    ALICE,
  );
};

test("a plan names the policy it stands on, in its hash and in its record", () => {
  const told = story("single-operator", true, RAISED);
  const { result } = planned(told);
  assert.ok(result.kind === "planned");
  assert.equal(result.policy, policyDigest(RAISED));
  assert.equal(result.verdict, "needs-approval");
  assert.equal(planIn(told, result).standsOn.policy, policyDigest(RAISED));
});

test("without a policy, or with one that tightens nothing, no record says a word of it", () => {
  const [none, empty] = [undefined, { tighten: [], version: 1 } as const].map((policy) => {
    const told = story("single-operator", true, policy);
    apply(told, planned(told).of);
    return told.records.slice(1).map(({ body }) => canonical(body));
  });
  assert.ok(none?.every((text) => !text.includes("policy")));
  // The section is another, so the plan's hash is; everything else is the same.
  const bare = (texts: readonly string[] | undefined) => texts?.map((text) => text.replaceAll(/[0-9a-f]{64}/g, "#"));
  assert.deepEqual(bare(empty), bare(none));
});

test("how a raised step stands: its tier, whose approval it needs, and until when", () => {
  const told = story("single-operator", true, RAISED);
  const made = planned(told);
  const before = progressOf(told, told.state(), made, RAISED);
  assert.deepEqual(before, {
    agreements: agreementsOf("high", ["single-operator"]),
    approvedBy: [],
    endsAt: "2026-11-15T10:15:00.000Z",
    invited: [],
    needed: 1,
    status: "awaiting-approval",
    tier: "high",
  });
  approve(told, made.of, BOB);
  assert.equal(progressOf(told, told.state(), made, RAISED).status, "awaiting-confirmation");
  assert.equal(progressOf(told, told.state(), made, undefined).status, "policy-changed");
});

test("whoever confirms what a policy made irreversible is told to type the name", () => {
  const typed = (["high", "irreversible"] as const).map((to) => {
    const told = story("single-operator", true, { tighten: [{ action: "vm.start", to }], version: 1 });
    const result = told.ask({ kind: "challenge", of: planned(told).of });
    return result.kind === "challenged" && result.typedName;
  });
  assert.deepEqual(typed, [false, true]);
});

test("the policy of a plan survives being saved with the state", () => {
  const told = story("single-operator", true, RAISED);
  const made = planned(told);
  const copy = restored(told.state());
  assert.deepEqual(STATE_CODEC.toJson(copy), STATE_CODEC.toJson(told.state()));
  for (const policy of [RAISED, undefined]) {
    assert.deepEqual(progressOf(told, copy, made, policy), progressOf(told, told.state(), made, policy));
  }
});

test("a story under a policy is decided again as it was, from its records alone", async () => {
  const told = story("single-operator", true, RAISED);
  const { of } = planned(told);
  assert.equal(apply(told, of).kind, "refused");
  approve(told, of, BOB);
  assert.equal(apply(told, of).kind, "intended");
  assert.equal((await again(told)).kind, "equal");
});
