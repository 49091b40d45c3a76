// ULIDs: ascending within a process, whatever the clock does.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ulids } from "../src/ids.ts";
import { isUlid } from "../src/ledger/record/ulid.ts";

test("ids ascend and never repeat, also when the clock stands still or steps back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ max: 2 ** 45, min: 0 }), { maxLength: 200, minLength: 2 }), (times) => {
      let at = 0;
      const next = ulids(() => times[at++] ?? 0);
      const made = times.map(() => next());
      assert.deepEqual(made, made.toSorted());
      assert.equal(new Set(made).size, made.length);
      for (const id of made) assert.ok(isUlid(id), id);
    }),
  );
});

test("counting up carries over full digits", () => {
  const next = ulids(
    () => 0,
    (bytes) => new Uint8Array(bytes).fill(31),
  );
  assert.equal(next(), "0000000000FZZZZZZZZZZZZZZZ");
  assert.equal(next(), "0000000000G000000000000000");
});

test("the time of an id is its first ten digits", () => {
  const next = ulids(
    () => 1_469_918_176_385,
    (bytes) => new Uint8Array(bytes),
  );
  assert.equal(next().slice(0, 10), "01ARYZ6S41");
});

test("what is no ULID is not taken for one", () => {
  for (const text of [
    "",
    "01ARYZ6S41",
    "81ARYZ6S410000000000000000",
    "01ARYZ6S41I000000000000000",
    "01aryz6s410000000000000000",
  ]) {
    assert.ok(!isUlid(text), text);
  }
});
