// Words ↔ code, by a scan of the source: every sentence of the catalogue can be filled, and every cause has one who
// makes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../src/cli/catalogue/catalogue.ts";
import { DIAGNOSTICS, type DiagnosticCode } from "../src/spine/diagnostic-codes.ts";
import type { Facts } from "../src/spine/model.ts";
import { OUTCOME_CAUSES } from "../src/spine/rules/outcome-causes.ts";
import { REFUSAL_CODES, type RefusalCode, refusalRow } from "../src/spine/rules/refusals.ts";
import { DIAGNOSTIC_WORDS, diagnosticsText } from "../src/spine/words/causes/diagnostic-words.ts";
import { inWords, REFUSAL_WORDS } from "../src/spine/words/refusals/refusal-words.ts";
import { SERVICE_NOTE_WORDS, serviceNoteText } from "../src/spine/words/remarks/note-words.ts";
import { INAPPLICABLE_WORDS } from "../src/spine/words/steps/inapplicable-words.ts";
import { OUTCOME_WORDS, outcomeText } from "../src/spine/words/steps/outcome-words.ts";
import type { Told } from "../src/spine/words/template.ts";
import { CATALOGUE } from "../src/spine/words/words-catalogue.ts";
import { sources } from "../tools/sources.ts";
import { type Source, sourceOf } from "../tools/tidy/finding.ts";

type Row = { readonly because: Told; readonly next: Told };
const rowOf = (code: RefusalCode): Row => REFUSAL_WORDS[code];

/** The causes of a code; "" where it has one sentence for all. */
const causesOf = ({ because }: Row): readonly string[] => (typeof because === "string" ? [""] : Object.keys(because));

const textOf = (told: Told, cause: string): string => (typeof told === "string" ? told : (told[cause] ?? ""));
const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\{([a-zA-Z0-9]+)(?::[^{}]*)?\}/g), ([, name]) => name ?? "");
const factsFor = (...texts: readonly string[]): Facts =>
  Object.fromEntries(texts.flatMap(namesIn).map((name) => [name, `<${name}>`]));

/** A slot is filled, or the text would show it; `{ env: NAME }` is how a file is written. */
const UNFILLED = /\{\S|\bundefined\b|is not known\)|^$/;

for (const code of REFUSAL_CODES) {
  const row = rowOf(code);
  for (const cause of causesOf(row)) {
    test(`${code}${cause === "" ? "" : `, ${cause},`} reads as whole sentences`, () => {
      const facts = factsFor(textOf(row.because, cause), textOf(row.next, cause));
      const words = inWords({ ...(cause === "" ? {} : { cause }), code, facts, kind: "refusal", ...refusalRow(code) });
      for (const text of Object.values(words)) assert.doesNotMatch(text, UNFILLED);
    });
  }
}

test("what to do next is told for the causes that there are, and for no other", () => {
  const wrong = REFUSAL_CODES.filter((code) => {
    const { because, next } = rowOf(code);
    return typeof next === "object" && (typeof because !== "object" || String(keys(next)) !== String(keys(because)));
  });
  assert.deepEqual(wrong, []);
});
const keys = (told: object): readonly string[] => Object.keys(told).toSorted();

const SRC: readonly Source[] = Array.from(sources(), ([file, text]) => sourceOf(file, text)).filter(
  ({ file }) => file.startsWith("src/") && file.endsWith(".ts") && !file.startsWith("src/spine/words/"),
);
const TEXTS: ReadonlySet<string> = new Set(
  SRC.flatMap(({ code }) => Array.from(code.matchAll(/"([a-z0-9-]+)"/g), ([, text]) => text ?? "")),
);

/** What stands behind `cause` where a code is refused: literals, or a value that is made elsewhere. */
const causesMade = (code: RefusalCode): readonly string[] => {
  const refusing = String.raw`(?:refuse|refuseStated|problem)\(\s*"${code}",\s*(?:at,\s*|place,\s*)?`;
  const made = new RegExp(String.raw`${refusing}(?:\{\s*cause(?::([^,}]*))?[,} ]|\w)`, "g");
  return SRC.flatMap((source) => Array.from(source.code.matchAll(made), ([, cause]) => cause ?? "cause"));
};

/** Codes of the system and of the yaml package are theirs: nothing here spells them. */
const isForeign = (cause: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(cause);
/**
 * A cause, its endings and what it stands under are one: expectations (formats/expectation.ts), marks, failureUnder().
 */
const stemOf = (cause: string): string =>
  cause.replace(/-(?:meant|unmarked|unquoted)$/, "").replace(/^(?:anchor|folder|not-begun)-/, "");

test("every cause of a refusal is made somewhere", () => {
  const idle = REFUSAL_CODES.flatMap((code) => {
    const made = causesMade(code);
    const isNamed = made.some((text) => !text.includes('"'));
    const isMade = (cause: string): boolean =>
      made.some((text) => text.includes(`"${cause}"`)) ||
      (isNamed && (isForeign(stemOf(cause)) || TEXTS.has(cause) || TEXTS.has(stemOf(cause))));
    return causesOf(rowOf(code))
      .filter((cause) => cause !== "" && !isMade(cause))
      .map((cause) => `${code}: ${cause}`);
  });
  assert.deepEqual(idle, []);
});

test("every diagnostic is made somewhere", () => {
  const made = SRC.filter(({ file }) => file !== "src/spine/diagnostic-codes.ts").map(({ code }) => code);
  assert.deepEqual(
    Object.keys(DIAGNOSTICS).filter((code) => !made.some((text) => text.includes(`"${code}"`))),
    [],
  );
});

test("every diagnostic reads as a whole sentence, and every reason why a plan cannot be applied", () => {
  for (const code of Object.keys(DIAGNOSTICS) as readonly DiagnosticCode[]) {
    assert.doesNotMatch(diagnosticsText([{ code, facts: factsFor(DIAGNOSTIC_WORDS[code]) }]), UNFILLED, code);
  }
  for (const text of Object.values(INAPPLICABLE_WORDS)) assert.doesNotMatch(text, UNFILLED);
});

const CAUSES = Object.keys(OUTCOME_CAUSES) as readonly (keyof typeof OUTCOME_CAUSES)[];

test("every cause of an outcome reads as a whole sentence", () => {
  for (const cause of CAUSES) {
    const text = outcomeText({ cause, facts: factsFor(OUTCOME_WORDS[cause]) });
    assert.doesNotMatch(text, UNFILLED, cause);
  }
});

test("everything that a service remarks reads as a whole sentence, and is made somewhere", () => {
  const made = SRC.map(({ code }) => code);
  const isMade = (cause: string): boolean =>
    made.some((code) => code.includes(`"${cause.replace("saved-state-", "")}"`));
  for (const [cause, words] of Object.entries(SERVICE_NOTE_WORDS)) {
    const note = { cause, facts: factsFor(words) } as Parameters<typeof serviceNoteText>[0];
    assert.doesNotMatch(serviceNoteText(note), UNFILLED, cause);
    assert.ok(isMade(cause), cause);
  }
});

test("every cause of an outcome is made somewhere", () => {
  const made = SRC.filter(({ file }) => file !== "src/spine/rules/outcome-causes.ts").map(({ code }) => code);
  assert.deepEqual(
    CAUSES.filter((cause) => !made.some((code) => code.includes(`"${cause}"`))),
    [],
  );
});

/** Every text of the catalogue, to any depth, with where it stands. */
const textsIn = (value: object, at: string): readonly (readonly [string, string])[] =>
  Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === "string" ? [[`${at}.${name}`, one] as const] : textsIn(Object(one), `${at}.${name}`),
  );

/** A door's own spelling: a command of ours, or an option of it. */
const SPELLED = /\bdedalus (?!\.)[a-z]|(?<![\w-])--[a-z]/;

test("no sentence knows how a command line is spelled: next steps are data", () => {
  assert.deepEqual(
    textsIn(CATALOGUE, "words").filter(([, text]) => SPELLED.test(text)),
    [],
  );
  assert.match("Observe again: dedalus observe --env NAME", SPELLED);
  assert.match("narrow the scope (--only)", SPELLED);
});

/** Help, examples and completion are what a command line is; everywhere else a step is spelled from its data. */
const SPELLERS = /^src\/cli\/(?:catalogue\/|commands\/help\.ts|spell\.ts|views\/completion\/)/;

test("no command is written out where it is printed", () => {
  const names = COMMANDS.map(({ name }) => name).join("|");
  const written = new RegExp(String.raw`dedalus (?:${names})\b`);
  assert.deepEqual(
    SRC.filter(({ code, file }) => !SPELLERS.test(file) && written.test(code)).map(({ file }) => file),
    [],
  );
});
