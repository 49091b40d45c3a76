// Where a rule shows itself: the files of src/ that keep it, the tests that try to break it, and where each refusal is
// made. A scan of text; tools/rules.ts asks the tests themselves whether they ran.

import { isRuleId, RULE_IDS, type RuleId } from "../src/spine/rules/invariants.ts";
import { isRefusalCode, REFUSAL_CODES, type RefusalCode, refusalRow } from "../src/spine/rules/refusals.ts";
import { type Source, sourceOf } from "./tidy/finding.ts";

export type Signs = {
  /** Paths, in order. */
  readonly code: ReadonlyMap<RuleId, readonly string[]>;
  readonly tests: ReadonlyMap<RuleId, readonly string[]>;
  readonly refusals: ReadonlyMap<RefusalCode, readonly string[]>;
  readonly refusalTests: ReadonlyMap<RefusalCode, readonly string[]>;
  /** Names that look like rules in negative tests and documents, and are none; with the file. */
  readonly strangers: readonly string[];
};

const ID = String.raw`(?:N\d+|P7-[A-Z]\d+|G\d+|B\d+)`;
const KEEPS = new RegExp(String.raw`\bkeeps\s+(${ID}(?:(?:,\s*|\s+and\s+)${ID})*)`, "gi");
const NEGATIVE = /\bcannot\(\s*"([^"]*)"|\btest\(\s*["'\x60]([A-Z][\w-]*\d) cannot\b/g;
const IDS = new RegExp(String.raw`(?<![\w-])${ID}(?![\w-])`, "g");
/** A code is made wherever it is written as a text and not only compared with. */
const CODES = /(?<![=!]==\s*|\bcase\s+)"([a-z-]+)"/g;

/** Where codes are listed, which makes none of them. */
const CATALOGUE =
  /^src\/(?:boundary\/contract\/statuses|spine\/(?:rules\/refusal-table|words\/(?:[a-z]+\/)?[a-z-]+))\.ts$/;

const joinedLines = (notes: string): string => notes.replace(/\n\s*(?:\/\/|\*)/g, " ");

const kept = ({ notes }: Source): readonly string[] =>
  Array.from(joinedLines(notes).matchAll(KEEPS)).flatMap(([, ids = ""]) => ids.match(IDS) ?? []);

const attacked = ({ code }: Source): readonly string[] =>
  Array.from(code.matchAll(NEGATIVE), ([, first, second]) => first ?? second ?? "");

const refused = ({ code }: Source): readonly RefusalCode[] =>
  Array.from(code.matchAll(CODES), ([, name]) => name).filter(isRefusalCode);

export const signsOf = (files: ReadonlyMap<string, string>): Signs => {
  const all = Array.from(files, ([file, text]) => sourceOf(file, text));
  const src = all.filter(({ file }) => /^src\/.*\.ts$/.test(file) && !CATALOGUE.test(file));
  const registry = all.filter(({ file }) => CATALOGUE.test(file));
  const tests = all.filter(({ file }) => file.startsWith("test/"));
  const docs = all.filter(({ file }) => file.endsWith(".md"));
  const keeps = (source: Source): readonly string[] => [
    ...kept(source),
    ...refused(source).map((code) => refusalRow(code).rule),
  ];
  return {
    code: byKey(RULE_IDS, (id) => [
      ...src.filter((source) => keeps(source).includes(id)),
      ...registry.filter((source) => kept(source).includes(id)),
    ]),
    refusals: byKey(REFUSAL_CODES, (code) => src.filter((source) => refused(source).includes(code))),
    refusalTests: byKey(REFUSAL_CODES, (code) => tests.filter((source) => meets(source, code))),
    strangers: [
      ...tests.flatMap((source) => strange(source, attacked(source))),
      ...src.flatMap((source) => strange(source, kept(source))),
      ...docs.flatMap((source) => strange(source, source.text.match(IDS) ?? [])),
    ],
    tests: byKey(RULE_IDS, (id) => tests.filter((source) => attacked(source).includes(id))),
  };
};

const byKey = <K extends string>(
  keys: readonly K[],
  sourcesOf: (key: K) => readonly Source[],
): ReadonlyMap<K, readonly string[]> =>
  new Map(
    keys.map((key) => [
      key,
      sourcesOf(key)
        .map(({ file }) => file)
        .toSorted(),
    ]),
  );

/** A test names a code as a text of its own; a scenario names it as a word. */
const meets = ({ code: text, file }: Source, code: RefusalCode): boolean =>
  file.endsWith(".ts") ? text.includes(`"${code}"`) : new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text);

const strange = ({ file }: Source, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => !isRuleId(id)).map((id) => `${id} in ${file}`);
