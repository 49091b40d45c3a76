// SHA-256 (FIPS 180-4) of very many short pieces, as the tree of RFC 6962 needs it: a digest is eight words that are
// written where the caller says, and nothing is made for a piece.
//
// The package that hashes elsewhere in the console takes three times as long for a line in a browser. A test holds this
// against the platform's own, at every length. Not here: the rounds (sha256-block.ts), the tree (grown-tree.ts).

import { compress } from "./sha256-block.ts";

export const DIGEST_WORDS = 8;
export type DigestWords = Int32Array;

const [BLOCK_BYTES, BLOCK_WORDS, WORD_BYTES] = [64, 16, 4];
/** The last block ends with the number of bits, in two words of which the first is 0 for whatever a line may hold. */
const LENGTH_BYTES = 8;
const END_BYTE = 0x80;

const FIRST = Int32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const NODE_BITS = 8 * (1 + 2 * DIGEST_WORDS * WORD_BYTES);

export type WordsHasher = {
  /** SHA-256(0x00 ‖ line) of the line that lies there: the hash of a record, and its leaf. */
  readonly leafInto: (bytes: Uint8Array, from: number, to: number, digest: DigestWords) => void;
  /** SHA-256(0x01 ‖ left ‖ right); the digest may be written into either of the two. */
  readonly nodeInto: (left: DigestWords, right: DigestWords, digest: DigestWords) => void;
};

/** With the room that hashing needs: made once for very many. */
export const wordsHasher = (): WordsHasher => {
  /** The block at hand. */
  const words = new Int32Array(BLOCK_WORDS);
  /** What is left behind the last whole block, and the end of the message. */
  const rest = new Uint8Array(2 * BLOCK_BYTES);
  const restView = new DataView(rest.buffer);
  /** The lines of a page lie in one buffer: what reads words from it is made once for it. */
  let viewed: DataView = restView;
  const viewOf = ({ buffer }: Uint8Array): DataView => {
    if (viewed.buffer !== buffer) viewed = new DataView(buffer);
    return viewed;
  };
  const takeBlock = (view: DataView, from: number, digest: DigestWords): void => {
    for (let at = 0; at < BLOCK_WORDS; at += 1) words[at] = view.getInt32(from + WORD_BYTES * at);
    compress(words, digest);
  };
  return {
    leafInto: (bytes, from, to, digest) => {
      const view = viewOf(bytes);
      const start = bytes.byteOffset + from;
      const length = to - from;
      digest.set(FIRST);
      // The byte that comes before the line moves every block of it by one.
      let taken = 0;
      if (length >= BLOCK_BYTES - 1) {
        words[0] = view.getInt32(start) >>> 8;
        for (let at = 1; at < BLOCK_WORDS; at += 1) words[at] = view.getInt32(start + WORD_BYTES * at - 1);
        compress(words, digest);
        taken = BLOCK_BYTES - 1;
        for (; taken + BLOCK_BYTES <= length; taken += BLOCK_BYTES) takeBlock(view, start + taken, digest);
      }
      rest.fill(0);
      let end = taken === 0 ? 1 : 0;
      for (; taken < length; taken += 1) {
        rest[end] = bytes[from + taken] as number;
        end += 1;
      }
      rest[end] = END_BYTE;
      const blocks = end + 1 + LENGTH_BYTES <= BLOCK_BYTES ? 1 : 2;
      restView.setInt32(blocks * BLOCK_BYTES - WORD_BYTES, (1 + length) * 8);
      for (let block = 0; block < blocks; block += 1) takeBlock(restView, block * BLOCK_BYTES, digest);
    },
    nodeInto: (left, right, digest) => {
      let before = 1;
      for (let at = 0; at < DIGEST_WORDS; at += 1) {
        const word = left[at] as number;
        words[at] = (before << 24) | (word >>> 8);
        before = word;
      }
      for (let at = 0; at < DIGEST_WORDS; at += 1) {
        const word = right[at] as number;
        words[DIGEST_WORDS + at] = (before << 24) | (word >>> 8);
        before = word;
      }
      digest.set(FIRST);
      compress(words, digest);
      words.fill(0);
      words[0] = (before << 24) | (END_BYTE << 16);
      words[BLOCK_WORDS - 1] = NODE_BITS;
      compress(words, digest);
    },
  };
};

/** As the bytes that everybody else writes. */
export const bytesOfWords = (digest: DigestWords): Uint8Array => {
  const bytes = new Uint8Array(DIGEST_WORDS * WORD_BYTES);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < DIGEST_WORDS; at += 1) view.setInt32(WORD_BYTES * at, digest[at] as number);
  return bytes;
};

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export const hexOfWords = (digest: DigestWords): string => {
  let text = "";
  for (let at = 0; at < DIGEST_WORDS; at += 1) {
    const word = digest[at] as number;
    text += `${DIGITS[word >>> 24]}${DIGITS[(word >>> 16) & 255]}${DIGITS[(word >>> 8) & 255]}${DIGITS[word & 255]}`;
  }
  return text;
};

export const wordsOfBytes = (bytes: Uint8Array): DigestWords => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: DIGEST_WORDS }, (_, at) => view.getInt32(WORD_BYTES * at));
};
