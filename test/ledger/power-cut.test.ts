// Power cuts on both engines, one round each, with the controls that must lose; make soak has many rounds.
//
// Needs root and loop devices. Where they are not to be had the test says so in a diagnostic and shows nothing.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type PowerCuts, powerCuts } from "../../tools/power-cut/power-cut.ts";
import { POSTGRES, SQLITE } from "../../tools/power-cut/store.ts";
import { NO_ROUNDS, verdictBeside, verdictOf } from "../../tools/power-cut/verdict.ts";

const ran = (t: TestContext, result: PowerCuts): Extract<PowerCuts, { readonly kind: "ran" }> | undefined => {
  if (result.kind === "ran") return result;
  t.diagnostic(`NOT SHOWN, no disk to cut here: ${result.because}`);
  return undefined;
};

for (const store of [SQLITE, POSTGRES]) {
  test(`${store.name}: a power cut takes nothing that was acknowledged, and takes it from a writer that does not wait`, async (t) => {
    const result = ran(t, await powerCuts(store, { flushes: "always", rounds: 1 }));
    if (result === undefined) return;
    const { because, kind } = verdictBeside(result.ours, result.control);
    assert.equal(kind, "HELD", because);
  });
}

test("power cut: a disk that is never told to flush loses what was acknowledged on it", async (t) => {
  const result = ran(t, await powerCuts(SQLITE, { flushes: "never", rounds: 1 }));
  if (result === undefined) return;
  assert.ok(result.ours.acknowledged > 0 && result.ours.lost > 0, JSON.stringify(result));
});

test("power cut: a run that proved nothing is INVALID, and one that lost is no pass", () => {
  const held = { acknowledged: 9, flaws: [], lost: 0, rounds: 2 };
  const lossy = { acknowledged: 9, flaws: [], lost: 4, rounds: 1 };
  assert.equal(verdictBeside(held, lossy).kind, "HELD");
  assert.equal(verdictBeside(held, held).kind, "INVALID");
  assert.equal(verdictBeside(held, NO_ROUNDS).kind, "INVALID");
  assert.equal(verdictBeside(NO_ROUNDS, lossy).kind, "INVALID");
  assert.equal(verdictBeside(lossy, lossy).kind, "LOST");
  assert.equal(verdictBeside({ ...held, flaws: ["record 3 is another"] }, lossy).kind, "LOST");
  assert.equal(verdictOf(NO_ROUNDS).kind, "INVALID");
  assert.equal(verdictOf(held).kind, "HELD");
});
