// Hashes as texts: exactly the 64 lower-case hex digits that SHA-256 gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isSha256, sha256 } from "../../src/spine/values/hash.ts";

const HASH = sha256("");
const PATTERN = /^[0-9a-f]{64}$/;

test("a hash is 64 lower-case hex digits, and no other character passes for one anywhere in it", () => {
  assert.ok(isSha256(HASH));
  for (let code = 0; code <= 0xffff; code += 1) {
    for (const at of [0, 31, 63]) {
      const text = `${HASH.slice(0, at)}${String.fromCharCode(code)}${HASH.slice(at + 1)}`;
      assert.equal(isSha256(text), PATTERN.test(text), `${code} at ${at}`);
    }
  }
});

test("what is shorter, longer or no text is no hash", () => {
  for (const other of ["", HASH.slice(1), `${HASH}0`, `${HASH}\n`, 64, null, undefined, [HASH], { length: 64 }]) {
    assert.ok(!isSha256(other), JSON.stringify(other));
  }
});
