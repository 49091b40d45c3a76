// canonicalFlawAt(): where a line leaves the canonical form; -1 when it never does.
//
// A recogniser of exactly the bytes that profile.ts writes: RFC 8785 within our profile. It reads bytes and builds
// nothing, so it is faster than parsing, writing again and comparing, and it does not share the platform's misreadings.
// A test holds it against that other way, on every kind of flaw.

import { isUtf8 } from "node:buffer";
import { NESTING_MAX } from "./profile.ts";

const code = (character: string): number => character.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code("\\");
const COMMA = code(",");
const COLON = code(":");
const MINUS = code("-");
const ZERO = code("0");
const NINE = code("9");
const OPEN_OBJECT = code("{");
const CLOSE_OBJECT = code("}");
const OPEN_LIST = code("[");
const CLOSE_LIST = code("]");
const SPACE = code(" ");

/** No byte of a line is 0, so that it can stand for the end. */
const byteAt = (line: Uint8Array, at: number): number => line[at] ?? 0;

/** Scanners give the place after what they read, or ~place of the flaw, which is negative. */
type End = number;

export const canonicalFlawAt = (line: Uint8Array): number => {
  if (!isUtf8(line)) return 0;
  const end = byteAt(line, 0) === OPEN_OBJECT ? scanValue(line, 0, 0) : ~0;
  if (end < 0) return ~end;
  return end === line.length ? -1 : end;
};

/** Where the object at `at` ends, one level inside a record; negative when it is not a canonical object. */
export const bodyEnd = (line: Uint8Array, at: number): number =>
  byteAt(line, at) === OPEN_OBJECT ? scanValue(line, at, 1) : ~at;

const scanValue = (line: Uint8Array, at: number, nesting: number): End => {
  const first = byteAt(line, at);
  if (first === QUOTE) return scanText(line, at + 1);
  if (first === OPEN_OBJECT) return nesting === NESTING_MAX ? ~at : scanObject(line, at + 1, nesting + 1);
  if (first === OPEN_LIST) return nesting === NESTING_MAX ? ~at : scanList(line, at + 1, nesting + 1);
  if (first === MINUS || (first >= ZERO && first <= NINE)) return scanInteger(line, at);
  return scanWord(line, at);
};

const WORDS = ["true", "false", "null"].map((word): Uint8Array => Buffer.from(word));

/** Loops, because a function for each of them would be made anew for every word of a line. */
const scanWord = (line: Uint8Array, at: number): End => {
  for (const word of WORDS) {
    let same = 0;
    while (same < word.length && byteAt(line, at + same) === word[same]) same += 1;
    if (same === word.length) return at + same;
  }
  return ~at;
};

const DIGITS_MAX = 16;

const scanInteger = (line: Uint8Array, start: number): End => {
  const from = byteAt(line, start) === MINUS ? start + 1 : start;
  let at = from;
  let value = 0;
  for (let byte = byteAt(line, at); byte >= ZERO && byte <= NINE; byte = byteAt(line, at)) {
    value = value * 10 + (byte - ZERO);
    at += 1;
    if (at - from > DIGITS_MAX) return ~start;
  }
  // Zero has one text, and no other number begins with it.
  const isPlain = byteAt(line, from) === ZERO ? at === start + 1 : at > from;
  return isPlain && Number.isSafeInteger(value) ? at : ~start;
};

/**
 * 1 for what stands for itself in a text and does not end it: one question for each byte, where most bytes of a line
 * are.
 */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const plainEnd = (line: Uint8Array, start: number): number => {
  let at = start;
  while (PLAIN[byteAt(line, at)] === 1) at += 1;
  return at;
};

const scanText = (line: Uint8Array, start: number): End => {
  let at = plainEnd(line, start);
  while (byteAt(line, at) === BACKSLASH) {
    const end = scanEscape(line, at + 1);
    if (end < 0) return end;
    at = plainEnd(line, end);
  }
  return byteAt(line, at) === QUOTE ? at + 1 : ~at;
};

const SHORT_ESCAPES: Uint8Array = Buffer.from('"\\bfnrt');
/** What RFC 8785 writes as \u00xx: the control characters that have no short escape. */
const LONG_ESCAPES: ReadonlySet<string> = new Set(
  Array.from({ length: SPACE }, (_, control) => control)
    .filter((control) => !"\b\f\n\r\t".includes(String.fromCharCode(control)))
    .map((control) => `u${control.toString(16).padStart(4, "0")}`),
);
const LONG_ESCAPE_LENGTH = 5;

const scanEscape = (line: Uint8Array, at: number): End => {
  if (SHORT_ESCAPES.includes(byteAt(line, at))) return at + 1;
  const long = String.fromCharCode(...line.subarray(at, at + LONG_ESCAPE_LENGTH));
  return LONG_ESCAPES.has(long) ? at + LONG_ESCAPE_LENGTH : ~(at - 1);
};

const scanList = (line: Uint8Array, start: number, nesting: number): End => {
  if (byteAt(line, start) === CLOSE_LIST) return start + 1;
  let at = scanValue(line, start, nesting);
  while (at >= 0 && byteAt(line, at) === COMMA) at = scanValue(line, at + 1, nesting);
  if (at < 0) return at;
  return byteAt(line, at) === CLOSE_LIST ? at + 1 : ~at;
};

const scanObject = (line: Uint8Array, start: number, nesting: number): End => {
  if (byteAt(line, start) === CLOSE_OBJECT) return start + 1;
  let lastKey = -1;
  let at = start;
  for (;;) {
    const key = at + 1;
    const keyEnd = byteAt(line, at) === QUOTE ? scanKey(line, key) : ~at;
    if (keyEnd < 0) return keyEnd;
    if (lastKey >= 0 && !ascends(line, lastKey, key)) return ~key;
    lastKey = key;
    if (byteAt(line, keyEnd) !== COLON) return ~keyEnd;
    at = scanValue(line, keyEnd + 1, nesting);
    if (at < 0) return at;
    if (byteAt(line, at) === CLOSE_OBJECT) return at + 1;
    if (byteAt(line, at) !== COMMA) return ~at;
    at += 1;
  }
};

/** A key has no escape, so its first quote ends it. */
const scanKey = (line: Uint8Array, start: number): End => {
  const at = plainEnd(line, start);
  return byteAt(line, at) === QUOTE ? at + 1 : ~at;
};

/** Both keys end with a quote, which no key contains. */
const ascends = (line: Uint8Array, last: number, key: number): boolean => {
  let at = 0;
  while (byteAt(line, last + at) === byteAt(line, key + at)) {
    if (byteAt(line, key + at) === QUOTE) return false;
    at += 1;
  }
  return rank(byteAt(line, last + at)) < rank(byteAt(line, key + at));
};

/**
 * RFC 8785 sorts by UTF-16 code units. UTF-8 sorts the same way, but for characters beyond U+FFFF (first byte F0 to
 * F4): their surrogates come before U+E000 to U+FFFF (first byte EE or EF). The quote that ends a key comes before all.
 */
const rank = (byte: number): number => {
  if (byte === QUOTE) return 0;
  if (byte >= 0xf0) return byte - 2;
  return byte >= 0xee ? byte + 5 : byte;
};
