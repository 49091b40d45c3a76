// Proofs of RFC 6962: that a record is in a tree (inclusion), and that a tree only grew (consistency).
//
// A proof is a list of subtree roots, deepest first. Which subtrees these are follows from the numbers alone, so maker
// and checker walk the same list of ranges. To make a proof, every leaf is read once, in order and in constant memory.
// Not here: hashes and the growing tree (merkle.ts).

import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { isSize } from "../record/record.ts";
import { EMPTY_FRONTIER, EMPTY_ROOT, type Frontier, grown, nodeHash, recentNodeHash, rootOf } from "./merkle.ts";

/** The leaves [from, to) under one node of the tree. */
export type Range = { readonly from: number; readonly to: number };

/** RFC 6962, section 2.1: the largest power of two smaller than n, for n > 1. */
const leftWidth = (n: number): number => {
  let width = 1;
  while (width * 2 < n) width *= 2;
  return width;
};

/** RFC 6962, section 2.1.1: PATH(seq, D[size]). */
export const inclusionRanges = (seq: number, size: number): readonly Range[] => {
  assertRange(isSize(seq) && isSize(size) && seq < size, "only a record of the tree has an inclusion proof");
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftWidth(to - from);
    if (seq < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
};

/** RFC 6962, section 2.1.2: PROOF(older, D[size]). */
export const consistencyRanges = (older: number, size: number): readonly Range[] => {
  assertRange(isSize(older) && isSize(size) && older <= size, "a tree is consistent with smaller ones");
  if (older === 0) return [];
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to > older) {
    const middle = from + leftWidth(to - from);
    if (older <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // The older tree as a whole is known to the checker; a part of it is not.
  if (from > 0) ranges.push({ from, to });
  return ranges.reverse();
};

const assertRange = (holds: boolean, sentence: string): void => {
  if (!holds) throw new RangeError(sentence);
};

/**
 * The root over each range, from the leaf hashes of the whole tree in order. Leaves after the last range are not read.
 */
export const subtreeRoots = async (
  ranges: readonly Range[],
  leaves: AsyncIterable<Sha256> | Iterable<Sha256>,
): Promise<readonly Sha256[]> => {
  const waiting = ranges.toSorted((a, b) => a.from - b.from);
  const frontiers = new Map<Range, Frontier>();
  let seq = 0;
  if (waiting.length > 0) {
    for await (const leaf of leaves) {
      const range = waiting[0];
      if (range === undefined) break;
      if (seq >= range.from) frontiers.set(range, grown(frontiers.get(range) ?? EMPTY_FRONTIER, leaf));
      seq += 1;
      if (seq === range.to) waiting.shift();
    }
  }
  assertRange(waiting.length === 0, `the tree has only ${seq} leaves`);
  return ranges.map((range) => rootOf(frontiers.get(range) ?? EMPTY_FRONTIER));
};

export type Inclusion = {
  readonly leaf: Sha256;
  readonly proof: readonly Sha256[];
  readonly root: Sha256;
  readonly seq: number;
  readonly size: number;
};

/** False for anything that does not prove it, nonsense too; it never throws. */
export const provesInclusion = ({ leaf, proof, root, seq, size }: Inclusion): boolean => {
  if (!isSize(seq) || !isSize(size) || seq >= size) return false;
  if (!isSha256(leaf) || !proof.every(isSha256)) return false;
  return rootWith(leaf, proof, seq, { from: 0, to: size }, proof.length) === root;
};

/**
 * The root over a range from one of its leaves and the last `left` hashes of the proof, by the same halving as
 * inclusionRanges(), which it makes no list of; undefined where the proof is longer or shorter than that.
 */
const rootWith = (
  leaf: Sha256,
  proof: readonly Sha256[],
  seq: number,
  { from, to }: Range,
  left: number,
): Sha256 | undefined => {
  if (to - from === 1) return left === 0 ? leaf : undefined;
  const sibling = proof[left - 1];
  if (sibling === undefined) return undefined;
  const middle = from + leftWidth(to - from);
  const isLeft = seq < middle;
  const node = rootWith(leaf, proof, seq, isLeft ? { from, to: middle } : { from: middle, to }, left - 1);
  if (node === undefined) return undefined;
  return isLeft ? recentNodeHash(node, sibling) : recentNodeHash(sibling, node);
};

const isLeftOf = (range: Range | undefined, seq: number): boolean => range !== undefined && range.to <= seq;

export type Growth = {
  readonly older: { readonly size: number; readonly root: Sha256 };
  readonly newer: { readonly size: number; readonly root: Sha256 };
  readonly proof: readonly Sha256[];
};

/** False for anything that does not prove it, nonsense too; it never throws. */
export const provesConsistency = ({ newer, older, proof }: Growth): boolean => {
  if (!isSize(older.size) || !isSize(newer.size) || older.size > newer.size) return false;
  const ranges = consistencyRanges(older.size, newer.size);
  if (proof.length !== ranges.length || ![older.root, newer.root, ...proof].every(isSha256)) return false;
  if (older.size === 0) return older.root === EMPTY_ROOT && (newer.size > 0 || newer.root === EMPTY_ROOT);
  const startsWhole = ranges.every(({ from }) => from >= older.size);
  return startsWhole ? climbs(older, newer, older.root, proof, ranges) : climbsFromPart(older, newer, proof, ranges);
};

type Side = Growth["older"];

const climbsFromPart = (older: Side, newer: Side, proof: readonly Sha256[], ranges: readonly Range[]): boolean => {
  const [part, ...rest] = proof;
  return part !== undefined && climbs(older, newer, part, rest, ranges.slice(1));
};

/** Climbs to both roots at once: what lies left belongs to both trees, what lies right to the newer one alone. */
const climbs = (
  older: Side,
  newer: Side,
  start: Sha256,
  proof: readonly Sha256[],
  ranges: readonly Range[],
): boolean => {
  let [small, large] = [start, start];
  proof.forEach((sibling, at) => {
    if (isLeftOf(ranges[at], older.size - 1)) {
      small = nodeHash(sibling, small);
      large = nodeHash(sibling, large);
    } else {
      large = nodeHash(large, sibling);
    }
  });
  return small === older.root && large === newer.root;
};
