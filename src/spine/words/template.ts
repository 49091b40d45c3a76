// Sentences as templates: a text with names in braces, filled from facts. Data alone, so that a catalogue of them can
// be stored, and the very text that somebody was shown can be rendered again.
//
// `{name}` is a fact as it is, `{name:bytes}` a size in the largest exact unit, `{name:span}` seconds in a person's
// unit, `{name:instant}` a time to the second, `{name:shell}` a file as one word for a shell, whatever is in it,
// `{name:commas}` a list as options take it, `{name:written}` an action as files spell it, `{name:one|many}` the number
// with its noun, `{name:code=words|code=words}` the words of a closed word, `{name:as other}` in quotes where the fact
// `other` says that it is a text, `{name:@ on }` pairs such as `right@path` with these words between them. Which facts
// a template needs is known to the compiler.
//
// A fact that is an action by its name is shown as people call it, here, where it is still a fact: nothing rewrites a
// text that has been composed, since a VM or a folder may be called `vm.stop` too.

import type { Fact, Facts } from "../model.ts";
import { actionText } from "../rules/action-text.ts";
import { fileWord } from "../values/shell.ts";

/** By the cause where one code has several. */
export type Told = string | Readonly<Record<string, string>>;

export type RefusalWords = {
  /** Constant, and holds no names, so that it is recognised the second time. */
  readonly summary: string;
  /** Causes that have a summary of their own, in the place of that of the code. */
  readonly summaries?: Readonly<Record<string, string>>;
  readonly because: Told;
  /** Absent where nobody would learn from it. */
  readonly why?: string;
  /** What would have to be true; it proposes no choice. */
  readonly next: Told;
};

/** Braces with a blank behind them are no fact, but a text that somebody writes: `{ env: NAME }`. */
type Bare<Name extends string> = Name extends ` ${string}`
  ? never
  : Name extends `${infer Before}:as ${infer Other}`
    ? Before | Other
    : Name extends `${infer Before}:${string}`
      ? Before
      : Name;
/** The facts that a template names. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Bare<Name> | NamesIn<Rest>
  : never;

/** The same of a text that the compiler does not know. */
export const namedIn = (template: string): readonly string[] =>
  Array.from(template.matchAll(/\{([a-zA-Z0-9]+)(?::(?:as ([a-zA-Z0-9]+)|[^{}]+))?\}/g), ([, name, as]) => [name, as])
    .flat()
    .filter((name) => name !== undefined);

/** For no case in particular: each fact by its name, in capital letters. */
export const unfilled = (template: string): string =>
  template.replace(/\{([a-zA-Z0-9]+)(?::[^{}]+)?\}/g, (_, name: string) => name.toUpperCase());

const TEMPLATE_WORDS = { absent: "({name} is not known)" } as const;

/** A fact that is absent is shown as such: words must not fail where something failed already. */
export const filled = (template: string, facts: Facts): string =>
  template.replace(/\{([a-zA-Z0-9]+)(?::([^{}]+))?\}/g, (_, name: string, form: string | undefined) => {
    const fact = facts[name];
    if (fact === undefined) return filled(TEMPLATE_WORDS.absent, { name });
    if (form?.startsWith(AS)) return facts[form.slice(AS.length)] === "text" ? quoted(fact) : plain(fact);
    return shown(form === "written" ? fact : ofItsKind(name, fact), form);
  });

/** What was said follows the sentence, unless the sentence itself has a place for it. */
export const filledWithSaid = (template: string, facts: Facts): string => {
  const text = filled(template, facts);
  const { said } = facts;
  return said === undefined || template.includes("{said") ? text : `${text}: ${plain(said)}`;
};

/** The facts that are actions, by their name; one of `tightens` is an action and, behind an @, what becomes of it. */
const ACTION_FACTS: Readonly<Record<string, (item: string) => string>> = {
  action: actionText,
  actions: actionText,
  approved: actionText,
  refused: actionText,
  tightens: (item) => item.replace(/^[^@]*/, actionText),
};

const ofItsKind = (name: string, fact: Fact): Fact => {
  const textOf = Object.hasOwn(ACTION_FACTS, name) ? ACTION_FACTS[name] : undefined;
  if (textOf === undefined) return fact;
  if (typeof fact === "object") return fact.map((item) => textOf(String(item)));
  return typeof fact === "string" ? textOf(fact) : fact;
};

const shown = (fact: Fact, form: string | undefined): string => {
  if (form === undefined || form === "written") return plain(fact);
  if (form === "bytes") return typeof fact === "number" ? bytesText(fact) : plain(fact);
  if (form === "instant") return plain(fact).replace(/^(\S{10})T([0-9:]{8})(?:\.\d+)?Z$/, "$1 $2Z");
  if (form === "shell") return fileWord(plain(fact));
  if (form === "span") return typeof fact === "number" ? spanText(fact) : plain(fact);
  if (form === "commas") return typeof fact === "object" ? fact.join(",") : plain(fact);
  if (form.startsWith("@")) return plain(eachOf(fact, (item) => item.replace(/@(?=[^@]*$)/, form.slice(1))));
  if (form.includes("=")) return plain(eachOf(fact, (item) => wordsFor(item, form)));
  const [one = "", many = ""] = form.split("|");
  return `${plain(fact)} ${fact === 1 ? one : many}`;
};

const eachOf = (fact: Fact, shownAs: (item: string) => string): readonly string[] =>
  (typeof fact === "object" ? fact : [fact]).map((item) => shownAs(String(item)));

/** A word without words of its own is shown as it is. */
const wordsFor = (code: string, form: string): string => {
  const entry = form.split("|").find((one) => one.startsWith(`${code}=`));
  return entry === undefined ? code : entry.slice(code.length + 1);
};

const AS = "as ";
const quoted = (fact: Fact): string => `"${plain(fact).replaceAll('"', '\\"')}"`;
const plain = (fact: Fact): string => (typeof fact === "object" ? fact.join(", ") : String(fact));

const SPANS = [
  { name: "days", seconds: 24 * 60 * 60 },
  { name: "hours", seconds: 60 * 60 },
  { name: "minutes", seconds: 60 },
] as const;

/** A span of time in the unit that a person would use. */
export const spanText = (seconds: number): string => {
  const unit = SPANS.find((one) => seconds >= 2 * one.seconds);
  return unit === undefined ? `${Math.round(seconds)} s` : `${Math.round(seconds / unit.seconds)} ${unit.name}`;
};

export const BYTE_UNITS = [
  ["TiB", 2 ** 40],
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
] as const;

/** Exact: the largest unit that divides it, bytes otherwise. */
export const bytesText = (bytes: number): string => {
  const unit = BYTE_UNITS.find(([, size]) => bytes >= size && bytes % size === 0);
  return unit === undefined ? `${bytes} bytes` : `${bytes / unit[1]} ${unit[0]}`;
};
