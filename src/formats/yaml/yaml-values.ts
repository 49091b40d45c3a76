// Reading single values of a YAML tree: a text, a word of a list, a whole number, and maps that come in variants.
//
// Each answers with the value, or with undefined after it has reported why. Keeps P7-F1: nothing is converted.

import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { type Expectation, guessed, oneOfWords, plainly, unquoted } from "../expectation.ts";
import {
  fieldsAt,
  plain,
  reportFound,
  reportMissing,
  reportType,
  reportValue,
  type Spot,
  type YamlReader,
} from "./yaml-reader.ts";

export type TextRule = { readonly is: (value: unknown) => value is string; readonly expected: Expectation };

export const textAt = (reader: YamlReader, spot: Spot | undefined, rule: TextRule): string | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (rule.is(value)) return value;
  if (typeof value === "string") return reportValue(reader, spot, rule.expected);
  const isWritten = typeof value === "number" || typeof value === "boolean";
  return reportType(reader, spot, isWritten ? unquoted(rule.expected) : rule.expected);
};

export const wordAt = <W extends string>(
  reader: YamlReader,
  spot: Spot | undefined,
  words: readonly W[],
): W | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  const expected = oneOfWords(words);
  if (typeof value !== "string") return reportType(reader, spot, expected);
  const meant = nearest(value, words);
  return reportValue(reader, spot, meant === undefined ? expected : guessed(expected, meant));
};

/** 010, 0x10, 1e3 and 16.0 are numbers to YAML and other numbers to some people. */
const PLAIN_INTEGER = /^(?:0|[1-9][0-9]*)$/;

export const integerAt = <N extends number>(
  reader: YamlReader,
  spot: Spot | undefined,
  rule: { readonly is: (value: unknown) => value is N; readonly expected: Expectation },
): N | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (typeof value !== "number") return reportType(reader, spot, rule.expected);
  if (!rule.is(value)) return reportValue(reader, spot, rule.expected);
  if (spot.node?.kind === "scalar" && PLAIN_INTEGER.test(spot.node.source)) return value;
  return reportValue(reader, spot, guessed(plainly("plain-digits"), value));
};

/** Only `version: 1` is known; another version is another format. */
export const versionAt = (reader: YamlReader, spot: Spot | undefined): 1 | undefined => {
  if (spot === undefined) return undefined;
  const facts = { known: 1 };
  if (typeof plain(spot) === "number" && plain(spot) !== 1)
    return reportFound(reader, spot, (found) =>
      refuse("version-unknown", { cause: "version", facts: { ...facts, ...found } }),
    );
  return integerAt(reader, spot, { expected: { cause: "version", facts }, is: (value): value is 1 => value === 1 });
};

/** A map whose other keys depend on the word under one key. */
export type Variants<W extends string> = {
  readonly by: string;
  readonly common: readonly string[];
  /** Keys that any variant may have and none needs. */
  readonly optional?: readonly string[];
  /** Keys that one word alone may have beside its own. */
  readonly optionalOf?: Readonly<Partial<Record<W, readonly string[]>>>;
  readonly of: Readonly<Record<W, readonly string[]>>;
};

/** The keys that fit the variant; all known ones when the variant itself cannot be read. */
export const variantAt = <W extends string>(
  reader: YamlReader,
  spot: Spot,
  variants: Variants<W>,
): { readonly word: W | undefined; readonly fields: ReadonlyMap<string, Spot> } | undefined => {
  const { by, common, of, optional = [], optionalOf } = variants;
  const words = Object.keys(of) as W[];
  const required = [by, ...common];
  const everywhere = [...required, ...optional];
  const own = (word: W): readonly string[] => [...of[word], ...(optionalOf?.[word] ?? [])];
  const all = [...new Set([...everywhere, ...words.flatMap(own)])];
  const fields = fieldsAt(reader, spot, all);
  if (fields === undefined) return undefined;
  const word = wordAt(reader, fields.get(by), words);
  reportMissing(reader, spot, fields, [...required, ...(word === undefined ? [] : of[word])]);
  if (word === undefined) return { fields, word };
  const fitting = new Map<string, Spot>();
  for (const [name, value] of fields) {
    if (everywhere.includes(name) || own(word).includes(name)) fitting.set(name, value);
    else {
      const owners = words.filter((other) => own(other).includes(name));
      const facts = { by, key: name, owners, word };
      reader.report(value, refuse("key-unknown", { cause: "other-variant", facts }));
    }
  }
  return { fields: fitting, word };
};
