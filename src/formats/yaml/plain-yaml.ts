// readPlainYaml(): the tree of a text that is beyond doubt plain YAML; undefined otherwise, and then the `yaml` package
// decides.
//
// A second reader of the format, for speed alone: to load the package's 72 files and to run them for the first time was
// a quarter of a short command, for a dozen lines of dedalus.yaml. Plain is what nearly everybody writes: block maps
// and lists, flow collections on one line, comments, and scalars on one line that are words, whole numbers or quoted
// without an escape. It says yes only to texts of which the package makes the very same tree and reports nothing; a
// property test holds the two together. So it could be deleted and nothing would be read otherwise.
// Not here: what is wrong with a text (yaml-compose.ts), what its fields mean (yaml-reader.ts). Keeps P7-F1.

import { JOINTS_MAX } from "./yaml-compose.ts";
import type { YamlMap, YamlNode, YamlPair, YamlScalar, YamlSeq } from "./yaml-tree.ts";

/**
 * A line with something on it: where its first character stands, how far in, and the rest without spaces at its end.
 */
type Line = { readonly at: number; readonly indent: number; readonly rest: string };

type Cursor = {
  joints: number;
  line: Line | undefined;
  /** Where the line after it begins. */
  next: number;
  readonly text: string;
};

/** Far less than the package may take. */
const DEPTH_MAX = 16;

/** One object, because a stack trace would cost more than the reading. */
const DOUBT: unique symbol = Symbol("not beyond doubt plain");
const doubt = (): never => {
  throw DOUBT;
};

export const readPlainYaml = (text: string): YamlNode | undefined => {
  const cursor: Cursor = { joints: 0, line: undefined, next: 0, text };
  try {
    passLine(cursor);
    return cursor.line?.indent === 0 ? mapAt(cursor, cursor.line, 1) : undefined;
  } catch (error) {
    if (error === DOUBT) return undefined;
    throw error;
  }
};

const afterSpaces = (text: string, from: number): number => {
  let at = from;
  while (text[at] === " ") at += 1;
  return at;
};

/** Goes to the next line with something on it; comments are nothing. */
const passLine = (cursor: Cursor): void => {
  const { text } = cursor;
  while (cursor.next < text.length) {
    const start = cursor.next;
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    cursor.next = end + 1;
    const at = afterSpaces(text, start);
    if (at >= end || text[at] === "#") continue;
    let last = end;
    while (text[last - 1] === " ") last -= 1;
    const rest = text.slice(at, last);
    // Tabs and other line ends have rules of their own.
    if (/[\t\r]/.test(rest)) doubt();
    cursor.line = { at, indent: at - start, rest };
    return;
  }
  cursor.line = undefined;
};

const join = (cursor: Cursor): void => {
  cursor.joints += 1;
  if (cursor.joints > JOINTS_MAX) doubt();
};

const KEY_CHARACTERS_MAX = 100;
const KEY_TEXT = `[A-Za-z0-9_][A-Za-z0-9_./-]{0,${KEY_CHARACTERS_MAX}}|"[^"\\\\]{0,${KEY_CHARACTERS_MAX}}"`;
/** With its colon and the spaces after it. */
const KEY = new RegExp(`(${KEY_TEXT}):( +|$)`, "y");

const keyIn = (text: string, from: number): { readonly end: number; readonly word: string } | undefined => {
  KEY.lastIndex = from;
  const [whole, word] = KEY.exec(text) ?? [];
  return whole === undefined || word === undefined ? undefined : { end: from + whole.length, word };
};

const keyScalar = (word: string, at: number): YamlScalar =>
  word.startsWith('"') ? quoted(word, at) : { at, kind: "scalar", source: word, value: resolved(word) };

const isItem = (line: Line): boolean => line.rest.startsWith("- ");
const isBare = (rest: string): boolean => rest === "" || rest.startsWith("#");

/** Its pairs all stand as far in as the first. */
const mapAt = (cursor: Cursor, { at, indent }: Line, depth: number): YamlMap => {
  if (depth > DEPTH_MAX) doubt();
  const items: YamlPair[] = [];
  for (let { line } = cursor; line !== undefined && line.indent === indent; line = cursor.line) {
    const key = keyIn(line.rest, 0) ?? doubt();
    join(cursor);
    const isNested = isBare(line.rest.slice(key.end));
    const value = isNested ? nestedIn(cursor, indent, depth) : lineValue(cursor, line, key.end, depth);
    items.push({ key: keyScalar(key.word, line.at), value });
  }
  endBlock(cursor, indent);
  return { at, items, kind: "map" };
};

/** A key's value on the lines below it: further in, or a list whose dashes stand below the key. */
const nestedIn = (cursor: Cursor, indent: number, depth: number): YamlNode => {
  passLine(cursor);
  const line = cursor.line ?? doubt();
  if (isItem(line) && line.indent >= indent) return seqAt(cursor, line, depth + 1);
  return line.indent > indent ? mapAt(cursor, line, depth + 1) : doubt();
};

const seqAt = (cursor: Cursor, { at, indent }: Line, depth: number): YamlSeq => {
  if (depth > DEPTH_MAX) doubt();
  const items: YamlNode[] = [];
  for (let { line } = cursor; line !== undefined && line.indent === indent && isItem(line); line = cursor.line) {
    join(cursor);
    const from = afterSpaces(line.rest, 1);
    if (keyIn(line.rest, from) === undefined) items.push(lineValue(cursor, line, from, depth));
    else {
      const inner = { at: line.at + from, indent: indent + from, rest: line.rest.slice(from) };
      cursor.line = inner;
      items.push(mapAt(cursor, inner, depth + 1));
    }
  }
  endBlock(cursor, indent);
  return { at, items, kind: "seq" };
};

/** What stands further in belongs to nothing that was begun. */
const endBlock = ({ line }: Cursor, indent: number): void => {
  if (line !== undefined && line.indent > indent) doubt();
};

/** A value that ends with its line. */
const lineValue = (cursor: Cursor, line: Line, from: number, depth: number): YamlNode => {
  const { end, node } = valueAt(cursor, line, from, depth, "block");
  if (!/^(?: +#.*)?$/.test(line.rest.slice(end))) doubt();
  passLine(cursor);
  // A line that stands further in would go on with it.
  endBlock(cursor, line.indent);
  return node;
};

type Context = "block" | "flow";
type Read<T extends YamlNode = YamlNode> = { readonly end: number; readonly node: T };

const valueAt = (cursor: Cursor, line: Line, from: number, depth: number, context: Context): Read => {
  const first = line.rest[from];
  if (first === "{" || first === "[") return flowAt(cursor, line, from, depth + 1);
  return first === '"' || first === "'" ? quotedAt(line, from) : plainAt(line, from, context);
};

const QUOTED = /"[^"\\]*"|'[^']*'(?!')/y;

const quotedAt = ({ at, rest }: Line, from: number): Read<YamlScalar> => {
  QUOTED.lastIndex = from;
  const [whole] = QUOTED.exec(rest) ?? doubt();
  return { end: from + whole.length, node: quoted(whole, at + from) };
};

const quoted = (whole: string, at: number): YamlScalar => {
  const source = whole.slice(1, -1);
  return { at, kind: "scalar", source, value: source };
};

/** Begins with what begins nothing else, and has no colon or number sign that could mean something. */
const PLAIN: Readonly<Record<Context, RegExp>> = {
  block: /[A-Za-z0-9_./](?:[^ :#]|:(?=[^ ])|(?<! )#| +(?=[^ #]))*/y,
  flow: /[A-Za-z0-9_./](?:[^ :#,[\]{}]|:(?=[^ ,[\]{}])|(?<! )#| +(?=[^ #,[\]{}]))*/y,
};

const plainAt = ({ at, rest }: Line, from: number, context: Context): Read<YamlScalar> => {
  const pattern = PLAIN[context];
  pattern.lastIndex = from;
  const [source] = pattern.exec(rest) ?? doubt();
  return { end: from + source.length, node: { at: at + from, kind: "scalar", source, value: resolved(source) } };
};

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
const TEXT = /^(?:[A-Za-z_/]|\.{1,2}\/|[0-9].*[^0-9A-Fa-fox.+-])/;

/** Other numbers are for whoever knows all their forms. */
const resolved = (source: string): boolean | number | string | null => {
  const word = WORDS.get(source);
  if (word !== undefined) return word;
  if (WHOLE_NUMBER.test(source)) return Number(source);
  return TEXT.test(source) ? source : doubt();
};

const CLOSING = { "[": "]", "{": "}" } as const;

/** A map or a list in brackets, on one line. */
const flowAt = (cursor: Cursor, line: Line, from: number, depth: number): Read<YamlMap | YamlSeq> => {
  if (depth > DEPTH_MAX) doubt();
  join(cursor);
  const { at, rest } = line;
  const isMap = rest[from] === "{";
  const closing = CLOSING[isMap ? "{" : "["];
  const pairs: YamlPair[] = [];
  const members: YamlNode[] = [];
  let end = afterSpaces(rest, from + 1);
  while (rest[end] !== closing) {
    const key = isMap ? keyIn(rest, end) : undefined;
    if (isMap && key === undefined) doubt();
    if (isMap) join(cursor);
    const value = valueAt(cursor, line, key?.end ?? end, depth, "flow");
    if (key === undefined) members.push(value.node);
    else pairs.push({ key: keyScalar(key.word, at + end), value: value.node });
    end = afterSpaces(rest, value.end);
    if (rest[end] === ",") {
      join(cursor);
      end = afterSpaces(rest, end + 1);
      if (rest[end] === closing) doubt();
    } else if (rest[end] !== closing) doubt();
  }
  const node = isMap
    ? ({ at: at + from, items: pairs, kind: "map" } as const)
    : ({ at: at + from, items: members, kind: "seq" } as const);
  return { end: end + 1, node };
};
