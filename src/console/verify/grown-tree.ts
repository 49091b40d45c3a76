// The tree of RFC 6962 over the lines of a ledger, as it grows by one leaf; and whether a path leads from a leaf to a
// root.
//
// What waits is one node for every bit of the size that is set: memory stays small whatever the size.

import { sha256 } from "@noble/hashes/sha2.js";
import { sameBytes } from "./byte-texts.ts";

const HASH_BYTES = 32;

/** SHA-256(0x00 ‖ line): the hash of a record, and its leaf. */
export const leafDigest = (line: Uint8Array): Uint8Array => {
  const room = new Uint8Array(1 + line.length);
  room.set(line, 1);
  return sha256(room);
};

const nodeDigest = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const room = new Uint8Array(1 + 2 * HASH_BYTES);
  room[0] = 1;
  room.set(left, 1);
  room.set(right, 1 + HASH_BYTES);
  return sha256(room);
};

export type GrownTree = {
  readonly add: (leaf: Uint8Array) => void;
  readonly root: () => Uint8Array;
  readonly size: () => number;
};

export const grownTree = (): GrownTree => {
  const peaks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (leaf) => {
      let node = leaf;
      for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) node = nodeDigest(popped(peaks), node);
      peaks.push(node);
      size += 1;
    },
    root: () =>
      peaks.length === 0 ? sha256(new Uint8Array()) : peaks.reduceRight((right, left) => nodeDigest(left, right)),
    size: () => size,
  };
};

const popped = (peaks: Uint8Array[]): Uint8Array => {
  const peak = peaks.pop();
  if (peak === undefined) throw new RangeError("a tree has a peak for every bit of its size");
  return peak;
};

/** RFC 9162, section 2.1.3.2. */
export const leadsToRoot = (
  leaf: Uint8Array,
  path: readonly Uint8Array[],
  root: Uint8Array,
  { seq, size }: { readonly seq: number; readonly size: number },
): boolean => {
  if (seq >= size) return false;
  let [node, first, last] = [leaf, seq, size - 1];
  for (const sibling of path) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      node = nodeDigest(sibling, node);
      while (first % 2 === 0 && first !== 0) [first, last] = [half(first), half(last)];
    } else node = nodeDigest(node, sibling);
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && sameBytes(node, root);
};

const half = (number: number): number => Math.floor(number / 2);
