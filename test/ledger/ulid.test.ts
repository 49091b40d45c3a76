// ULIDs as bytes: 16 bytes that mean the same, sort the same, and come from ULIDs only.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ulids } from "../../src/ids.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { isUlid, ulidBytes, ulidText } from "../../src/ledger/record/ulid.ts";
import { ulid } from "./drafts.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const anyUlid = fc
  .tuple(fc.constantFrom(..."01234567"), fc.array(fc.constantFrom(...DIGITS), { maxLength: 25, minLength: 25 }))
  .map(([first, rest]) => `${first}${rest.join("")}` as Ulid);

test("the bytes of a key give the key again and sort as keys do", () => {
  fc.assert(
    fc.property(anyUlid, anyUlid, (one, other) => {
      assert.equal(ulidText(ulidBytes(one)), one);
      assert.equal(Buffer.compare(ulidBytes(one), ulidBytes(other)), one < other ? -1 : one > other ? 1 : 0);
    }),
  );
  assert.equal(ulidBytes("7ZZZZZZZZZZZZZZZZZZZZZZZZZ" as Ulid).toString("hex"), "f".repeat(32));
});

test("ids as they are made give bytes in the order in which they were made", () => {
  const made = fc
    .tuple(fc.nat({ max: 2 ** 48 - 1 }), fc.uint8Array({ maxLength: 16, minLength: 16 }))
    .map(([ms, chance]) =>
      ulids(
        () => ms,
        () => chance,
      ),
    );
  fc.assert(
    fc.property(made, (next) => {
      const [first, second] = [next(), next()];
      assert.ok(isUlid(first) && isUlid(second));
      assert.equal(Buffer.compare(ulidBytes(first), ulidBytes(second)), -1);
    }),
  );
  assert.equal(ulidBytes("0".repeat(26) as Ulid).toString("hex"), "0".repeat(32));
});

test("no other text passes for a key", () => {
  const key = ulid(1);
  for (const other of ["", key.slice(1), `${key}0`, `8${key.slice(1)}`, `a${key.slice(1)}`]) {
    assert.throws(() => ulidBytes(other as Ulid), /a key is a ULID/, other);
  }
  for (let at = 0; at < key.length; at += 1) {
    for (const wrong of ["I", "L", "O", "U", "z", " ", "\u00e9", "\u0130", "\ud800"]) {
      const other = `${key.slice(0, at)}${wrong}${key.slice(at + 1)}`;
      assert.throws(() => ulidBytes(other as Ulid), /a key is a ULID/, other);
    }
  }
});
