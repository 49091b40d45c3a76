// From a text to one YAML tree, or to what is wrong with the text before any field is read.
//
// Not here: how the `yaml` package is driven and bounded (yaml-compose.ts), what the fields mean (yaml-reader.ts).
// Keeps P7-F1.

import type { Document } from "yaml";
import { refuse } from "../../spine/rules/refusals.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { compose, note, treeOf, type YamlNote } from "./yaml-compose.ts";
import type { YamlNode } from "./yaml-tree.ts";

export type YamlText =
  | { readonly kind: "bad"; readonly notes: readonly YamlNote[] }
  /** The notes are about anchors, aliases and tags: such a text is refused, and its fields can still be read. */
  | { readonly kind: "tree"; readonly root: YamlNode | undefined; readonly notes: readonly YamlNote[] };

const TEXT_BYTES_MAX = 10 * 1024 * 1024;

export const readYamlText = (text: string): YamlText => {
  const before = wrongBeforeParsing(text);
  if (before !== undefined) return { kind: "bad", notes: [before] };
  const plain = readPlainYaml(text);
  return plain === undefined ? readByPackage(text) : { kind: "tree", notes: [], root: plain };
};

/** Without the short way: by the package, with everything that is wrong. */
export const readByPackage = (text: string): YamlText => {
  const { directives, first, marks, mistakes, second, stop } = compose(text);
  // Where reading was broken off, everything behind looks unfinished; only what stands before is a mistake.
  const stopAt = stop?.offset ?? text.length;
  const notes = [
    ...directives.map((offset) => note(offset, refuse("text-malformed", { cause: "directive" }))),
    ...mistakes,
    ...(second === undefined ? [] : [note(second.range[0], refuse("text-malformed", { cause: "second-document" }))]),
  ].filter(({ offset }) => offset <= stopAt);
  if (stop !== undefined) notes.push(stop);
  const told = withoutConsequences(notes, text);
  const aliased = marks.map((offset) => note(offset, refuse("text-aliased", { cause: "mark" })));
  if (told.length > 0) return { kind: "bad", notes: [...told, ...aliased] };
  if (first === undefined || (isNothing(first) && aliased.length === 0)) {
    return { kind: "bad", notes: [note(0, refuse("file-empty", { cause: "comments" }))] };
  }
  return { kind: "tree", notes: aliased, root: treeOf(first.contents) };
};

/** What the package finds where lines are indented otherwise than they were meant. */
const INDENTED: ReadonlySet<string | undefined> = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "MULTILINE_IMPLICIT_KEY",
  "TAB_AS_INDENT",
]);

/** Behind these nothing is read as it was meant: a bracket, a quote, a colon or a comma too many or too few. */
const STRUCTURAL: ReadonlySet<string | undefined> = new Set([
  ...INDENTED,
  "BAD_PROP_ORDER",
  "BLOCK_IN_FLOW",
  "MISSING_CHAR",
  "UNEXPECTED_TOKEN",
]);

/**
 * One mistake shifts everything behind it, and what is found there is its consequence. Where its line is badly indented
 * too, that is said of it.
 */
const withoutConsequences = (notes: readonly YamlNote[], text: string): readonly YamlNote[] => {
  const byPlace = (one: YamlNote, other: YamlNote): number => one.offset - other.offset;
  const [first, ...others] = notes.filter(({ refusal }) => STRUCTURAL.has(refusal.cause)).sort(byPlace);
  if (first === undefined) return notes;
  const end = text.indexOf("\n", first.offset);
  const isOnLine = ({ offset }: YamlNote): boolean => end < 0 || offset <= end;
  const isIndented = ({ refusal }: YamlNote): boolean => INDENTED.has(refusal.cause);
  const cause = isIndented(first) ? first : (others.find((one) => isIndented(one) && isOnLine(one)) ?? first);
  return notes.filter((one) => one === cause || one.offset < first.offset);
};

/** Invisible or misleading characters, line breaks that only some programs see, and what a failed decoding leaves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]|\r(?!\n)/;

const wrongBeforeParsing = (text: string): YamlNote | undefined => {
  if (text.length > TEXT_BYTES_MAX || Buffer.byteLength(text) > TEXT_BYTES_MAX) {
    return note(0, refuse("file-too-large", { cause: "larger", facts: { max: TEXT_BYTES_MAX } }));
  }
  const offset = text.isWellFormed() ? text.search(FORBIDDEN) : text.search(/\p{Cs}/u);
  if (offset !== -1) {
    const codePoint = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0");
    return note(offset, refuse("text-malformed", { cause: "character", facts: { codePoint } }));
  }
  return /\S/.test(text) ? undefined : note(0, refuse("file-empty", { cause: "blanks" }));
};

const isNothing = ({ contents }: Document.Parsed): boolean =>
  contents === null || ("source" in contents && contents.source === "" && contents.range[0] === contents.range[1]);
