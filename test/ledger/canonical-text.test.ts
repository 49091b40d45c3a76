// The kernel's fast way to canonical text is the slow way's text.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalText, NESTING_MAX, profileText } from "../../src/ledger/record/profile.ts";
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

const deep = (levels: number): Json =>
  levels === 0 ? null : levels % 2 === 0 ? [deep(levels - 1)] : { a: deep(levels - 1) };
const causeOf = (value: Json, nesting?: number): string => {
  const result = profileText(value, nesting);
  return result.kind === "text" ? result.kind : result.cause;
};

test("a value is as deep as it may be, with what is around it", () => {
  assert.deepEqual([causeOf(deep(NESTING_MAX)), causeOf(deep(NESTING_MAX + 1))], ["text", "too-deep"]);
  assert.deepEqual([causeOf(deep(NESTING_MAX - 1), 1), causeOf(deep(NESTING_MAX), 1)], ["text", "too-deep"]);
});

test("what is wrong is found wherever it is, behind what is right", () => {
  const right = { a: null, b: "\t", c: [1, true, "\\"] };
  assert.equal(causeOf(right), "text");
  const wrong: readonly (readonly [Json, string])[] = [
    [1.5, "number-unsafe"],
    ["\ud800", "text-half-surrogate"],
    [{ "\udead": 1 }, "key-half-surrogate"],
    [{ "a\nb": 1 }, "key-escaped"],
    [Object(new Date(0)), "not-plain"],
    [Object(() => 1), "not-json"],
  ];
  for (const [value, cause] of wrong) {
    assert.equal(causeOf({ ...right, z: value }), cause);
    assert.equal(causeOf([right, value]), cause);
    assert.equal(causeOf([value, right]), cause);
    assert.equal(causeOf({ z: 1, y: [[value]], a: 2 }), cause, "unsorted too");
  }
});

test("keys out of their order are put into it at any depth, and an object without a prototype is one", () => {
  for (const value of [
    { b: 1, a: 2 },
    [{ b: 1, a: 2 }, { a: 1 }],
    { a: { c: 1, b: 2 }, b: 1 },
    { a: [[{ b: 1, a: 2 }]] },
  ])
    assert.deepEqual(profileText(value), { kind: "text", text: canonical(value) });
  assert.deepEqual(profileText({ a: [{ d: "\t", c: 1 }] }), { kind: "text", text: '{"a":[{"c":1,"d":"\\t"}]}' });
  assert.deepEqual(profileText(Object.assign(Object.create(null), { a: 1 })), { kind: "text", text: '{"a":1}' });
});
