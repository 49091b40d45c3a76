// Habits of a file as a whole: its name, its length, its first line, what it passes on, what it swallows, which
// patterns it would take for ever with, and where a brand may be earned.

import { type Finding, findingAt, lineAt, type Source } from "./finding.ts";
import { importsOf } from "./imports.ts";

const LINES_MAX = 350;
const COLUMNS_MAX = 120;
const VAGUE = ["util", "utils", "types", "manager", "handler", "helper", "helpers", "common", "misc", "index"];

/** Where a value may be called by its brand: where a check has just earned it, or where it holds by construction. */
const BRANDS: Readonly<Record<string, readonly string[]>> = {
  Claim: ["src/kernel/apply/claim.ts"],
  DurableIntent: ["src/kernel/apply/claim.ts"],
  Instant: ["src/clock.ts", "src/formats/fields.ts", "src/spine/values/instant.ts"],
  Sha256: ["src/spine/values/hash.ts", "src/spine/rules/contract.ts", "src/ledger/record/record.ts"],
  Ulid: ["src/ids.ts"],
  Vmid: ["src/spine/plan/plan.ts"],
};

export const habits = (source: Source): readonly Finding[] =>
  /^(?:src|test|tools|bench|integrations)\/.*\.tsx?$/.test(source.file)
    ? [
        ...name(source),
        ...length(source),
        ...wideComments(source),
        ...header(source),
        ...reexports(source),
        ...swallowed(source),
        ...manyWays(source),
        ...brands(source),
      ]
    : [];

const name = (source: Source): readonly Finding[] => {
  const base = source.file.split("/").at(-1) ?? "";
  const vague = base.split(/[-.]/).find((word) => VAGUE.includes(word));
  if (vague !== undefined) {
    return [findingAt("P7-F1", source, 0, `${vague} says nothing about the file`, "Name the file after its one job.")];
  }
  return /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.tsx?$/.test(base)
    ? []
    : [findingAt("P7-F1", source, 0, `${base} is not in kebab-case`, "Write file names in lower case with hyphens.")];
};

const length = (source: Source): readonly Finding[] => {
  const lines = lineAt(source.text, source.text.length) - 1;
  const what = `has ${lines} lines, more than ${LINES_MAX}`;
  return lines <= LINES_MAX ? [] : [findingAt("P7-F1", source, 0, what, "Split it by job.")];
};

/** The formatter breaks code at the same width, and leaves comments and texts alone. */
const wideComments = (source: Source): readonly Finding[] => {
  const notes = source.notes.split("\n");
  return source.text.split("\n").flatMap((line, at) => {
    if (line.length <= COLUMNS_MAX || notes[at]?.trim() === "") return [];
    const what = `has a comment that is ${line.length} columns wide`;
    return [{ file: source.file, instead: "Wrap it.", line: at + 1, rule: "P7-F1", what }];
  });
};

const header = (source: Source): readonly Finding[] => {
  const first = source.text.replace(/^#![^\n]*\n/, "");
  const instead = "Begin with two to six lines: the file's job, what is deliberately not here, the rules it keeps.";
  return first.startsWith("// ") ? [] : [findingAt("P7-F1", source, 0, "has no header", instead)];
};

const reexports = (source: Source): readonly Finding[] =>
  importsOf(source)
    .filter(({ reexport }) => reexport)
    .map(({ at }) =>
      findingAt("P7-F1", source, at, "passes on another file's exports", "Import from the file that has the code."),
    );

/**
 * A repeated group that needs no more than one repeated sign: the same text can be read in as many ways as it can be
 * divided, and one that fits at last nowhere is tried in all of them.
 */
const SIGN = String.raw`(?:\[(?:[^\]\\]|\\.)*\]|\\.|[^\s\\()[\]{}*+?|/])`;
const MANY_WAYS = new RegExp(
  String.raw`\((?:\?:)?(?:${SIGN}[?*])*${SIGN}[+*](?:${SIGN}[?*])*\)(?:[+*]|\{\d+,\d*\})`,
  "g",
);

const manyWays = (source: Source): readonly Finding[] =>
  Array.from(source.text.matchAll(MANY_WAYS), ({ index }) =>
    findingAt(
      "P7-F1",
      source,
      index,
      "has a pattern that reads one text in many ways",
      "Give each repeat its own sign.",
    ),
  );

const EMPTY_CATCH = /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*(?:(?:return|continue|break)\s*;?\s*)?\}/g;
const EMPTY_HANDLER = /\.catch\s*\(\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void\s+0)\s*\)/g;

const swallowed = (source: Source): readonly Finding[] =>
  [EMPTY_CATCH, EMPTY_HANDLER].flatMap((pattern) =>
    Array.from(source.bare.matchAll(pattern), ({ index }) =>
      findingAt("P7-F1", source, index, "swallows an error", "Return what went wrong as a value, or let it rise."),
    ),
  );

const brands = (source: Source): readonly Finding[] => {
  if (!source.file.startsWith("src/")) return [];
  const forged = Object.entries(BRANDS)
    .filter(([, places]) => !places.includes(source.file))
    .flatMap(([brand]) =>
      Array.from(source.bare.matchAll(new RegExp(`\\bas\\s+${brand}\\b|<${brand}>\\s*[\\w(]`, "g")), ({ index }) =>
        findingAt(
          "P7-F1",
          source,
          index,
          `calls a value ${brand} unearned`,
          `Use the check that earns ${brand} (is${brand}).`,
        ),
      ),
    );
  const unlisted = Array.from(source.bare.matchAll(/\btype\s+(\w+)\s*=\s*Brand</g))
    .filter(([, brand = ""]) => !Object.hasOwn(BRANDS, brand))
    .map(({ 1: brand, index }) =>
      findingAt("P7-F1", source, index, `${brand} is a brand that nobody guards`, "List it in tools/tidy/habits.ts."),
    );
  return [...forged, ...unlisted];
};
