// SHA-256 (FIPS 180-4) of very many short pieces, as the tree of RFC 6962 needs it: a digest is eight words that are
// written where the caller says, and nothing is made for a piece.
//
// The package that hashes elsewhere in the console takes three times as long for a line in a browser. A test holds this
// against the platform's own, at every length. Not here: the tree (grown-tree.ts).

export const DIGEST_WORDS = 8;
export type DigestWords = Int32Array;

const [BLOCK_BYTES, BLOCK_WORDS, WORD_BYTES, ROUNDS] = [64, 16, 4, 64];
/** The last block ends with the number of bits, in two words of which the first is 0 for whatever a line may hold. */
const LENGTH_BYTES = 8;
const END_BYTE = 0x80;

const K = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
const FIRST = Int32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Takes a block into a digest. One loop without a call in it, which is what compilers make fast. */
const compress = (words: Int32Array, digest: DigestWords): void => {
  for (let at = BLOCK_WORDS; at < ROUNDS; at += 1) {
    const far = words[at - 15] as number;
    const near = words[at - 2] as number;
    const spread = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
    const mixed = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
    words[at] = (spread + mixed + (words[at - 7] as number) + (words[at - 16] as number)) | 0;
  }
  let a = digest[0] as number;
  let b = digest[1] as number;
  let c = digest[2] as number;
  let d = digest[3] as number;
  let e = digest[4] as number;
  let f = digest[5] as number;
  let g = digest[6] as number;
  let h = digest[7] as number;
  for (let at = 0; at < ROUNDS; at += 1) {
    const sumE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const sumA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const one = (h + sumE + (g ^ (e & (f ^ g))) + (K[at] as number) + (words[at] as number)) | 0;
    const other = (sumA + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  digest[0] = (digest[0] as number) + a;
  digest[1] = (digest[1] as number) + b;
  digest[2] = (digest[2] as number) + c;
  digest[3] = (digest[3] as number) + d;
  digest[4] = (digest[4] as number) + e;
  digest[5] = (digest[5] as number) + f;
  digest[6] = (digest[6] as number) + g;
  digest[7] = (digest[7] as number) + h;
};

const NODE_BITS = 8 * (1 + 2 * DIGEST_WORDS * WORD_BYTES);

export type WordsHasher = {
  /** SHA-256(0x00 ‖ line): the hash of a record, and its leaf. */
  readonly leafInto: (line: Uint8Array, digest: DigestWords) => void;
  /** SHA-256(0x01 ‖ left ‖ right); the digest may be written into either of the two. */
  readonly nodeInto: (left: DigestWords, right: DigestWords, digest: DigestWords) => void;
};

/** With the room that hashing needs: made once for very many. */
export const wordsHasher = (): WordsHasher => {
  /** The block at hand, and what its words are spread to. */
  const words = new Int32Array(ROUNDS);
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
    leafInto: (line, digest) => {
      const view = viewOf(line);
      const start = line.byteOffset;
      const { length } = line;
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
        rest[end] = line[taken] as number;
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
      words.fill(0, 0, BLOCK_WORDS);
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
