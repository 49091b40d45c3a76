// From a text to one YAML tree, or to what is wrong with the text before any field is read.
//
// The `yaml` package is driven lexeme by lexeme, so that depth is bounded while the text is read and every anchor,
// alias and tag is seen where it stands; aliases are never expanded. Its own error texts may quote the file, so they
// are replaced by ours, which quote nothing (B5). Not here: what the fields mean (yaml-reader.ts). Keeps P7-F1.

import { Composer, type CST, type Document, type ErrorCode, Lexer, Parser } from "yaml";
import type { RefusalCode } from "../spine/refusals.ts";

/** A problem before it has a line and a column: both are counted only for texts that have one. */
export type Note = {
  readonly code: RefusalCode;
  readonly offset: number;
  readonly field: string;
  readonly because: string;
  readonly next?: string;
};
export type YamlText =
  | { readonly kind: "bad"; readonly notes: readonly Note[] }
  /** The notes are about anchors, aliases and tags: such a text is refused, and its fields can still be read. */
  | { readonly kind: "tree"; readonly root: unknown; readonly notes: readonly Note[] };

export const TEXT_BYTES_MAX = 10 * 1024 * 1024;
/** Far more than any file of ours needs, far less than a stack can bear. */
const DEPTH_MAX = 64;
/** Each would become a mistake of its own, and nobody reads the second hundred. */
const STRAYS_MAX = 100;

const note = (code: RefusalCode, offset: number, because: string): Note => ({ because, code, field: "", offset });

export const readYamlText = (text: string): YamlText => {
  const before = wrongBeforeParsing(text);
  if (before !== undefined) return { kind: "bad", notes: [before] };

  const seen: Seen = { directives: [], marks: [], stop: undefined };
  const [first, second] = withoutTraces(() => composed(text, seen));
  // Where reading was broken off, everything behind looks unfinished; only what stands before is a mistake.
  const stopAt = seen.stop?.offset ?? text.length;
  const notes = [
    ...seen.directives.map((offset) => note("text-malformed", offset, "a % directive; write the text without it")),
    ...(first === undefined ? [] : syntaxNotes(first)),
    ...(second === undefined ? [] : [note("text-malformed", second.range[0], "a second document; one is expected")]),
  ].filter(({ offset }) => offset <= stopAt);
  if (seen.stop !== undefined) notes.push(seen.stop);
  const marks = seen.marks.map((offset) => note("text-aliased", offset, "an anchor, an alias or a tag"));
  if (notes.length > 0) return { kind: "bad", notes: [...notes, ...marks] };
  if (first === undefined || (isNothing(first) && marks.length === 0)) {
    return { kind: "bad", notes: [note("file-empty", 0, "nothing but blanks and comments")] };
  }
  return { kind: "tree", notes: marks, root: first.contents };
};

const composed = (text: string, seen: Seen): readonly (Document.Parsed | undefined)[] => {
  const composer = new Composer({ schema: "core", uniqueKeys: false, version: "1.2" });
  const documents = composer.compose(tokensOf(text, seen), true, text.length);
  return [documents.next().value ?? undefined, documents.next().value ?? undefined];
};

/** The package makes an Error of every mistake, and a text can hold a million; their stack traces are what costs. */
const withoutTraces = <T>(work: () => T): T => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/** Invisible or misleading characters, line breaks that only some programs see, and what a failed decoding leaves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]|\r(?!\n)/;

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

type Seen = { readonly directives: number[]; readonly marks: number[]; stop: Note | undefined };

/** What the lexer emits before a plain scalar, whose first character then means nothing. */
const SCALAR_FOLLOWS = "\x1f";

function* tokensOf(text: string, seen: Seen): Generator<CST.Token> {
  const parser = new Parser();
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar) noteMark(lexeme, parser.offset, seen);
    isScalar = !isScalar && lexeme === SCALAR_FOLLOWS;
    yield* parser.next(lexeme);
    const because = hopeless(parser, lexeme);
    if (because !== undefined) {
      seen.stop = note("text-malformed", parser.offset - lexeme.length, because);
      break;
    }
  }
  yield* parser.end();
}

/** Why reading is broken off here: what follows would cost much and say nothing more. */
const hopeless = ({ stack }: Parser, lexeme: string): string | undefined => {
  if (stack.length > DEPTH_MAX) return `more than ${DEPTH_MAX} levels deep`;
  if (!BRACKETS.has(lexeme)) return undefined;
  const top = stack.at(-1);
  const strays = top !== undefined && "end" in top && Array.isArray(top.end) ? top.end.length : 0;
  return strays > STRAYS_MAX ? `more than ${STRAYS_MAX} things in a row that do not belong here` : undefined;
};

/** What strays in long rows; asking only for these keeps a good file fast. */
const BRACKETS: ReadonlySet<string> = new Set(["[", "]", "{", "}", ","]);

const noteMark = (lexeme: string, offset: number, seen: Seen): void => {
  const initial = lexeme[0];
  if (initial === "&" || initial === "*" || initial === "!") seen.marks.push(offset);
  else if (initial === "%") seen.directives.push(offset);
};

const isNothing = ({ contents }: Document.Parsed): boolean =>
  contents === null || ("source" in contents && contents.source === "" && contents.range[0] === contents.range[1]);

/** Errors that only repeat what is noted of a tag or a directive. */
const SAID_OTHERWISE: ReadonlySet<ErrorCode> = new Set(["BAD_DIRECTIVE", "TAG_RESOLVE_FAILED", "BAD_COLLECTION_TYPE"]);

const syntaxNotes = ({ errors, warnings }: Document.Parsed): readonly Note[] =>
  [...errors, ...warnings]
    .filter(({ code }) => !SAID_OTHERWISE.has(code))
    .map(({ code, pos }) => note("text-malformed", Math.max(pos[0], 0), SYNTAX[code]));

const SYNTAX = {
  ALIAS_PROPS: "an alias with an anchor or a tag of its own",
  BAD_ALIAS: "an anchor or alias without a proper name",
  BAD_COLLECTION_TYPE: "a tag that does not fit its value",
  BAD_DIRECTIVE: "a % directive that is not YAML",
  BAD_DQ_ESCAPE: "an escape in a quoted text that YAML does not know",
  BAD_INDENT: "wrong indentation",
  BAD_PROP_ORDER: "an anchor or a tag at a place where none may be",
  BAD_SCALAR_START: "a text that begins with a reserved character; it needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a nested map or list on the line of a key; it needs a line of its own",
  BLOCK_IN_FLOW: "an indented map or list inside of brackets",
  DUPLICATE_KEY: "a key that is written twice",
  IMPOSSIBLE: "a text that is not YAML",
  KEY_OVER_1024_CHARS: "a key of more than 1024 characters",
  MISSING_CHAR: "something is missing: a comma, a colon, a blank, a quote or a closing bracket",
  MULTILINE_IMPLICIT_KEY: "a key that goes over more than one line",
  MULTIPLE_ANCHORS: "a value with more than one anchor",
  MULTIPLE_DOCS: "a second document; one is expected",
  MULTIPLE_TAGS: "a value with more than one tag",
  NON_STRING_KEY: "a key that is not a text",
  RESOURCE_EXHAUSTION: "a text that needs more than there is to read it",
  TAB_AS_INDENT: "a tab in the indentation; YAML indents with blanks",
  TAG_RESOLVE_FAILED: "a tag that does not fit its value",
  UNEXPECTED_TOKEN: "something that does not belong here",
} as const satisfies Record<ErrorCode, string>;
