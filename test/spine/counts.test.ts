// How many VMs of a plan are what, and what a verdict says of those without a step.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlanAnswer } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { countsOf } from "../../src/spine/values/counts.ts";
import { verdictText } from "../../src/spine/words/steps/verdict-words.ts";
import { judge, observationOf, state, VMID, wantRunning } from "./world.ts";

test("every answer is counted once, and of those refused the missing ones besides", () => {
  const step = (): PlanAnswer => {
    const { plan } = judge({ observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] });
    return plan.answers[0] ?? assert.fail("there is an answer");
  };
  const inSync: PlanAnswer = { kind: "in-sync", vmid: VMID };
  const missing = refuse("vm-missing", { facts: { name: "web-01" }, vmid: VMID });
  const other = refuse("vm-not-desired", { cause: "scope", vmid: VMID });
  assert.deepEqual(countsOf([]), { awaitingRestart: 0, differ: 0, inSync: 0, missing: 0, refused: 0 });
  const waits = refuse("waits-for-restart", { cause: "cpus", facts: { desiredCpus: 4 }, vmid: VMID });
  assert.deepEqual(countsOf([step(), inSync, inSync, missing, missing, other, waits]), {
    awaitingRestart: 1,
    differ: 1,
    inSync: 2,
    missing: 2,
    refused: 3,
  });
});

test("a verdict says which VMs have none: those refused, those missing, and some of both", () => {
  const counts = { awaitingRestart: 0, differ: 0, inSync: 0, missing: 0, refused: 2 };
  const clear = { kind: "clear", tiers: [] } as const;
  const said = [0, 1, 2].map((missing) => verdictText(clear, { ...counts, missing }));
  assert.equal(new Set(said).size, 3, "each in words of its own");
  assert.equal(verdictText(clear, { ...counts, refused: 0 }), "clear");
  assert.notEqual(verdictText(clear, { ...counts, differ: 1 }), said[0]);
});
