// Ways to spoil a text: each takes one and gives another, by chance.
//
// They work on characters and tokens and know no format, so that they reach what a generator of the format would not.

import type { Chance } from "./chance.ts";

/** `other` is a second seed to take pieces from. */
export type Mutation = (text: string, chance: Chance, other: string) => string;

/** Control, invisible, misleading, half, huge: what editors, copies and attackers leave in files. */
const STRANGE = [
  "\0",
  "\t",
  "\r",
  "\r\n",
  "\n",
  "\x1b[31m",
  "\x07",
  "\x7f",
  "\x85",
  "\x9b",
  "\u00a0",
  "\u200b",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "\ud800",
  "\udc00",
  "\ud83d\ude00",
  "e\u0301",
  "\u0130",
  "İ",
  "ﬁ",
  "\u{10ffff}",
] as const;

/** Pieces of both languages that mean something somewhere. */
const TOKENS = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ": ",
  ",",
  "-",
  "- ",
  "? ",
  "|",
  ">",
  "|2-\n",
  "&a ",
  "*a",
  "<<: *a\n",
  "!!str ",
  "!x ",
  "%YAML 1.1\n",
  "---\n",
  "...\n",
  "#",
  " #",
  '"',
  "'",
  "\\",
  "\\u0000",
  "\\ud800",
  "\\x1b",
  "\\u009b",
  "\\U0010ffff",
  "null",
  "~",
  "true",
  "yes",
  "NaN",
  ".inf",
  "0x1f",
  "0o17",
  "1_000",
  "-0",
  "1e400",
  "9007199254740993",
  "1".repeat(400),
  "0.1",
  "-1",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  '"__proto__":{},',
  "vmid: 101\n",
  '"vmid":101,',
  "version: 1\n",
  '"version":1,',
  "2 GB",
  "prod-",
  "\n  ",
  "\n\t",
  "/*",
  "//",
] as const;

const within = (text: string, chance: Chance): number => chance.below(text.length + 1);

const span = (text: string, chance: Chance): readonly [number, number] => {
  const from = within(text, chance);
  return [from, Math.min(text.length, from + 1 + chance.below(chance.oneIn(3) ? text.length + 1 : 12))];
};

const inserted = (text: string, at: number, piece: string): string => text.slice(0, at) + piece + text.slice(at);

const BRACKETS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ["[", "]"],
  ["{a: ", "}"],
  ['{"a":', "}"],
  ["- ", ""],
  ["? ", ""],
  ["[{", "}]"],
];

const nested = (chance: Chance): string => {
  const depth = chance.pick([10, 63, 64, 65, 70, 300, 5_000]);
  const [open, close] = chance.pick(BRACKETS);
  return open.repeat(depth) + (chance.oneIn(3) ? "" : close.repeat(depth));
};

const bomb = (chance: Chance): string => {
  const levels = 3 + chance.below(20);
  const lines = Array.from({ length: levels }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  return ["a0: &a0 [x,x,x]", ...lines].join("\n");
};

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // A flipped bit.
  (text, chance) => {
    const at = within(text, chance);
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) return text;
    return (
      text.slice(0, at) + String.fromCharCode(code ^ (1 << chance.below(chance.oneIn(4) ? 16 : 7))) + text.slice(at + 1)
    );
  },
  (text, chance) => inserted(text, within(text, chance), chance.pick(STRANGE)),
  (text, chance) => inserted(text, within(text, chance), chance.pick(TOKENS)),
  (text, chance) =>
    inserted(
      text,
      within(text, chance),
      chance.pick(TOKENS).repeat(1 + chance.below(chance.oneIn(10) ? (chance.oneIn(20) ? 100_000 : 3_000) : 30)),
    ),
  (text, chance) => {
    const [from, to] = span(text, chance);
    return text.slice(0, from) + text.slice(to);
  },
  (text, chance) => {
    const [from, to] = span(text, chance);
    return inserted(text, to, text.slice(from, to).repeat(1 + chance.below(chance.oneIn(20) ? 100 : 3)));
  },
  (text, chance, other) => {
    const [from, to] = span(other, chance);
    return inserted(text, within(text, chance), other.slice(from, to));
  },
  (text, chance) => text.slice(0, within(text, chance)),
  // A number becomes another one.
  (text, chance) => {
    const found = [...text.matchAll(/\d+/g)];
    const one = found[chance.below(found.length)];
    if (one === undefined) return text;
    const number = chance.pick([
      "0",
      "-1",
      "1",
      "102",
      "103",
      "1.5",
      "1e3",
      "1e400",
      "999999999",
      "1000000000",
      "9007199254740993",
      '"101"',
      "null",
    ]);
    return text.slice(0, one.index) + number + text.slice(one.index + one[0].length);
  },
  // Words change places, so that known words stand at the wrong keys.
  (text, chance) => {
    const found = [...text.matchAll(/[A-Za-z_.-]{2,}/g)];
    const [one, two] = [found[chance.below(found.length)], found[chance.below(found.length)]];
    if (one === undefined || two === undefined) return text;
    return text.slice(0, one.index) + two[0] + text.slice(one.index + one[0].length);
  },
  (text, chance) => {
    const lines = text.split("\n");
    const at = chance.below(lines.length);
    const line = lines[at] ?? "";
    return lines
      .toSpliced(chance.below(lines.length), chance.below(2), ...Array<string>(1 + chance.below(3)).fill(line))
      .join("\n");
  },
  (text, chance) => inserted(text, within(text, chance), nested(chance)),
  (text, chance) => chance.pick([`${bomb(chance)}\n${text}`, `${text}\n${bomb(chance)}\n`]),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("  ", "\t"),
  (text, chance) =>
    Array<string>(2 + chance.below(4))
      .fill(text)
      .join(chance.pick(["---\n", "\n...\n", "", "\n", ","])),
  (text, chance) => `${chance.pick(["\ufeff", "%YAML 1.2\n---\n", "--- ", "# x\n", "!!map ", " "])}${text}`,
];

/** Usually one change, now and then many. */
export const mutated: Mutation = (text, chance, other) => {
  let result = text;
  for (let left = 1 + (chance.oneIn(3) ? chance.below(6) : 0); left > 0; left -= 1) {
    result = chance.pick(MUTATIONS)(result, chance, other);
  }
  return result.slice(0, LENGTH_MAX);
};

/** Long enough to show a cost that grows with the square of the length or is heavy for each mistake. */
const LENGTH_MAX = 200_000;
