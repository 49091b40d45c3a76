// The tree of RFC 6962 over the lines of a ledger, as it grows by one leaf; and whether a path leads from a leaf to a
// root.
//
// What waits is one node for every bit of the size that is set, each in the room of its level: memory stays small
// whatever the size, and a leaf makes nothing anew. Not here: the hash itself (sha256-words.ts).

import { sameBytes } from "./byte-texts.ts";
import { bytesOfWords, DIGEST_WORDS, type DigestWords, wordsHasher, wordsOfBytes } from "./sha256-words.ts";

/** SHA-256 of nothing: the root of a tree without leaves. */
const EMPTY_ROOT: DigestWords = Int32Array.from([
  0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c, 0xa495991b, 0x7852b855,
]);

/** SHA-256(0x00 ‖ line): the hash of a record, and its leaf. */
export const leafDigest = (line: Uint8Array): Uint8Array => {
  const digest = new Int32Array(DIGEST_WORDS);
  wordsHasher().leafInto(line, 0, line.length, digest);
  return bytesOfWords(digest);
};

export type GrownTree = {
  readonly add: (leaf: DigestWords) => void;
  /** Written anew by the next call. */
  readonly root: () => DigestWords;
  readonly size: () => number;
};

export const grownTree = (): GrownTree => {
  const { nodeInto } = wordsHasher();
  const rooms: DigestWords[] = [];
  const node = new Int32Array(DIGEST_WORDS);
  let size = 0;
  const roomAt = (level: number): DigestWords => {
    rooms[level] ??= new Int32Array(DIGEST_WORDS);
    return rooms[level];
  };
  return {
    add: (leaf) => {
      node.set(leaf);
      let level = 0;
      for (let rest = size; rest % 2 === 1; rest = half(rest)) {
        nodeInto(roomAt(level), node, node);
        level += 1;
      }
      roomAt(level).set(node);
      size += 1;
    },
    root: () => {
      if (size === 0) return EMPTY_ROOT;
      let isFirst = true;
      for (let rest = size, level = 0; rest > 0; rest = half(rest), level += 1) {
        if (rest % 2 === 0) continue;
        if (isFirst) node.set(roomAt(level));
        else nodeInto(roomAt(level), node, node);
        isFirst = false;
      }
      return node;
    },
    size: () => size,
  };
};

/** RFC 9162, section 2.1.3.2. */
export const leadsToRoot = (
  leaf: Uint8Array,
  path: readonly Uint8Array[],
  root: Uint8Array,
  { seq, size }: { readonly seq: number; readonly size: number },
): boolean => {
  if (seq >= size) return false;
  const { nodeInto } = wordsHasher();
  const node = wordsOfBytes(leaf);
  let [first, last] = [seq, size - 1];
  for (const sibling of path) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      nodeInto(wordsOfBytes(sibling), node, node);
      while (first % 2 === 0 && first !== 0) [first, last] = [half(first), half(last)];
    } else nodeInto(node, wordsOfBytes(sibling), node);
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && sameBytes(bytesOfWords(node), root);
};

const half = (number: number): number => Math.floor(number / 2);
