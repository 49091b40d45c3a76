// What is told of a value that does not fit: typed facts, and of a value that may be a secret nothing but its kind.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foundIn, kindFound, unknownKey } from "../../src/formats/expectation.ts";
import { isText } from "../../src/formats/fields.ts";

/** A value, what is found of it, and what is found of it where it may be a secret. */
const VALUES: readonly (readonly [unknown, ReturnType<typeof foundIn>, string])[] = [
  ["off", { found: "off", foundAs: "text" }, "text"],
  ["7", { found: "7", foundAs: "text" }, "text"],
  ["map", { found: "map", foundAs: "text" }, "text"],
  [" ", { found: " ", foundAs: "text" }, "text"],
  ['say "no"', { found: 'say "no"', foundAs: "text" }, "text"],
  ["a\u202eb", { found: "a\\u{202e}b", foundAs: "text" }, "text"],
  ["", { found: "empty", foundAs: "bare" }, "text"],
  [7, { found: 7, foundAs: "bare" }, "number"],
  [7.5, { found: "7.5", foundAs: "bare" }, "number"],
  [2 ** 53, { found: "9007199254740992", foundAs: "bare" }, "number"],
  [true, { found: "true", foundAs: "bare" }, "boolean"],
  [false, { found: "false", foundAs: "bare" }, "boolean"],
  [null, { found: "null", foundAs: "bare" }, "null"],
  [undefined, { found: "null", foundAs: "bare" }, "null"],
  [["secret"], { found: "list", foundAs: "bare" }, "list"],
  [{ secret: 1 }, { found: "map", foundAs: "bare" }, "map"],
];

test("a value that does not fit is told as a fact of its own type", () => {
  for (const [value, found] of VALUES) {
    assert.deepEqual(foundIn(value), found);
    // As facts of an observation are read again.
    assert.ok(Number.isSafeInteger(found.found) || isText(found.found), String(found.found));
  }
});

test("B5 of a value that may be a secret only its kind is told", () => {
  for (const [value, , kind] of VALUES) assert.deepEqual(kindFound(value), { found: kind, foundAs: "bare" });
});

test("a long text is cut, and half a character of it is not told", () => {
  const { found, foundAs } = foundIn("\u{1f600}".repeat(2_000));
  assert.ok(typeof found === "string" && foundAs === "text" && found.length < 200 && found.isWellFormed());
});

test("a key that is not known is told as it is written", () => {
  assert.deepEqual(unknownKey("nmae", ["name"]).facts, { key: "nmae", meant: "name" });
  assert.deepEqual(unknownKey("x", ["name", "status"]).facts, { key: "x", known: ["name", "status"] });
});
