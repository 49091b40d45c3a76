// formFlawAt(): where a line leaves the canonical form of docs/RECORDS.md; -1 when it never does.
//
// On the text that the bytes decode to, whose code units are what RFC 8785 sorts keys by. It parses nothing, so that it
// does not share what a parser lets pass: a key twice, another escape, white space, a number that is rounded.
// Not here: what the fields must be (read-line.ts).

const NESTING_MAX = 64;
const DIGITS_MAX = 16;

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON] = [code('"'), code("\\"), code(","), code(":")];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [code("{"), code("}"), code("["), code("]")];
const [MINUS, ZERO, NINE, SPACE] = [code("-"), code("0"), code("9"), code(" ")];

/** The place after what was read, or ~place of what does not belong there. */
type After = number;

/** By its number of code units, which is that of bytes where the text has no others; see byteAt. */
export const formFlawAt = (text: string): number => {
  const after = text.charCodeAt(0) === OPEN_OBJECT ? valueAfter(text, 0, 0) : ~0;
  if (after < 0) return ~after;
  return after === text.length ? -1 : after;
};

/** The number of the byte at which a code unit stands. */
export const byteAt = (text: string, at: number): number => new TextEncoder().encode(text.slice(0, at)).length;

const valueAfter = (text: string, at: number, nesting: number): After => {
  const first = text.charCodeAt(at);
  switch (first) {
    case QUOTE:
      return textAfter(text, at + 1);
    case OPEN_OBJECT:
      return nesting === NESTING_MAX ? ~at : objectAfter(text, at + 1, nesting + 1);
    case OPEN_LIST:
      return nesting === NESTING_MAX ? ~at : listAfter(text, at + 1, nesting + 1);
    default:
      return first === MINUS || (first >= ZERO && first <= NINE) ? integerAfter(text, at) : wordAfter(text, at);
  }
};

const wordAfter = (text: string, at: number): After => {
  const word = ["true", "false", "null"].find((one) => text.startsWith(one, at));
  return word === undefined ? ~at : at + word.length;
};

const integerAfter = (text: string, start: number): After => {
  const from = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = from;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1;
  const digits = at - from;
  if (digits === 0 || digits > DIGITS_MAX || !Number.isSafeInteger(Number(text.slice(from, at)))) return ~start;
  // Zero has one text, and no other number begins with it.
  return text.charCodeAt(from) === ZERO && at !== start + 1 ? ~start : at;
};

/** Up to what ends a text, is written with an escape, or must be. */
const plainAfter = (text: string, start: number): number => {
  let at = start;
  for (let unit = text.charCodeAt(at); unit >= SPACE && unit !== QUOTE && unit !== BACKSLASH; ) {
    at += 1;
    unit = text.charCodeAt(at);
  }
  return at;
};

const textAfter = (text: string, start: number): After => {
  let at = plainAfter(text, start);
  while (text.charCodeAt(at) === BACKSLASH) {
    const length = escapeLength(text, at + 1);
    if (length === 0) return ~at;
    at = plainAfter(text, at + 1 + length);
  }
  return text.charCodeAt(at) === QUOTE ? at + 1 : ~at;
};

/** Of what stands behind a backslash: the short ones, and for the other controls u00 and two small digits. */
const escapeLength = (text: string, at: number): number => {
  if ('"\\bfnrt'.includes(text.charAt(at)) && at < text.length) return 1;
  return /^u00(?:0[0-7be-f]|1[0-9a-f])$/.test(text.slice(at, at + 5)) ? 5 : 0;
};

const listAfter = (text: string, start: number, nesting: number): After => {
  if (text.charCodeAt(start) === CLOSE_LIST) return start + 1;
  let at = valueAfter(text, start, nesting);
  while (at >= 0 && text.charCodeAt(at) === COMMA) at = valueAfter(text, at + 1, nesting);
  if (at < 0) return at;
  return text.charCodeAt(at) === CLOSE_LIST ? at + 1 : ~at;
};

/** After the brace that opens it. */
export const objectAfter = (text: string, start: number, nesting: number): After => {
  if (text.charCodeAt(start) === CLOSE_OBJECT) return start + 1;
  let before: string | undefined;
  for (let at = start; ; at += 1) {
    if (text.charCodeAt(at) !== QUOTE) return ~at;
    const end = plainAfter(text, at + 1);
    if (text.charCodeAt(end) !== QUOTE) return ~end;
    const key = text.slice(at + 1, end);
    if (before !== undefined && before >= key) return ~(at + 1);
    before = key;
    if (text.charCodeAt(end + 1) !== COLON) return ~(end + 1);
    at = valueAfter(text, end + 2, nesting);
    if (at < 0) return at;
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
    if (text.charCodeAt(at) !== COMMA) return ~at;
  }
};
