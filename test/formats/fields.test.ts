// The rules of single fields, each at its edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  BYTES_MAX,
  CPUS_MAX,
  clip,
  isBytes,
  isCpus,
  isEnvironmentName,
  isName,
  isSha256Text,
  isTag,
  isText,
  parseInstant,
} from "../../src/formats/fields.ts";
import { nearest } from "../../src/spine/values/nearest.ts";

const table = (is: (value: unknown) => boolean, taken: readonly unknown[], refused: readonly unknown[]): void => {
  for (const value of taken) assert.ok(is(value), `taken: ${JSON.stringify(value)}`);
  for (const value of refused) assert.ok(!is(value), `refused: ${JSON.stringify(value)}`);
};

test("a name is visible text of 1 to 255 characters without blanks around it", () => {
  table(
    isName,
    ["a", "web-01", "two words", "größe", "名前", "😀", "😀".repeat(255), "a".repeat(255)],
    [
      "",
      " a",
      "a ",
      "\u00a0a",
      "a\tb",
      "a\nb",
      "a\0",
      "a\u202eb",
      "a\u200bb",
      "\ud800",
      "a".repeat(256),
      101,
      null,
      ["a"],
    ],
  );
});

test("an environment's name is small letters, digits and hyphens, a letter first", () => {
  table(
    isEnvironmentName,
    ["a", "home", "a-1", "constructor", "a".repeat(63)],
    ["", "Home", "1a", "-a", "a_b", "a".repeat(64), "__proto__", "a\n"],
  );
});

test("a text holds 1 to 1000 visible characters, and a tag is as strict as a name", () => {
  table(isText, [" ", "a".repeat(1000), "a b"], ["", "a".repeat(1001), "a\nb", "\udc00", 1]);
  table(isTag, ["prod", "k=v"], [" prod", "prod ", "pr\u200bod", ""]);
});

test("a digest is 64 small hexadecimal digits", () => {
  table(
    isSha256Text,
    ["0".repeat(64), "af".repeat(32)],
    ["0".repeat(63), "0".repeat(65), "AF".repeat(32), "g".repeat(64)],
  );
});

test("sizes are whole numbers within their limits", () => {
  table(isCpus, [1, CPUS_MAX], [0, -1, 1.5, CPUS_MAX + 1, "1", Number.NaN, null]);
  table(isBytes, [1, BYTES_MAX], [0, -1, 0.5, BYTES_MAX + 1, "1", Number.POSITIVE_INFINITY]);
});

test("an instant is cut to milliseconds", () => {
  assert.equal(parseInstant("2026-11-15T10:00:00Z"), "2026-11-15T10:00:00.000Z");
  assert.equal(parseInstant("2026-11-15T10:00:00.1Z"), "2026-11-15T10:00:00.100Z");
  assert.equal(parseInstant("2026-11-15T10:00:00.999999999Z"), "2026-11-15T10:00:00.999Z");
  assert.equal(parseInstant("2024-02-29T23:59:59Z"), "2024-02-29T23:59:59.000Z");
});

test("an instant that no calendar has, or that is not in UTC, is not read", () => {
  const refused = [
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01T00:00:00z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.0000000000Z",
    "2026-01-01",
    "",
  ];
  for (const text of refused) assert.equal(parseInstant(text), undefined, text);
});

test("every instant of the platform is read back as it is", () => {
  const min = new Date("0000-01-01T00:00:00.000Z");
  const max = new Date("9999-12-31T23:59:59.999Z");
  fc.assert(
    fc.property(fc.date({ max, min, noInvalidDate: true }), (date) => {
      assert.equal(parseInstant(date.toISOString()), date.toISOString());
    }),
  );
});

test("the nearest word forgives slips and not other words", () => {
  const known = ["vmid", "name", "target", "stop", "cpus", "memory", "vms"];
  const slips = { NAME: "name", cpu: "cpus", memroy: "memory", nmae: "name", taget: "target", vmdi: "vmid" };
  for (const [word, meant] of Object.entries(slips)) assert.equal(nearest(word, known), meant, word);
  for (const word of ["", "x", "disk", "os", "a".repeat(100_000)]) assert.equal(nearest(word, known), undefined, word);
  assert.equal(nearest("stop", known), "stop");
});

test("a long text is clipped, and stays in one piece", () => {
  assert.equal(clip("a".repeat(41)).length, 40);
  assert.ok(clip(`${"a".repeat(38)}😀😀`).isWellFormed());
});
