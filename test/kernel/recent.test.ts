// What is kept for a day or two: found on its day and the next, gone after that, and each once.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  forget,
  keep,
  NOTHING_RECENT,
  type Recent,
  recall,
  recentEntries,
  turned,
} from "../../src/kernel/state/recent.ts";

const DAYS = ["2026-11-15", "2026-11-16", "2026-11-17"] as const;
const EMPTY: Recent<number> = NOTHING_RECENT;
const FIRST = keep(turned(EMPTY, DAYS[0]), "a", 1);

test("an entry is found on its day and the next, and then no more", () => {
  assert.equal(recall(FIRST, "a"), 1);
  assert.equal(recall(FIRST, "b"), undefined);
  const second = turned(FIRST, DAYS[1]);
  assert.equal(recall(second, "a"), 1);
  assert.equal(recall(turned(second, DAYS[2]), "a"), undefined);
});

test("the same day turns nothing", () => {
  assert.equal(turned(FIRST, DAYS[0]), FIRST);
});

test("what is written again is young again, and stands once as it was written last", () => {
  const again = keep(turned(FIRST, DAYS[1]), "a", 2);
  assert.deepEqual([...recentEntries(again)], [["a", 2]]);
  assert.equal(recall(turned(again, DAYS[2]), "a"), 2);
  const both = keep(turned(FIRST, DAYS[1]), "b", 3);
  assert.deepEqual([...recentEntries(both)].toSorted(), [
    ["a", 1],
    ["b", 3],
  ]);
});

test("what is forgotten is gone from both days, and nothing else is", () => {
  const both = keep(keep(turned(keep(FIRST, "b", 3), DAYS[1]), "a", 2), "c", 4);
  const left = forget(both, "a");
  assert.deepEqual([recall(left, "a"), recall(left, "b"), recall(left, "c"), left.day], [undefined, 3, 4, DAYS[1]]);
});
