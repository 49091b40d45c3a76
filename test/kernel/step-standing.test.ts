// Which of two things that are both true of a step is told: refused comes before blocked, an approval that is awaited
// before a plan that carries no apply.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type StepProgress, stepProgressOf, type Terms } from "../../src/kernel/decide/plan-status.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { later } from "../../src/spine/values/instant.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { ALICE, apply, ENDS, lastId, planned, ROBO, type Setting, type Story, story } from "./story.ts";

const progressOf = (told: Story, of: StepRef, more: Partial<Terms> = {}, at = told.now()): StepProgress => {
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const terms = { approval: "single-operator", entryOf: () => of.step.entry, section: plan.section, ...more } as const;
  return stepProgressOf(told.state(), plan, of.index, of.step, at, terms, ALICE);
};
const RAISED: Policy = { tighten: [{ action: "vm.start", to: "irreversible" }], version: 1 };

test("a step that nobody's agreement is enough for needs none, and is refused on a blocked VM and in a dry plan too", () => {
  const told = story("single-operator", true, RAISED);
  apply(told, planned(told).of, ALICE, { name: "web-01" });
  const { of } = planned(told, { by: ROBO });
  const free = progressOf(told, of, { policy: RAISED });
  assert.deepEqual([free.status, free.needed, free.approvedBy], ["refused", 0, []]);
  const dry = story("single-operator", false, RAISED);
  assert.equal(progressOf(dry, planned(dry, { by: ROBO }).of, { policy: RAISED }).status, "refused");
});

test("a refused step is refused where its VM is blocked, and blocked where agreement would be enough", () => {
  const told = story();
  apply(told, planned(told).of);
  told.ask({ ...ENDS.unknown, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
  const { of } = planned(told, { action: { kind: "vm.delete" }, by: ROBO });
  assert.equal(progressOf(told, of).status, "refused");
  assert.equal(progressOf(told, planned(told).of).status, "blocked");
});

test("a dry plan waits for approval where it needs one, and is planned where it needs none", () => {
  const stop: Setting = { entries: [wantStopped("power-off")], vms: [vmState()] };
  const dry = story("single-operator", false);
  assert.equal(progressOf(dry, planned(dry, stop).of).status, "awaiting-approval");
  const live = story();
  assert.equal(progressOf(live, planned(live, stop).of).status, "awaiting-approval");
  const low = story("single-operator", false);
  assert.equal(progressOf(low, planned(low).of).status, "planned");
});

test("a step is expired at its end and not before, and its entry, its section and its policy are looked at first", () => {
  const told = story();
  const { of } = planned(told);
  const { endsAt = assert.fail("it has an end") } = progressOf(told, of);
  assert.equal(progressOf(told, of, {}, later(endsAt, -1)).status, "awaiting-confirmation");
  assert.equal(progressOf(told, of, {}, endsAt).status, "expired");
  assert.equal(progressOf(told, of, { entryOf: () => undefined }, endsAt).status, "desired-changed");
  assert.equal(progressOf(told, of, { entryOf: () => undefined, policy: RAISED }).status, "policy-changed");
});
