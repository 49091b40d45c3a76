// Canonical JSON against RFC 8785: its own vectors as literals, and a reference implementation by chance.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonical, canonicalPieces, type Json } from "../../src/spine/values/canonical.ts";
import { canonicalText } from "./reference.ts";

/** RFC 8785, Appendix B: the IEEE 754 bits of a number and its JSON text. */
const NUMBERS = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
] as const;

const doubleOf = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE(0);

test("numbers are written as in RFC 8785, Appendix B", () => {
  for (const [bits, text] of NUMBERS) assert.equal(canonical(doubleOf(bits)), text);
});

test("numbers that JSON cannot hold have no canonical form", () => {
  for (const bits of ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"]) {
    assert.throws(() => canonical(doubleOf(bits)), RangeError);
  }
});

test("a text with a lone surrogate has no canonical form, as value and as key", () => {
  assert.throws(() => canonical("\ud800"), RangeError);
  assert.throws(() => canonical({ "\udead": 1 }), RangeError);
  assert.equal(canonical("\ud83d\ude00"), '"\u{1f600}"');
});

test("keys are sorted by UTF-16 code units, as in RFC 8785, section 3.2.3", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  assert.equal(
    canonical(value),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
      '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

test("the sample of RFC 8785, section 3.2.2, has the bytes of section 3.2.4", () => {
  const value: Json = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`);
  const hex =
    "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333" +
    "333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c22" +
    "5c5c5c5c5c222f227d";
  assert.equal(Buffer.from(canonical(value), "utf8").toString("hex"), hex);
});

const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });

test("any JSON value has the bytes that a reference implementation gives it", () => {
  fc.assert(
    fc.property(json, (value) => {
      assert.equal(canonical(value), canonicalText(value));
    }),
    { numRuns: 500 },
  );
});

const isPlainKey = (key: string): boolean => JSON.stringify(key) === `"${key}"`;
const hasPlainKeys = (value: Json): boolean =>
  typeof value !== "object" ||
  value === null ||
  ((Array.isArray(value) || Object.keys(value).every(isPlainKey)) && Object.values(value).every(hasPlainKeys));

// Node's own JSON.parse can misread a key with an escape after it has read another text; formats/json/json-text.ts
// refuses such.
test("canonical text is read back as the same value, and is its own canonical form", () => {
  fc.assert(
    fc.property(json.filter(hasPlainKeys), (value) => {
      const text = canonical(value);
      assert.equal(canonical(JSON.parse(text)), text);
    }),
    { numRuns: 200 },
  );
});

test("a member that is undefined is left out", () => {
  assert.equal(canonical({ a: undefined, b: 1 }), '{"b":1}');
});

test("pieces joined are the list without its brackets, wherever the seams fall", () => {
  for (const length of [0, 1, 511, 512, 513, 1024, 1030]) {
    const list = Array.from({ length }, (_, at) => ({ at }));
    const joined = [...canonicalPieces(list, (member) => member)].join("");
    assert.equal(`[${joined}]`, canonical(list));
  }
});
