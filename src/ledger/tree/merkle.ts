// The Merkle tree of RFC 6962 over the lines of the ledger: node hashes, and a frontier that grows by one leaf.
//
// A leaf's hash is the record's hash, so chain and tree stand on the same bytes. The frontier holds one hash for every
// bit of the size (the roots of the perfect subtrees, largest first), so a tree of any size grows in constant memory.
// Not here: leaves (record/leaf.ts), growing in place (growing-tree.ts), proofs (merkle-proof.ts), signed roots
// (checkpoint.ts).

import type { Sha256 } from "../../spine/model.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import { isSize } from "../record/record.ts";
import { rememberHashes } from "./recent-hashes.ts";

/** RFC 6962, section 2.1: the hash of an empty list is the hash of an empty string. */
export const EMPTY_ROOT: Sha256 = sha256("");

export const HASH_BYTES = 32;
export const NODE_PREFIX = 0x01;

/** Filled and read within one call. One copy is cheaper than a hasher object. */
const nodeRoom = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX);

const pairHash = (pair: string): Sha256 => {
  nodeRoom.write(pair, 1, "hex");
  return sha256(nodeRoom);
};
const recentPairHash = rememberHashes(pairHash);

export const nodeHash = (left: Sha256, right: Sha256): Sha256 => pairHash(left + right);

/** For proofs, which meet at the same few nodes. */
export const recentNodeHash = (left: Sha256, right: Sha256): Sha256 => recentPairHash(left + right);

/** A plain value: it can be stored as JSON and read back with isFrontier. */
export type Frontier = {
  readonly size: number;
  /** Largest subtree first; as many as the size has bits that are set. */
  readonly peaks: readonly Sha256[];
};

export const EMPTY_FRONTIER: Frontier = { peaks: [], size: 0 };

export const grown = ({ peaks, size }: Frontier, leaf: Sha256): Frontier => {
  let kept = peaks.length;
  let node = leaf;
  for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
    kept -= 1;
    node = nodeHash(peakAt(peaks, kept), node);
  }
  const next = peaks.slice(0, kept);
  next.push(node);
  return { peaks: next, size: size + 1 };
};

export const peakAt = (peaks: readonly Sha256[], at: number): Sha256 => {
  const peak = peaks[at];
  if (peak === undefined) throw new RangeError("a frontier has a peak for every bit of its size");
  return peak;
};

export const rootOf = ({ peaks }: Frontier): Sha256 =>
  peaks.length === 0 ? EMPTY_ROOT : peaks.reduceRight((right, left) => nodeHash(left, right));

export const isFrontier = (value: unknown): value is Frontier => {
  if (typeof value !== "object" || value === null || !("peaks" in value) || !("size" in value)) return false;
  const { peaks, size } = value;
  if (!isSize(size) || !Array.isArray(peaks)) return false;
  return peaks.length === bitsSet(size) && peaks.every(isSha256);
};

const bitsSet = (size: number): number => {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
};
