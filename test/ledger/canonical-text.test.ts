// The kernel's fast way to canonical text is the slow way's text.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalText } from "../../src/ledger/record/profile.ts";
import { canonical, type Json } from "../../src/spine/values/canonical.ts";

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string({ maxLength: 8, unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.constantFrom(true, false, null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 5, unit: "binary" }), tie("json"), { maxKeys: 5 }),
  ),
}));

test("it is the canonical text, for values in and outside the ledger's profile", () => {
  fc.assert(fc.property(json, (value) => assert.equal(canonicalText(value), canonical(value))));
});

test("members that are absent are left out, and half a surrogate pair has no text", () => {
  assert.equal(canonicalText({ b: 1, a: undefined, c: [{ z: 0, y: undefined }] }), '{"b":1,"c":[{"z":0}]}');
  assert.throws(() => canonicalText({ a: "\ud800" }), /lone surrogate/);
});
