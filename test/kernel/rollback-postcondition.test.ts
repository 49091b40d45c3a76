// What an observation after a rollback must show: the parent, and that the guest runs exactly when the snapshot holds
// RAM.

import assert from "node:assert/strict";
import { test } from "node:test";
import { proofOf } from "../../src/kernel/apply/postcondition.ts";
import type { PlanStep, VmState } from "../../src/spine/model.ts";
import { judge, observationOf, request, state } from "../spine/world.ts";

const NAMES = { names: ["before"], parent: "before" } as const;
const before = (withRam: readonly string[]): VmState =>
  state({ identity: "uuid-a", snapshots: { names: ["before"], withRam }, status: "stopped" });

const stepOn = (seen: VmState): PlanStep => {
  const entries = [request({ kind: "vm.snapshot.rollback", snapshot: "before" })];
  const [answer] = judge({ observation: observationOf([seen]), entries }).plan.answers;
  assert.ok(answer?.kind === "step");
  return answer;
};

const proven = (withRam: readonly string[], after: Partial<VmState>) => {
  const seen = before(withRam);
  const shown = { ...seen, snapshots: { ...NAMES, withRam }, ...after };
  return proofOf(stepOn(seen), seen, observationOf([shown])).kind;
};

test("a rollback to a snapshot with RAM is proven by a guest that executes, and by nothing less", () => {
  assert.equal(proven(["before"], { status: "running" }), "holds");
  assert.equal(proven(["before"], { status: "stopped" }), "fails");
  assert.equal(proven(["before"], { paused: true, status: "running" }), "fails");
});

test("a rollback to a snapshot without RAM is proven by a stopped VM, and not by one that runs", () => {
  assert.equal(proven([], { status: "stopped" }), "holds");
  assert.equal(proven([], { status: "running" }), "fails");
});

test("the status alone proves no rollback: the parent must be the snapshot, and the list must be seen", () => {
  assert.equal(proven([], { snapshots: { names: ["before"], withRam: [] } }), "fails");
  const { snapshots: _, ...unlisted } = before([]);
  const seen = before([]);
  assert.equal(proofOf(stepOn(seen), seen, observationOf([unlisted])).kind, "unclear");
});

test("whether the snapshot held RAM is not made up afterwards", () => {
  const seen = before([]);
  const untold = { ...seen, snapshots: { names: ["before"] } };
  const after = { ...seen, snapshots: { ...NAMES, withRam: [] } };
  assert.equal(proofOf(stepOn(seen), untold, observationOf([after])).kind, "unclear");
});
