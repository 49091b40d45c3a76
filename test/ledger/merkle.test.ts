// The tree against the definitions of RFC 6962, section 2.1, written out the slow and recursive way.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { leafHash } from "../../src/ledger/record/leaf.ts";
import { growingTree } from "../../src/ledger/tree/growing-tree.ts";
import { EMPTY_FRONTIER, EMPTY_ROOT, type Frontier, grown, isFrontier, rootOf } from "../../src/ledger/tree/merkle.ts";
import {
  consistencyRanges,
  inclusionRanges,
  provesConsistency,
  provesInclusion,
  subtreeRoots,
} from "../../src/ledger/tree/merkle-proof.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";

const hashed = (...parts: readonly Uint8Array[]): Buffer => {
  const hasher = createHash("sha256");
  for (const part of parts) hasher.update(part);
  return hasher.digest();
};
const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/** MTH(D[n]) of RFC 6962, section 2.1. */
const mth = (d: readonly Uint8Array[]): Buffer => {
  const [only] = d;
  if (only === undefined) return hashed();
  if (d.length === 1) return hashed(Uint8Array.of(0), only);
  const k = split(d.length);
  return hashed(Uint8Array.of(1), mth(d.slice(0, k)), mth(d.slice(k)));
};

/** PATH(m, D[n]) of section 2.1.1. */
const path = (m: number, d: readonly Uint8Array[]): readonly Buffer[] => {
  if (d.length === 1) return [];
  const k = split(d.length);
  return m < k ? [...path(m, d.slice(0, k)), mth(d.slice(k))] : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
};

/** SUBPROOF(m, D[n], b) of section 2.1.2. */
const subproof = (m: number, d: readonly Uint8Array[], b: boolean): readonly Buffer[] => {
  if (m === d.length) return b ? [] : [mth(d)];
  const k = split(d.length);
  return m <= k
    ? [...subproof(m, d.slice(0, k), b), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))];
};

const hex = (hashes: readonly Buffer[]): readonly string[] => hashes.map((hash) => hash.toString("hex"));
const entries = (length: number): readonly Uint8Array[] =>
  Array.from({ length }, (_, at) => Buffer.from(`entry ${at}`));
const frontierOf = (d: readonly Uint8Array[]): Frontier => d.map(leafHash).reduce(grown, EMPTY_FRONTIER);
const SIZE_MAX = 40;

test("the root of every size is the MTH of RFC 6962", () => {
  assert.equal(EMPTY_ROOT, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(rootOf(EMPTY_FRONTIER), EMPTY_ROOT);
  let frontier = EMPTY_FRONTIER;
  const d = entries(300);
  d.forEach((entry, at) => {
    frontier = grown(frontier, leafHash(entry));
    assert.equal(rootOf(frontier), mth(d.slice(0, at + 1)).toString("hex"));
  });
});

test("a leaf of any length is hashed with its prefix", () => {
  for (const length of [0, 1, 65_534, 65_535, 65_536, 200_000]) {
    const entry = Buffer.alloc(length, 0x61);
    assert.equal(leafHash(entry), hashed(Uint8Array.of(0), entry).toString("hex"));
  }
});

test("growing leaves the smaller tree as it was", () => {
  const small = frontierOf(entries(7));
  const root = rootOf(small);
  grown(small, sha256("another"));
  assert.equal(rootOf(small), root);
  assert.equal(small.size, 7);
});

test("a frontier comes back from its JSON and grows to the same root", () => {
  for (let size = 0; size <= SIZE_MAX; size += 1) {
    const back: unknown = JSON.parse(JSON.stringify(frontierOf(entries(size))));
    assert.ok(isFrontier(back));
    assert.equal(rootOf(grown(back, leafHash(Buffer.from(`entry ${size}`)))), rootOf(frontierOf(entries(size + 1))));
  }
  const { peaks } = frontierOf(entries(3));
  for (const wrong of [
    null,
    3,
    {},
    { peaks, size: 4 },
    { peaks, size: -3 },
    { peaks: ["x", "y"], size: 3 },
    { peaks: "ab", size: 3 },
  ]) {
    assert.ok(!isFrontier(wrong), JSON.stringify(wrong));
  }
});

test("a tree that grows in place has the frontier of every size, wherever it began", () => {
  const hashes = entries(SIZE_MAX + 100).map(leafHash);
  const expected = hashes.map((_, size) => hashes.slice(0, size).reduce(grown, EMPTY_FRONTIER));
  for (const from of expected.slice(0, SIZE_MAX)) {
    const tree = growingTree(from);
    const seen = [tree.frontier()];
    for (const leaf of hashes.slice(from.size, -1)) {
      tree.add(leaf);
      seen.push(tree.frontier());
      assert.equal(tree.size(), seen.at(-1)?.size);
    }
    assert.deepEqual(seen, expected.slice(from.size));
  }
});

test("a tree of any size grows in place as its value does", () => {
  fc.assert(
    fc.property(fc.nat(52), fc.nat(52), fc.nat(40), (high, low, leaves) => {
      const size = high === low ? 2 ** high : 2 ** high + 2 ** low;
      const peaks = [sha256("high"), sha256("low")].slice(0, high === low ? 1 : 2);
      const hashes = entries(leaves).map(leafHash);
      const tree = growingTree({ peaks, size });
      for (const leaf of hashes) tree.add(leaf);
      assert.deepEqual(tree.frontier(), hashes.reduce(grown, { peaks, size }));
    }),
    { numRuns: 200 },
  );
  assert.throws(() => growingTree({ peaks: [], size: 1 }), /a peak for every bit/);
});

test("inclusion proofs are those of RFC 6962 and prove it", async () => {
  for (let size = 1; size <= SIZE_MAX; size += 1) {
    const d = entries(size);
    const root = rootOf(frontierOf(d));
    for (let seq = 0; seq < size; seq += 1) {
      const proof = await subtreeRoots(inclusionRanges(seq, size), d.map(leafHash));
      assert.deepEqual(proof, hex(path(seq, d)));
      assert.ok(provesInclusion({ leaf: leafHash(Buffer.from(`entry ${seq}`)), proof, root, seq, size }));
    }
  }
});

test("consistency proofs are those of RFC 6962 and prove it", async () => {
  for (let size = 1; size <= SIZE_MAX; size += 1) {
    const d = entries(size);
    const newer = { root: rootOf(frontierOf(d)), size };
    for (let old = 1; old <= size; old += 1) {
      const proof = await subtreeRoots(consistencyRanges(old, size), d.map(leafHash));
      assert.deepEqual(proof, hex(subproof(old, d, true)));
      assert.ok(provesConsistency({ newer, older: { root: rootOf(frontierOf(d.slice(0, old))), size: old }, proof }));
    }
  }
});

const turned = (hash: Sha256): Sha256 => sha256(`not ${hash}`);
const altered = (proof: readonly Sha256[]): readonly (readonly Sha256[])[] => [
  [...proof, sha256("more")],
  [sha256("more"), ...proof],
  ...proof.map((_, at) => proof.toSpliced(at, 1)),
  ...proof.map((hash, at) => proof.with(at, turned(hash))),
  ...(proof.length > 1 ? [proof.toReversed()] : []),
];

test("a proof that was altered in any part proves nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ max: 70, min: 1 }), fc.nat(), async (size, chance) => {
      const leaves = entries(size).map(leafHash);
      const root = rootOf(frontierOf(entries(size)));
      const seq = chance % size;
      const leaf = leaves[seq] ?? EMPTY_ROOT;
      const proof = await subtreeRoots(inclusionRanges(seq, size), leaves);
      const whole = { leaf, proof, root, seq, size };
      assert.ok(provesInclusion(whole));
      for (const other of altered(proof)) assert.ok(!provesInclusion({ ...whole, proof: other }));
      assert.ok(!provesInclusion({ ...whole, leaf: turned(leaf) }));
      assert.ok(!provesInclusion({ ...whole, root: turned(root) }));
      if (size > 1) assert.ok(!provesInclusion({ ...whole, seq: (seq + 1) % size }));
      for (const nonsense of [-1, 0.5, size, Number.NaN]) assert.ok(!provesInclusion({ ...whole, seq: nonsense }));
      assert.ok(!provesInclusion({ ...whole, size: 0.5 }));

      const older = { root: rootOf(frontierOf(entries(seq + 1))), size: seq + 1 };
      const newer = { root, size };
      const growth = await subtreeRoots(consistencyRanges(seq + 1, size), leaves);
      assert.ok(provesConsistency({ newer, older, proof: growth }));
      for (const other of altered(growth)) assert.ok(!provesConsistency({ newer, older, proof: other }));
      assert.ok(!provesConsistency({ newer: { ...newer, root: turned(root) }, older, proof: growth }));
      assert.ok(!provesConsistency({ newer, older: { ...older, root: turned(older.root) }, proof: growth }));
      assert.ok(!provesConsistency({ newer: older, older: { ...newer, size: size + 1 }, proof: growth }));
    }),
    { numRuns: 60 },
  );
});

const upper = (hash: Sha256 | undefined): Sha256 => `${hash}`.toUpperCase() as Sha256;
const NO_SIZES = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

test("a proof with a text that is not the one of a hash proves nothing, and nonsense throws nothing", async () => {
  const leaves = entries(7).map(leafHash);
  const root = rootOf(frontierOf(entries(7)));
  const proof = await subtreeRoots(inclusionRanges(4, 7), leaves);
  const whole = { leaf: leaves[4] ?? EMPTY_ROOT, proof, root, seq: 4, size: 7 };
  assert.ok(provesInclusion(whole));
  assert.ok(!provesInclusion({ ...whole, leaf: upper(whole.leaf) }));
  for (const [at, hash] of proof.entries())
    assert.ok(!provesInclusion({ ...whole, proof: proof.with(at, upper(hash)) }));
  const none = "no hash" as Sha256;
  assert.ok(!provesInclusion({ leaf: none, proof: [], root: none, seq: 0, size: 1 }), "the only leaf is the root");
  for (const nonsense of NO_SIZES) {
    assert.ok(!provesInclusion({ ...whole, seq: nonsense }));
    assert.ok(!provesInclusion({ ...whole, seq: 0, size: nonsense }));
  }

  const newer = { root, size: 7 };
  for (const size of [4, 5]) {
    const older = { root: rootOf(frontierOf(entries(size))), size };
    const growth = await subtreeRoots(consistencyRanges(size, 7), leaves);
    assert.ok(provesConsistency({ newer, older, proof: growth }));
    for (const [at, hash] of growth.entries())
      assert.ok(!provesConsistency({ newer, older, proof: growth.with(at, upper(hash)) }));
    assert.ok(!provesConsistency({ newer, older: { ...older, root: upper(older.root) }, proof: growth }));
    for (const nonsense of NO_SIZES) {
      assert.ok(!provesConsistency({ newer, older: { ...older, size: nonsense }, proof: growth }));
      assert.ok(!provesConsistency({ newer: { ...newer, size: nonsense }, older, proof: growth }));
    }
  }
  const nothing = { root: EMPTY_ROOT, size: 0 };
  assert.ok(!provesConsistency({ newer: { root: none, size: 7 }, older: nothing, proof: [] }));
});

test("for a proof of nothing no leaf is read, and for another none but one after its last", async () => {
  let count = 0;
  const counted = function* (): Generator<Sha256> {
    for (const leaf of entries(9).map(leafHash)) {
      count += 1;
      yield leaf;
    }
  };
  assert.deepEqual(await subtreeRoots([], counted()), []);
  assert.equal(count, 0);
  await subtreeRoots([{ from: 1, to: 3 }], counted());
  assert.equal(count, 4);
});

test("the empty tree is consistent with every tree, under its own root alone", () => {
  const newer = { root: rootOf(frontierOf(entries(3))), size: 3 };
  assert.ok(provesConsistency({ newer, older: { root: EMPTY_ROOT, size: 0 }, proof: [] }));
  assert.ok(!provesConsistency({ newer, older: { root: newer.root, size: 0 }, proof: [] }));
  assert.ok(!provesConsistency({ newer, older: { root: EMPTY_ROOT, size: 0 }, proof: [newer.root] }));
  assert.ok(
    !provesConsistency({ newer: { root: newer.root, size: 0 }, older: { root: EMPTY_ROOT, size: 0 }, proof: [] }),
  );
});

test("a proof over more leaves than there are is not made", async () => {
  await assert.rejects(subtreeRoots(inclusionRanges(1, 8), entries(7).map(leafHash)), /only 7 leaves/);
  assert.throws(() => inclusionRanges(8, 8), RangeError);
  assert.throws(() => consistencyRanges(9, 8), RangeError);
  for (const nonsense of NO_SIZES) {
    assert.throws(() => inclusionRanges(nonsense, 8), RangeError);
    assert.throws(() => inclusionRanges(0, nonsense), RangeError);
    assert.throws(() => consistencyRanges(nonsense, 8), RangeError);
    assert.throws(() => consistencyRanges(0, nonsense), RangeError);
  }
});

test("places near the largest size are found without 32-bit arithmetic", () => {
  const size = Number.MAX_SAFE_INTEGER;
  assert.equal(inclusionRanges(size - 1, size).length, 52);
  assert.equal(inclusionRanges(0, size).length, 53);
  assert.equal(consistencyRanges(2 ** 40, size).length, 13);
});
