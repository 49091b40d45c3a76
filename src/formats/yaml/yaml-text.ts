// From a text to one YAML tree, or to what is wrong with the text before any field is read.
//
// Not here: how the `yaml` package is driven and bounded (yaml-compose.ts), what the fields mean (yaml-reader.ts).
// Keeps P7-F1.

import type { Document } from "yaml";
import { compose, type Note, note } from "./yaml-compose.ts";

export type YamlText =
  | { readonly kind: "bad"; readonly notes: readonly Note[] }
  /** The notes are about anchors, aliases and tags: such a text is refused, and its fields can still be read. */
  | { readonly kind: "tree"; readonly root: unknown; readonly notes: readonly Note[] };

const TEXT_BYTES_MAX = 10 * 1024 * 1024;

export const readYamlText = (text: string): YamlText => {
  const before = wrongBeforeParsing(text);
  if (before !== undefined) return { kind: "bad", notes: [before] };

  const { directives, first, marks, mistakes, second, stop } = compose(text);
  // Where reading was broken off, everything behind looks unfinished; only what stands before is a mistake.
  const stopAt = stop?.offset ?? text.length;
  const notes = [
    ...directives.map((offset) => note("text-malformed", offset, "a % directive; write the text without it")),
    ...mistakes,
    ...(second === undefined ? [] : [note("text-malformed", second.range[0], "a second document; one is expected")]),
  ].filter(({ offset }) => offset <= stopAt);
  if (stop !== undefined) notes.push(stop);
  const aliased = marks.map((offset) => note("text-aliased", offset, "an anchor, an alias or a tag"));
  if (notes.length > 0) return { kind: "bad", notes: [...notes, ...aliased] };
  if (first === undefined || (isNothing(first) && aliased.length === 0)) {
    return { kind: "bad", notes: [note("file-empty", 0, "nothing but blanks and comments")] };
  }
  return { kind: "tree", notes: aliased, root: first.contents };
};

/** Invisible or misleading characters, line breaks that only some programs see, and what a failed decoding leaves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]|\r(?!\n)/;

const wrongBeforeParsing = (text: string): Note | undefined => {
  if (text.length > TEXT_BYTES_MAX || Buffer.byteLength(text) > TEXT_BYTES_MAX) {
    return note("file-too-large", 0, `more than ${TEXT_BYTES_MAX} bytes`);
  }
  const offset = text.isWellFormed() ? text.search(FORBIDDEN) : text.search(/\p{Cs}/u);
  if (offset !== -1) {
    const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, "0");
    return note("text-malformed", offset, `the character U+${code}, which a readable text does not hold`);
  }
  return /\S/.test(text) ? undefined : note("file-empty", 0, "nothing but blanks");
};

const isNothing = ({ contents }: Document.Parsed): boolean =>
  contents === null || ("source" in contents && contents.source === "" && contents.range[0] === contents.range[1]);
