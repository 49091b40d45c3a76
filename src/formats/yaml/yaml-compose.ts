// Drives the `yaml` package lexeme by lexeme, so that depth and mistakes are bounded while the text is read, and every
// anchor, alias and tag is seen where it stands; aliases are never expanded.
//
// The package is loaded when a text needs it, and most do not (plain-yaml.ts).
// The package's own error texts may quote the file, so they are replaced by ours, which quote nothing (B5).
// Keeps P7-F1: a text of ten million mistakes costs about as much as a good one of its length.

import { createRequire } from "node:module";
import type { Composer, CST, Document, ErrorCode, Node, Parser } from "yaml";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** Texts are parsed in one go, and only `require` loads without waiting. */
const loadPackage = (): typeof import("yaml") => createRequire(import.meta.url)("yaml");

/** A problem before it has a line and a column: both are counted only for texts that have one. */
export type YamlNote = {
  readonly field: string;
  readonly offset: number;
  readonly refusal: Refusal;
};
/** Of the text as a whole: no field is known yet. */
export const note = (offset: number, refusal: Refusal): YamlNote => ({ field: "", offset, refusal });

export type Composed = {
  readonly directives: readonly number[];
  readonly first: Document.Parsed | undefined;
  readonly marks: readonly number[]; // anchors, aliases and tags
  readonly mistakes: readonly YamlNote[];
  readonly second: Document.Parsed | undefined;
  /** Why reading was broken off, and where. */
  readonly stop: YamlNote | undefined;
};

/** Far more than any file of ours needs, far less than a stack can bear. */
const DEPTH_MAX = 64;
/**
 * The densest good file of the largest allowed size stays below it; beyond, a text costs more memory than machines
 * have.
 */
export const JOINTS_MAX = 2_000_000;
const JOINTS: ReadonlySet<string> = new Set(["-", ":", "?", ",", "[", "{"]);
/** A text can hold a mistake at each of its characters, and nobody reads the thousandth. */
export const PROBLEMS_MAX = 1_000;

type Seen = {
  readonly directives: number[];
  readonly marks: number[];
  readonly mistakes: YamlNote[];
  stop: YamlNote | undefined;
};

export const compose = (text: string): Composed => {
  const seen: Seen = { directives: [], marks: [], mistakes: [], stop: undefined };
  const [first, second] = withoutTraces(() => documentsOf(text, seen));
  for (const { code, pos } of first?.errors ?? []) addMistake(seen, code, pos[0]);
  return { ...seen, first, second };
};

/** The package makes an Error of every mistake, and their stack traces are what costs. */
const withoutTraces = <T>(work: () => T): T => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

const documentsOf = (text: string, seen: Seen): readonly (Document.Parsed | undefined)[] => {
  const { Composer, Lexer, Parser } = loadPackage();
  const composer = new Composer({ schema: "core", uniqueKeys: false, version: "1.2" });
  takeMistakes(composer, seen);
  const documents = composer.compose(tokensOf(new Parser(), new Lexer().lex(text), seen), true, text.length);
  try {
    return [documents.next().value ?? undefined, documents.next().value ?? undefined];
  } catch (error) {
    if (error instanceof BrokenOff) return [undefined, undefined];
    throw error;
  }
};

class BrokenOff extends Error {}

type Position = number | readonly [number, number] | { readonly offset: number };
const offsetOf = (position: Position): number =>
  typeof position === "number" ? position : "offset" in position ? position.offset : position[0];

/**
 * The package keeps every mistake and has no way to stop, and ten million of them do not fit into memory. So its own
 * callback is taken over; a test sees that a text with too many is broken off.
 */
const takeMistakes = (composer: Composer, seen: Seen): void => {
  const value = (position: Position, code: ErrorCode): void => {
    addMistake(seen, code, offsetOf(position));
    if (seen.stop?.refusal.code === "problems-many") throw new BrokenOff();
  };
  Object.defineProperty(composer, "onError", { value });
};

/** Errors that only repeat what is noted of a tag or a directive. */
const SAID_OTHERWISE: ReadonlySet<ErrorCode> = new Set(["BAD_DIRECTIVE", "TAG_RESOLVE_FAILED", "BAD_COLLECTION_TYPE"]);

const addMistake = (seen: Seen, code: ErrorCode, offset: number): void => {
  if (SAID_OTHERWISE.has(code)) return;
  const at = Math.max(offset, 0);
  if (seen.mistakes.length < PROBLEMS_MAX) seen.mistakes.push(note(at, refuse("text-malformed", { cause: code })));
  else seen.stop ??= note(at, refuse("problems-many", { cause: "broken-off", facts: { max: PROBLEMS_MAX } }));
};

/** What the lexer emits before a plain scalar, whose first character then means nothing. */
const SCALAR_FOLLOWS = "\x1f";

function* tokensOf(parser: Parser, lexemes: Iterable<string>, seen: Seen): Generator<CST.Token> {
  let isScalar = false;
  let joints = 0;
  for (const lexeme of lexemes) {
    if (!isScalar) noteMark(lexeme, parser.offset, seen);
    isScalar = !isScalar && lexeme === SCALAR_FOLLOWS;
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") addMistake(seen, "UNEXPECTED_TOKEN", token.offset);
      else yield token;
    }
    if (JOINTS.has(lexeme)) joints += 1;
    if (parser.stack.length > DEPTH_MAX || joints > JOINTS_MAX) {
      const refusal =
        joints > JOINTS_MAX
          ? refuse("text-malformed", { cause: "too-many-parts", facts: { max: JOINTS_MAX } })
          : refuse("text-malformed", { cause: "too-deep", facts: { max: DEPTH_MAX } });
      seen.stop ??= note(parser.offset - lexeme.length, refusal);
    }
    if (seen.stop !== undefined) break;
  }
  yield* parser.end();
}

const noteMark = (lexeme: string, offset: number, seen: Seen): void => {
  const initial = lexeme[0];
  const list = initial === "%" ? seen.directives : isMark(initial) ? seen.marks : undefined;
  if (list !== undefined && list.length <= PROBLEMS_MAX) list.push(offset);
};
const isMark = (initial: string | undefined): boolean => initial === "&" || initial === "*" || initial === "!";

/** The package's tree as ours; an alias keeps its place, and nothing of what it stands for. */
export const treeOf = (root: unknown): YamlNode | undefined => {
  const { isAlias, isMap, isScalar, isSeq } = loadPackage();
  const from = (node: unknown): YamlNode | undefined => {
    const at = (node as Node | null)?.range?.[0] ?? 0;
    if (isScalar(node)) return { at, kind: "scalar", source: node.source ?? "", value: node.value };
    if (isSeq(node)) return { at, items: node.items.map(from), kind: "seq" };
    if (isAlias(node)) return { at, kind: "alias" };
    if (!isMap(node)) return undefined;
    return { at, items: node.items.map(({ key, value }) => ({ key: from(key), value: from(value) })), kind: "map" };
  };
  return from(root);
};
