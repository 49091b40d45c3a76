// The persistent map against the platform's Map, also where hashes collide.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ulids } from "../../src/ids.ts";
import {
  drop,
  EMPTY,
  entries,
  find,
  get,
  mapFrom,
  type PersistentMap,
  put,
} from "../../src/kernel/state/persistent-map.ts";

type Step = { readonly key: string; readonly value: number | undefined };

// Two pairs of texts that FNV-1a maps to the same 32 bits.
const COLLIDING = ["costarring", "liquid", "declinate", "macallums"];
// Ids of a few moments, hours and milliseconds apart; those that differ in the middle alone share all 32 bits.
const id = fc
  .tuple(
    fc.constantFrom("01M7E81W7T", "01M7E81W7V", "01M7E81Z7T", "01M7EA1W7T", "01M8E81W7T"),
    fc.constantFrom("A", "B", "C"),
    fc.nat({ max: 40 }),
  )
  .map(([time, middle, end]) => `${time}${middle.repeat(14)}${end.toString(32).toUpperCase().padStart(2, "0")}`);
const key = fc.oneof(fc.constantFrom(...COLLIDING), fc.string({ maxLength: 3 }), id);
const steps: fc.Arbitrary<Step[]> = fc.array(fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) }), {
  maxLength: 300,
});

const stepped = (map: PersistentMap<number>, step: Step): PersistentMap<number> =>
  step.value === undefined ? drop(map, step.key) : put(map, step.key, step.value);

test("it holds what a Map holds after the same puts and drops", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const model = new Map<string, number>();
      let map: PersistentMap<number> = EMPTY;
      for (const step of list) {
        map = stepped(map, step);
        if (step.value === undefined) model.delete(step.key);
        else model.set(step.key, step.value);
      }
      assert.equal(map.size, model.size);
      assert.deepEqual(new Map(entries(map)), model);
      for (const [one, value] of model) assert.equal(get(map, one), value);
      for (const value of model.values())
        assert.equal(
          find(map, (one) => one === value),
          value,
        );
      assert.equal(get(map, "absent key"), undefined);
      assert.equal(
        find(map, (one) => one < 0),
        undefined,
      );
    }),
    { numRuns: 300 },
  );
});

test("made in one go it is the map that as many puts make", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 200 }), (keys) => {
      const list = keys.map((one, at) => [one, at] as const);
      const byPuts = list.reduce<PersistentMap<number>>((map, [one, at]) => put(map, one, at), EMPTY);
      const made = mapFrom(list);
      assert.deepEqual(made, byPuts);
      for (const [one, at] of list) assert.equal(get(made, one), at);
    }),
  );
});

test("an earlier map is not changed by what is put into a later one", () => {
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const map = before.reduce(stepped, EMPTY as PersistentMap<number>);
      const held = [...entries(map)];
      after.reduce(stepped, map);
      assert.deepEqual([...entries(map)], held);
    }),
    { numRuns: 100 },
  );
});

test("keys with one hash are kept apart", () => {
  const map = COLLIDING.reduce((held, one, at) => put(held, one, at), EMPTY as PersistentMap<number>);
  assert.deepEqual(
    COLLIDING.map((one) => get(map, one)),
    [0, 1, 2, 3],
  );
  const [first = ""] = COLLIDING;
  assert.equal(get(drop(map, first), first), undefined);
  assert.equal(drop(map, first).size, 3);
});

test("what is dropped is gone, and everything else stays, down to the last key and among keys with one hash", () => {
  for (const keys of [
    COLLIDING,
    ["a", "b"],
    ["a", "b", "c", "d", "e"],
    Array.from({ length: 70 }, (_, at) => `k${at}`),
  ]) {
    let map = keys.reduce((held, one, at) => put(held, one, at), EMPTY as PersistentMap<number>);
    for (const [at, key] of keys.entries()) {
      map = drop(map, key);
      assert.deepEqual(
        keys.map((one) => get(map, one)),
        keys.map((_, other) => (other > at ? other : undefined)),
      );
      assert.equal(map.size, keys.length - at - 1);
    }
    assert.equal(map.root, undefined);
  }
});

test("ids of one millisecond, and of many, stand in nodes of their own and not in one long list", () => {
  const nextId = ulids(
    () => FROM_MS + Math.floor(made / 20),
    (bytes) => new Uint8Array(bytes),
  );
  let made = 0;
  let map: PersistentMap<number> = EMPTY;
  for (; made < 20_000; made += 1) map = put(map, nextId(), made);
  assert.equal(map.size, 20_000);
  assert.ok(longestList(map.root) <= 1, `${longestList(map.root)} keys in one list`);
});

const FROM_MS = Date.UTC(2026, 10, 15);

/** How many keys a lookup may have to go through one by one. */
const longestList = (node: PersistentMap<number>["root"]): number => {
  if (node === undefined) return 0;
  if ("key" in node) return 1;
  return "leaves" in node ? node.leaves.length : Math.max(...node.nodes.map(longestList));
};
