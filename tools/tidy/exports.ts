// Exported names of src/: each means one thing, and each value is used by another file.
//
// A name that is declared in two files sends a reader to the wrong one; a value that no other file imports (a test counts)
// is private, or nobody's.

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
const WHOLE = /\bimport\s*\(\s*"([^"\n]+)"|\*\s+as\s+\w+\s+from\s+"([^"\n]+)"/g;
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
  ...Array.from(
    code.matchAll(WHOLE),
    ({ 1: loaded, 2: starred }) => `${resolved(file, loaded ?? starred ?? "")} ${ALL}`,
  ),
];
