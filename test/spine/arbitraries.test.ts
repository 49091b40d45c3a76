// The worlds by chance are worth testing in: every answer, every refusal and every action is met in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { REFUSAL_CODES, refusalRow } from "../../src/spine/rules/refusals.ts";
import { ACTION_KINDS, world } from "./arbitraries.ts";
import { judge } from "./world.ts";

/** A fixed seed: what is met must not depend on the day. */
const WORLDS = { numRuns: 800, seed: 8785 };

test("the worlds hold every action, every kind of answer and every refusal of plan and safety", () => {
  const met = new Set<string>();
  for (const given of fc.sample(world, WORLDS)) {
    const { plan, verdict } = judge(given);
    met.add(verdict.kind);
    for (const refusal of verdict.kind === "refused" ? verdict.refusals : []) met.add(refusal.code);
    for (const answer of plan.answers) {
      met.add(answer.kind);
      if (answer.kind === "refusal") met.add(answer.code);
      if (answer.kind === "step") met.add(answer.action.kind).add(answer.applies);
    }
  }
  const codes = REFUSAL_CODES.filter((code) => ["plan", "safety"].includes(refusalRow(code).stage));
  const kinds = ["in-sync", "step", "refusal", "clear", "needs-approval", "refused", "now", "at-restart"];
  assert.deepEqual(
    [...codes, ...ACTION_KINDS, ...kinds].filter((one) => !met.has(one)),
    [],
  );
});
