// Exported names of src/: each means one thing, and each value is used by another file.
//
// A name that is declared in two files sends a reader to the wrong one; a value that no other file imports (a test
// counts) is private, or nobody's.

import { type Finding, findingAt, type Source } from "./finding.ts";
import { resolved } from "./imports.ts";

type Declared = { readonly at: number; readonly name: string; readonly source: Source };

const DECLARATION = /^export (?:async )?(?:const|type|function\*?|class|interface) ([A-Za-z_$][\w$]*)/gm;
const NAMED = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"([^"\n]+)"/g;

const declaredIn = (source: Source): readonly Declared[] =>
  source.file.startsWith("src/")
    ? Array.from(source.bare.matchAll(DECLARATION), ({ 1: name = "", index }) => ({ at: index, name, source }))
    : [];

/** `run` is what every command is called by. */
const TWICE: ReadonlySet<string> = new Set(["run"]);

export const sharedNames = (sources: readonly Source[]): readonly Finding[] => {
  const all = Map.groupBy(sources.flatMap(declaredIn), ({ name }) => name);
  const twice = Array.from(all).filter(([, list]) => new Set(list.map(({ source }) => source.file)).size > 1);
  return twice
    .filter(([name]) => !TWICE.has(name))
    .flatMap(([name, [first, ...others]]) =>
      others.map(({ at, source }) =>
        findingAt(
          "P7-F1",
          source,
          at,
          `${name} is exported by ${first?.source.file} too`,
          "One of the two means something else: name it after that.",
        ),
      ),
    );
};

/** Names on the list that mean one thing by now. */
export const settledNames = (sources: readonly Source[]): readonly string[] => {
  const names = sources.flatMap(declaredIn).map(({ name }) => name);
  return [...TWICE].filter((name) => names.indexOf(name) === names.lastIndexOf(name));
};

const VALUE = /^export (?:async )?(?:const|function\*?|class) ([A-Za-z_$][\w$]*)/gm;
const LOADED = /\bimport\s*\(\s*"([^"\n]+)"\s*,?\s*\)/g;
const WHOLE = /\*\s+as\s+\w+\s+from\s+"([^"\n]+)"/g;
/** What an `import()` site takes, where it can be seen there: by name, or in braces behind or before it. */
const MEMBER = /^\s*\)\s*\.\s*([A-Za-z_$][\w$]*)/;
const THEN = /^\s*\.then\(\s*(?:async\s*)?\(\s*\{([^{}]*)\}\s*\)/;
const TAKEN = /\b(?:const|let)\s+\{([^{}]*)\}\s*=\s*await\s+$/;
const AWAITED = /\(\s*await\s+$/;
const ALL = "*";

/** A type may be exported so that a signature can be read; a value that nobody imports is private, or nobody's. */
export const unusedExports = (sources: readonly Source[]): readonly Finding[] => {
  const used = new Set(sources.flatMap(usesIn));
  return sources
    .filter(({ file }) => file.startsWith("src/"))
    .flatMap((source) =>
      Array.from(source.bare.matchAll(VALUE))
        .filter(({ 1: name = "" }) => ![name, ALL].some((one) => used.has(`${source.file} ${one}`)))
        .map(({ 1: name = "", index }) =>
          findingAt(
            "P7-F1",
            source,
            index,
            `${name} is exported, and no file imports it`,
            "Make it private, or delete it.",
          ),
        ),
    );
};

const usesIn = ({ code, file }: Source): readonly string[] => [
  ...Array.from(code.matchAll(NAMED)).flatMap(({ 1: names = "", 2: from = "" }) =>
    names.split(",").map(
      (one) =>
        `${resolved(file, from)} ${
          one
            .trim()
            .replace(/^type\s+/, "")
            .split(/\s/)[0]
        }`,
    ),
  ),
  ...Array.from(code.matchAll(WHOLE), ({ 1: from = "" }) => `${resolved(file, from)} ${ALL}`),
  ...Array.from(code.matchAll(LOADED)).flatMap(({ 0: { length }, 1: from = "", index }) =>
    takenAt(code.slice(0, index), code.slice(index + length)).map((name) => `${resolved(file, from)} ${name}`),
  ),
];

/** Where it cannot be seen, all of them. */
const takenAt = (before: string, behind: string): readonly string[] => {
  const member = AWAITED.test(before) ? MEMBER.exec(behind)?.[1] : undefined;
  if (member !== undefined) return [member];
  const braces = TAKEN.exec(before)?.[1] ?? THEN.exec(behind)?.[1];
  if (braces === undefined || braces.includes("...")) return [ALL];
  return braces
    .split(",")
    .map((one) => one.trim().split(/[\s:=]/)[0] ?? "")
    .filter((name) => name !== "");
};
