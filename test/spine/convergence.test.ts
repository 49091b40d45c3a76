// Plan, perform, look, plan: when every step has its postcondition, the next plan has another cause or none.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PlanStep, VmState } from "../../src/spine/model.ts";
import { desiredVm, worldFrom } from "./arbitraries.ts";
import { performed } from "./postconditions.ts";
import { GiB, judge, observationOf, state, type World, wantRunning, wantStopped } from "./world.ts";

const stepsOf = (world: World): readonly PlanStep[] =>
  judge(world).plan.answers.filter((answer) => answer.kind === "step");

const next = (world: World, steps: readonly PlanStep[]): World => ({
  ...world,
  observation: { ...world.observation, vms: performed(steps, world.observation.vms) },
});

const world = worldFrom(desiredVm);

test("a step whose postcondition holds is not planned again", () => {
  let performedSteps = 0;
  fc.assert(
    fc.property(world, (given) => {
      const steps = stepsOf(given);
      const again = stepsOf(next(given, steps));
      performedSteps += steps.length;
      for (const { action, vmid } of steps) {
        assert.ok(!again.some((step) => step.vmid === vmid && step.action.kind === action.kind));
      }
    }),
    { numRuns: 250 },
  );
  assert.ok(performedSteps > 0, "the worlds have steps in them");
});

/** Stop, then resize; or resize, then start; or resume, then resize. */
const ROUNDS_MAX = 2;

test("plan and perform come to rest within two rounds", () => {
  fc.assert(
    fc.property(world, (given) => {
      const rested = Array.from({ length: ROUNDS_MAX }).reduce<World>((before) => next(before, stepsOf(before)), given);
      assert.deepEqual(stepsOf(rested), []);
    }),
    { numRuns: 250 },
  );
});

const pathOf = (given: World): readonly string[] => {
  const steps = stepsOf(given);
  return steps.length === 0 ? [] : [...steps.map(({ action }) => action.kind), ...pathOf(next(given, steps))];
};
const path = (entry: World["entries"][number], seen: VmState) =>
  pathOf({ observation: observationOf([seen]), entries: [entry] });

test("sizes are written while nothing runs: before a start, after a stop", () => {
  const sized = { cpus: 2, maxmem: GiB };
  assert.deepEqual(path(wantRunning({ cpus: 4 }), state({ ...sized, status: "stopped" })), ["vm.resize", "vm.start"]);
  assert.deepEqual(path(wantStopped("shutdown", { cpus: 4 }), state(sized)), ["vm.shutdown", "vm.resize"]);
});

test("a protected VM is started before anything is said about its size", () => {
  const stopped = state({ cpus: 2, status: "stopped", tags: ["prod"] });
  assert.deepEqual(path(wantRunning({ cpus: 4 }), stopped)[0], "vm.start");
});

test("a resize that waits for a restart ends in waiting, and no restart follows", () => {
  const given = { observation: observationOf([state({ cpus: 2 })]), entries: [wantRunning({ cpus: 4 })] };
  assert.deepEqual(pathOf(given), ["vm.resize"]);
  const [answer] = judge(next(given, stepsOf(given))).plan.answers;
  assert.equal(answer?.kind === "refusal" && answer.code, "waits-for-restart");
});

test("a size that waits and is not wanted is taken back, and the step says what was waiting", () => {
  const seen = state({ cpus: 2, pending: { cpus: 4 } });
  const [step] = stepsOf({ observation: observationOf([seen]), entries: [wantRunning({ cpus: 2 })] });
  assert.equal(step?.facts["pendingCpus"], 4);
  assert.equal(step?.reason, "size-differs");
  assert.deepEqual(path(wantRunning({ cpus: 2 }), seen), ["vm.resize"]);
});
