// What is recorded by another process between the claim of a step and its call: what voids its plan ends it, and
// nothing is called.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

/** How a start ends that was confirmed and claimed, when this is done before its call. */
const applyWhile = async (at: Serving, between: () => Promise<unknown>) => {
  const service = at.open();
  const request = await readyToApply(service);
  const go = at.provider.observing.close();
  const { value } = ok(await service.apply(OPERATOR, request));
  const { ended: end, stages } = value.underway ?? assert.fail("it is performed here");
  // From there on its intent is in the anchor.
  for await (const stage of stages) if (stage === "observe") break;
  await between();
  go();
  const ended = await end;
  return { calls: at.provider.counts.calls, cause: ended.file.cause, outcome: ended.file.outcome };
};

test("a new anchor between claim and call ends a step that was only confirmed, and nothing is called", async (t) => {
  const at = await serving(t);
  const told = await applyWhile(at, async () => {
    rmSync(join(at.folder, "anchor/checkpoints.txt"));
    ok(await at.ledger.reAnchor(OPERATOR, { reason: "the disk of the anchor died" }));
  });
  assert.deepEqual(told, { calls: 0, cause: "grounds-changed", outcome: "failed" });
});

test("a checkpoint between claim and call ends nothing", async (t) => {
  const at = await serving(t);
  const told = await applyWhile(at, () => at.open().checkpoint(OPERATOR, {}));
  assert.deepEqual(told, { calls: 1, cause: "provider-done", outcome: "succeeded" });
});
