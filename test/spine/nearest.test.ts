// The word that was probably meant, against the definition of the distance, with the bounds of what counts as a slip.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nearest } from "../../src/spine/values/nearest.ts";

/** By definition: the fewest of leaving out, adding, changing one character, or swapping two neighbours. */
const distance = (a: string, b: string): number => {
  if (a === "" || b === "") return a.length + b.length;
  const isSwapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    distance(a.slice(0, -1), b) + 1,
    distance(a, b.slice(0, -1)) + 1,
    distance(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
    isSwapped ? distance(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
};
const short = fc.string({ maxLength: 6, unit: fc.constantFrom("a", "b", "c") });

test("one known word is meant exactly by what is at most two slips and less than half of it away", () => {
  fc.assert(
    fc.property(short, short, (word, known) => {
      const slips = distance(word, known);
      assert.equal(nearest(word, [known]), slips <= 2 && slips * 2 < known.length ? known : undefined);
    }),
    { numRuns: 500, seed: 7 },
  );
});

test("each kind of slip, alone and twice, and not three times", () => {
  const known = ["snapshot"];
  for (const word of ["snapsho", "napshot", "snapshott", "xsnapshot", "snopshot", "snaphsot", "nsapshot", "snapshto"]) {
    assert.equal(nearest(word, known), "snapshot", word);
  }
  for (const word of ["snapsh", "apshot", "snapshotty", "snopshit", "nsapshto"]) {
    assert.equal(nearest(word, known), "snapshot", word);
  }
  for (const word of ["snaps", "pshot", "snapshotted", "snipshit-", "xnopshit", "snaapxhtx"]) {
    assert.equal(nearest(word, known), undefined, word);
  }
});

test("half of a short word is no slip", () => {
  assert.equal(nearest("os", ["vms"]), undefined);
  assert.equal(nearest("vns", ["vms"]), "vms");
  assert.equal(nearest("abxy", ["abcd"]), undefined);
  assert.equal(nearest("abcxy", ["abcde"]), "abcde");
});

test("the nearest is named, of two as near the first, and capital letters are no slip", () => {
  assert.equal(nearest("status", ["statuses", "statuz", "stratum"]), "statuz");
  assert.equal(nearest("planx", ["plany", "planz"]), "plany");
  assert.equal(nearest("PLAN", ["plans", "plan"]), "plan");
  assert.equal(nearest("plan", []), undefined);
});
