// What a rule of a field expects, as a cause with facts; and a value that was found instead, in few characters.
//
// Not here: the words (spine/words/causes/expectation-words.ts), where the value stands (problem.ts).

import type { Fact, Facts, Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { visible } from "../spine/values/invisible.ts";
import { nearest } from "../spine/values/nearest.ts";
import type { FailureIn } from "../spine/words/cause.ts";
import type { EXPECTATIONS } from "../spine/words/causes/expectation-words.ts";
import { clip } from "./fields.ts";

export type Expectation = FailureIn<typeof EXPECTATIONS>;

export type Guess = FailureIn<{
  readonly [K in keyof typeof EXPECTATIONS as `${K}-meant`]: (typeof EXPECTATIONS)[K];
}> & {
  readonly facts: { readonly meant: Fact };
};
export type Unquoted = FailureIn<{
  readonly [K in keyof typeof EXPECTATIONS as `${K}-unquoted`]: (typeof EXPECTATIONS)[K];
}>;

// The compiler does not follow one cause of a union into its name with an ending.
const ended = (ending: string, { cause, facts }: Expectation, more: Facts): object => ({
  cause: `${cause}${ending}`,
  facts: { ...facts, ...more },
});
/** The same expectation, and what somebody probably meant. */
export const guessed = (expected: Expectation, meant: string | number): Guess =>
  ended("-meant", expected, { meant }) as Guess;
/** The same expectation of a value that only lacks its quotes. */
export const unquoted = (expected: Expectation): Unquoted => ended("-unquoted", expected, {}) as Unquoted;

export const wholeNumber = (min: number, max: number): Expectation => ({ cause: "integer", facts: { max, min } });
export const suchAs = (
  cause: "address" | "token" | "user" | "user-or-token",
  ...examples: readonly string[]
): Expectation => ({ cause, facts: { examples } });
export const oneOfWords = (words: readonly string[]): Expectation => ({ cause: "word", facts: { words } });
/** An expectation that needs no facts. */
export const plainly = (cause: PlainCause): Expectation => ({ cause, facts: {} }) as Expectation;
type PlainCause = {
  [K in keyof typeof EXPECTATIONS]: (typeof EXPECTATIONS)[K] extends `${string}{${string}` ? never : K;
}[keyof typeof EXPECTATIONS];

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (typeof value === "object") return Array.isArray(value) ? "list" : "map";
  return typeof value === "string" ? "text" : typeof value;
};

/**
 * What was found: a text in few characters, or bare, as JSON writes it without quotes: a number, true or false; or in
 * place of a value that is not told, what kind of value it is.
 */
export type FoundValue = { readonly found: number | string; readonly foundAs: "bare" | "text" };
const bare = (found: number | string): FoundValue => ({ found, foundAs: "bare" });

/** For formats that may hold secrets. */
export const kindFound = (value: unknown): FoundValue => bare(kindOf(value));

/** Never to be given a value that may be a secret. */
export const foundIn = (value: unknown): FoundValue => {
  if (typeof value === "string") return value === "" ? bare("empty") : { found: visible(clip(value)), foundAs: "text" };
  if (typeof value === "boolean") return bare(String(value));
  if (typeof value === "number") return bare(Number.isSafeInteger(value) ? value : String(value));
  return bare(kindOf(value));
};

/** A key that a map may not have, and the one that was probably meant. */
export const unknownKey = (name: string, known: readonly string[]): Refusal => {
  const meant = nearest(name, known);
  const key = visible(clip(name));
  return meant === undefined
    ? refuse("key-unknown", { cause: "listed", facts: { key, known } })
    : refuse("key-unknown", { cause: "meant", facts: { key, meant } });
};
