// Freezes that pile up at one place: the state stays small, the count stays true, and one lift ends them all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freezeOf } from "../../src/kernel/decide/freezing.ts";
import { FREEZES_KEPT } from "../../src/kernel/evolve/frozen-too.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { EVERYWHERE } from "../../src/kernel/state/state.ts";
import { type Story, story } from "./story.ts";

const frozen = (times: number): Story => {
  const told = story();
  for (let at = 0; at < times; at += 1) {
    assert.equal(told.ask({ kind: "freeze", reason: `reason ${at}` }, { everywhere: true }).kind, "done");
  }
  return told;
};
const reasonsIn = (told: Story): readonly string[] =>
  get(told.state().freezes, EVERYWHERE)?.map(({ reason }) => reason) ?? [];
const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, at) => `reason ${from + at}`);

for (const times of [1, 2, 2 * FREEZES_KEPT])
  test(`${times} freezes of one place are all in the state`, () => {
    assert.deepEqual(reasonsIn(frozen(times)), numbered(0, times));
  });

for (const times of [2 * FREEZES_KEPT + 1, 2 * FREEZES_KEPT + 2, 5 * FREEZES_KEPT])
  test(`of ${times} freezes of one place the oldest and the newest are in the state, and all are counted and lifted`, () => {
    const told = frozen(times);
    assert.deepEqual(reasonsIn(told), [...numbered(0, FREEZES_KEPT), ...numbered(times - FREEZES_KEPT, times)]);
    assert.equal(freezeOf(told.state(), "home")?.facts["others"], times - 1);
    assert.equal(told.ask({ kind: "unfreeze", reason: "repaired" }, { everywhere: true }).kind, "done");
    assert.equal(freezeOf(told.state(), "home"), undefined);
  });
