// SHA-256 as the browser's walk has it, held against the platform's own: every length around its blocks, wherever a
// line begins in its page, and the nodes of a tree.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import {
  bytesOfWords,
  DIGEST_WORDS,
  hexOfWords,
  wordsHasher,
  wordsOfBytes,
} from "../../src/console/verify/sha256-words.ts";

const { leafInto, nodeInto } = wordsHasher();

const hashed = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

test("a leaf of every length is the platform's hash, wherever it begins in its page", () => {
  const page = new Uint8Array(randomBytes(1_024));
  const digest = new Int32Array(DIGEST_WORDS);
  for (let length = 0; length <= 520; length += 1)
    for (const start of [0, 1, 2, 3, 63, 64, 65]) {
      const line = page.subarray(start, start + length);
      const expected = hashed(Uint8Array.of(0), line);
      leafInto(page, start, start + length, digest);
      assert.equal(hexOfWords(digest), expected, `${length} bytes at ${start}`);
      // A view that does not begin where its buffer does.
      leafInto(line, 0, length, digest);
      assert.equal(hexOfWords(digest), expected, `a view of ${length} bytes at ${start}`);
    }
  const long = new Uint8Array(randomBytes(70_001));
  leafInto(long, 0, long.length, digest);
  assert.equal(hexOfWords(digest), hashed(Uint8Array.of(0), long));
});

test("a line at the very end of its buffer is hashed as it is", () => {
  const digest = new Int32Array(DIGEST_WORDS);
  for (const length of [0, 1, 55, 62, 63, 64, 127]) {
    const line = new Uint8Array(randomBytes(length + 9)).subarray(9);
    leafInto(line, 0, length, digest);
    assert.equal(hexOfWords(digest), hashed(Uint8Array.of(0), line), `${length} bytes`);
  }
});

test("a node is the platform's hash, also where it takes the place of one of its two", () => {
  for (let round = 0; round < 50; round += 1) {
    const [left, right] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
    const expected = hashed(Uint8Array.of(1), left, right);
    const [one, other] = [wordsOfBytes(left), wordsOfBytes(right)];
    const apart = new Int32Array(DIGEST_WORDS);
    nodeInto(one, other, apart);
    assert.equal(hexOfWords(apart), expected);
    assert.deepEqual(bytesOfWords(one), left);
    nodeInto(one, other, round % 2 === 0 ? one : other);
    assert.equal(hexOfWords(round % 2 === 0 ? one : other), expected);
    assert.equal(Buffer.from(bytesOfWords(apart)).toString("hex"), expected);
  }
});
