// Reading JSON: what JSON.parse says, less everything that could mean two things, and each flaw at its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayRepeatKey, membersWritten } from "../../src/formats/json/json-members.ts";
import { misfitProblems } from "../../src/formats/json/json-position.ts";
import { scan } from "../../src/formats/json/json-scan.ts";
import { misfit } from "../../src/formats/json/json-shape.ts";
import { parseJson } from "../../src/formats/json/json-text.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";

const said = (parsed: Parsed<unknown>): readonly string[] =>
  parsed.kind === "ok" ? [] : parsed.problems.map(({ at, code }) => `${at.line}:${at.column} ${at.field} ${code}`);
const flawsOf = (text: string): readonly string[] => said(parseJson(text, "a.json"));

const FLAWS: Readonly<Record<string, readonly string[]>> = {
  "": ["1:1  file-empty"],
  " \n\t\r\n ": ["1:1  file-empty"],
  "[1,\n 2,\n]": ["3:1 [2] text-malformed"],
  '{"a": 1': ["1:8  text-malformed"],
  '{\n  "a": tru\n}': ["2:8 a text-malformed"],
  '{"a" 1}': ["1:6 a text-malformed"],
  "{a: 1}": ["1:2  text-malformed"],
  "{,}": ["1:2  text-malformed"],
  "[01]": ["1:3  text-malformed"],
  "[1.]": ["1:3  text-malformed"],
  "[NaN]": ["1:2 [0] text-malformed"],
  "1 2": ["1:3  text-malformed"],
  '"\\x"': ["1:2  text-malformed"],
  '"\\u00g0"': ["1:2  text-malformed"],
  '"a\nb"': ["1:3  text-malformed"],
  '"a': ["1:3  text-malformed"],
  "['a']": ["1:2 [0] text-malformed"],
  '{"a": 1,\r\n "a": 2}': ["2:2 a key-duplicate"],
  '{"a": {"b": 1, "b": 2}, "c": [{"d": 1, "d": 2, "d": 3}]}': [
    "1:16 a.b key-duplicate",
    "1:40 c[0].d key-duplicate",
    "1:48 c[0].d key-duplicate",
  ],
  '{"status": 1, "st\\u0061tus": 2}': ["1:15 status key-duplicate"],
  '{"a" : 1, "b":{}, "a"\n:2}': ["1:19 a key-duplicate"],
  '{"\\"": 1, "\\u0022": 2}': ['1:2 ["\\""] text-malformed', '1:11 ["\\""] key-duplicate'],
  '{"": 1, "": 2}': ['1:9 [""] key-duplicate'],
  '{"__proto__": 1, "__proto__": 2}': ["1:18 __proto__ key-duplicate"],
  '{"st\\u0061tus": 1}': ["1:2 status text-malformed"],
  '{"a": "\\n", "\\n": 1}': ['1:13 ["\\n"] text-malformed'],
  '{"a": {"x": 1}, "a": 2}': ["1:17 a key-duplicate"],
  '{"a": 1, "a": 2,}': ["1:10 a key-duplicate", "1:17  text-malformed"],
  '{"a": "\\ud800"}': ["1:7 a text-malformed"],
  '["\\uDC00\\uD800"]': ["1:2 [0] text-malformed"],
  '{"\\ud83d": 1}': ["1:2  text-malformed", '1:2 ["\ufffd"] text-malformed'],
  '["\ud800"]': ["1:2 [0] text-malformed"],
};

for (const [text, expected] of Object.entries(FLAWS)) {
  test(`the flaws of ${JSON.stringify(text)} have their places`, () => assert.deepEqual(flawsOf(text), expected));
}

test("what looks like a flaw inside a text is none", () => {
  const texts = [
    '{"a": "\\"a\\": 1, \\"a\\": 2"}',
    '{"a": "b", "b": "a\\\\"}',
    '["a:", ":", "\\\\\\":"]',
    '{"a": "\\ud83d\\ude00"}',
  ];
  for (const text of texts) {
    assert.deepEqual(parseJson(text, "a.json"), { kind: "ok", value: JSON.parse(text) });
  }
});

test("the same key in two objects is no duplicate", () => {
  assert.deepEqual(flawsOf('[{"a": {"a": 1}}, {"a": 2}]'), []);
});

test("members are not counted in a text that is not closed", () => {
  for (const text of ['"', '{"a": "', '["a\\"']) assert.equal(membersWritten(text), Number.NaN);
});

test("a byte order mark is skipped and is no column", () => {
  assert.deepEqual(parseJson("\ufeff[1]", "a.json"), { kind: "ok", value: [1] });
  assert.deepEqual(flawsOf("\ufeff[1,]"), ["1:4 [1] text-malformed"]);
  assert.deepEqual(flawsOf("\ufeff\ufeff[1]"), ["1:1  text-malformed"]);
});

test("a text past the limit is turned away unread", () => {
  assert.deepEqual(said(parseJson('"éé"', "a.json", 5)), ["1:1  file-too-large"]);
  assert.deepEqual(said(parseJson('"éé"', "a.json", 6)), []);
});

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test("nesting is followed to 64 levels and no further, however deep it goes", () => {
  assert.deepEqual(flawsOf(nested(64)), []);
  const bottomless = [nested(65), nested(100_000), "[".repeat(100_000), '{"a":'.repeat(100_000)];
  for (const text of bottomless) {
    const [first, ...rest] = flawsOf(text);
    assert.match(first ?? "", /text-malformed$/);
    assert.deepEqual(rest, []);
  }
});

/** A text with blanks everywhere and keys in several spellings, what it means, and what speaks against it. */
type Written = { readonly text: string; readonly means: unknown; readonly repeats: boolean; readonly escapes: boolean };

const blank = fc.constantFrom("", "", " ", "\n", "\t \r\n");
const plainKeys = ["a", "b", "a:", "", "é", "1", "{", "__proto__"].map((key) => [JSON.stringify(key), key] as const);
const escapedKeys = ['"\\u0061"', '"\\""', '"\\u0022"', '"\\\\"', '"\\\\\\""'].map(
  (spelt) => [spelt, undefined] as const,
);
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...plainKeys), weight: 7 },
  { arbitrary: fc.constantFrom(...escapedKeys), weight: 1 },
);
const leaves = [1, -500, null, true, "a", '":', ":", "\\", '\\":', '":":":', "é{["].map(
  (means) => [JSON.stringify(means), means] as const,
);

const any = (parts: readonly Written[], flag: "repeats" | "escapes"): boolean => parts.some((part) => part[flag]);
const { value: written } = fc.letrec<{ value: Written; object: Written; array: Written; leaf: Written }>((tie) => ({
  array: fc.tuple(fc.array(tie("value"), { maxLength: 3 }), blank).map(([items, space]) => ({
    escapes: any(items, "escapes"),
    means: items.map(({ means }) => means),
    repeats: any(items, "repeats"),
    text: `[${space}${items.map(({ text }) => text).join(`${space},`)}]`,
  })),
  leaf: fc.constantFrom(...leaves).map(([text, means]) => ({ escapes: false, means, repeats: false, text })),
  object: fc.tuple(fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }), blank).map(([members, space]) => {
    const parts = members.map(([, part]) => part);
    const keys = members.map(([[spelt]]) => JSON.parse(`[${spelt}]`)[0]);
    const texts = members.map(([[spelt], { text }]) => `${spelt}${space}:${space}${text}`);
    return {
      escapes: any(parts, "escapes") || members.some(([[, plain]]) => plain === undefined),
      means: Object.fromEntries(members.map(([[, plain], { means }]) => [plain, means])),
      repeats: any(parts, "repeats") || new Set(keys).size < keys.length,
      text: `{${space}${texts.join(`,${space}`)}${space}}`,
    };
  }),
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("object"), tie("array")),
}));

test("a repeated key is found exactly when there is one", () => {
  const counts = { repeats: 0, unique: 0 };
  fc.assert(
    fc.property(written, ({ repeats, text }) => {
      counts[repeats ? "repeats" : "unique"] += 1;
      const codes = scan(text, () => undefined).map(({ refusal }) => refusal.code);
      assert.equal(codes.includes("key-duplicate"), repeats, text);
      const parsed = parseJson(text, "a.json");
      assert.equal(
        parsed.kind === "bad" && parsed.problems.some(({ code }) => code === "key-duplicate"),
        repeats,
        text,
      );
    }),
    { numRuns: 1000 },
  );
  assert.ok(counts.repeats > 20 && counts.unique > 20, JSON.stringify(counts));
});

test("a text is read for what it means exactly when nothing speaks against it", () => {
  const counts = { clean: 0, doubtful: 0 };
  fc.assert(
    fc.property(written, ({ escapes, means, repeats, text }) => {
      const isDoubtful = escapes || repeats;
      counts[isDoubtful ? "doubtful" : "clean"] += 1;
      const doubts = mayRepeatKey(text, JSON.parse(text));
      // A colon in a key is one more than the value holds: a doubt that the exact scan dispels.
      assert.ok(doubts === isDoubtful || (doubts && text.includes('"a:"')), text);
      const parsed = parseJson(text, "a.json");
      assert.equal(parsed.kind, isDoubtful ? "bad" : "ok", text);
      if (parsed.kind === "ok") assert.deepEqual(parsed.value, means);
    }),
    { numRuns: 1000 },
  );
  assert.ok(counts.clean > 20 && counts.doubtful > 20, JSON.stringify(counts));
});

const PIECES = [...'{}[]",:\\0123-+.eEtrufalsn \n\tx/b\u0001é'];
const edit = fc.tuple(fc.nat(), fc.constantFrom(...PIECES, ""), fc.nat({ max: 1 }));
const edited = fc.tuple(written, fc.array(edit, { maxLength: 3 })).map(([{ text }, edits]) =>
  edits.reduce((before, [at, piece, cut]) => {
    const offset = at % (before.length + 1);
    return before.slice(0, offset) + piece + before.slice(offset + cut);
  }, text),
);

const ESCAPED = "key-escaped";

test("apart from escapes in keys, a text is malformed exactly when JSON.parse says so", () => {
  const counts = { broken: 0, whole: 0 };
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(edited, (text) => {
      const isWhole = isJson(text);
      counts[isWhole ? "whole" : "broken"] += 1;
      const broken = scan(text, () => undefined).filter(
        ({ refusal }) => refusal.code === "text-malformed" && refusal.cause !== ESCAPED,
      );
      assert.equal(broken.length, isWhole ? 0 : 1, text);
      if (!isWhole) assert.equal(parseJson(text, "a.json").kind, "bad", text);
    }),
    { numRuns: 1500 },
  );
  assert.ok(counts.broken > 20 && counts.whole > 20, JSON.stringify(counts));
});

const TEST = refuse("value-wrong", { cause: "resize-empty" });

const offsetOf = (text: string, line: number, column: number): number =>
  text.split("\n", line - 1).reduce((offset, before) => offset + before.length + 1, column - 1);

test("a field is found where its value stands", () => {
  const value = fc.array(fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string()), { maxKeys: 4 }), {
    maxLength: 4,
    minLength: 1,
  });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, "\t"), (items, indent) => {
      const text = JSON.stringify({ items }, null, indent);
      const seen: [field: string, value: unknown][] = [];
      scan(text, (field, _, at) => seen.push([field, at]));
      for (const [field, at] of seen) {
        const [{ at: position }] = misfitProblems(text, "a.json", [misfit(field, TEST)]);
        assert.equal(offsetOf(text, position.line, position.column), at);
      }
      const leaves = items.flatMap((item) => Object.values(item)).map((leaf) => JSON.stringify(leaf));
      const found = seen.map(([, at]) => text.slice(Number(at))).filter((rest) => !/^[[{]/.test(rest));
      assert.equal(found.length, leaves.length);
      for (const [index, leaf] of leaves.entries()) assert.ok(found[index]?.startsWith(leaf), text);
    }),
    { numRuns: 200 },
  );
});

test("problems come in the order of the text, each with the position it asks for", () => {
  const text = '{\n  "b": [10,\n    20],\n  "a": 1\n}';
  const at = (field: string, on: "key" | "value") => ({ ...misfit(field, TEST), on });
  const problems = misfitProblems(text, "a.json", [
    at("a", "key"),
    at("b[1]", "value"),
    at("b", "value"),
    at("", "key"),
  ]);
  assert.deepEqual(
    problems.map(({ at: { column, field, line } }) => `${line}:${column} ${field}`),
    ["1:1 ", "2:8 b", "3:5 b[1]", "4:3 a"],
  );
});
