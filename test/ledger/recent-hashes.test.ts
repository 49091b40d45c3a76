// Hashes that are remembered are those that would be made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberHashes } from "../../src/ledger/tree/recent-hashes.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";

const counted = () => {
  const made: string[] = [];
  const hashOf = rememberHashes((text): Sha256 => {
    made.push(text);
    return sha256(text);
  });
  return { hashOf, made };
};

test("a text that comes back is hashed once, and another one is not taken for it", () => {
  const { hashOf, made } = counted();
  for (const text of ["a", "b", "a", "b", "", ""]) assert.equal(hashOf(text), sha256(text));
  assert.deepEqual(made, ["a", "b", ""]);
});

test("sixteen texts are remembered, and the oldest is forgotten first", () => {
  const { hashOf, made } = counted();
  const texts = Array.from({ length: 17 }, (_, at) => `text ${at}`);
  for (const text of texts) hashOf(text);
  made.length = 0;
  for (const text of texts.slice(1)) assert.equal(hashOf(text), sha256(text));
  assert.deepEqual(made, []);
  assert.equal(hashOf("text 0"), sha256("text 0"));
  assert.equal(hashOf("text 1"), sha256("text 1"));
  assert.deepEqual(made, ["text 0", "text 1"]);
});
