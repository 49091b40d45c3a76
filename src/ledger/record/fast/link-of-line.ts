// linkOf(): seq and prev out of a line's bytes, without parsing it. linksTo(): whether they are what a head asks for.
//
// Keys ascend, so every line ends with ,"prev":"…","processTime":"…","seq":N,"v":1} and it is read from its end.
// Nothing in a body can pass for this: the last brace closes the record itself; a quote inside a text is written \" and
// would not stand behind a comma or brace; so these keys are the record's own.
// Not here: whether the rest is a record (read-record.ts).

import type { Head } from "../../engine.ts";

const HASH_DIGITS = 64;
const INSTANT_LENGTH = 24;

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const END = bytesOf(',"v":1}');
const BEFORE_SEQ = bytesOf('","seq":');
const BEFORE_TIME = bytesOf('","processTime":"');
const BEFORE_PREV = bytesOf(',"prev":"');

const ZERO = 0x30;
const NINE = 0x39;
const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= ZERO && byte <= NINE;

/**
 * The start of `bytes` when they end at `end`; -1 when others stand there. Before a line there is nothing equal to a
 * byte.
 */
const startOf = (line: Uint8Array, end: number, bytes: Uint8Array): number => {
  const start = end - bytes.length;
  for (let at = 0; at < bytes.length; at += 1) if (line[start + at] !== bytes[at]) return -1;
  return start;
};

export type RawLink = { readonly seq: number; readonly prev: string };

/** Undefined for a line that does not end as a record of this version does. */
export const linkOf = (line: Uint8Array): RawLink | undefined => {
  const seqEnd = startOf(line, line.length, END);
  let seqStart = seqEnd;
  let seq = 0;
  let scale = 1;
  for (let digit = line[seqEnd - 1]; isDigit(digit); digit = line[seqStart - 1]) {
    seq += (digit - ZERO) * scale;
    scale *= 10;
    seqStart -= 1;
  }
  if (seqStart === seqEnd || !Number.isSafeInteger(seq)) return undefined;
  if (line[seqStart] === ZERO && seqEnd - seqStart > 1) return undefined;
  const timeEnd = startOf(line, seqStart, BEFORE_SEQ);
  const prevEnd = startOf(line, timeEnd - INSTANT_LENGTH, BEFORE_TIME);
  if (startOf(line, prevEnd - HASH_DIGITS, BEFORE_PREV) < 0) return undefined;
  return { prev: textOf(line, prevEnd - HASH_DIGITS, prevEnd), seq };
};

/**
 * Whether a line's link is to this head: a short way for walks, which builds nothing. After a no, linkOf tells more.
 */
export const linksTo = ({ hash, size }: Head, line: Uint8Array): boolean => {
  if (!Number.isSafeInteger(size)) return false;
  let seqStart = startOf(line, line.length, END);
  let rest = size;
  do {
    seqStart -= 1;
    if (line[seqStart] !== ZERO + (rest % 10)) return false;
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  const timeEnd = startOf(line, seqStart, BEFORE_SEQ);
  const prevEnd = startOf(line, timeEnd - INSTANT_LENGTH, BEFORE_TIME);
  const prevStart = prevEnd - HASH_DIGITS;
  if (startOf(line, prevStart, BEFORE_PREV) < 0) return false;
  for (let at = 0; at < HASH_DIGITS; at += 1) if (line[prevStart + at] !== hash.charCodeAt(at)) return false;
  return true;
};

const textOf = (line: Uint8Array, from: number, to: number): string =>
  Buffer.from(line.buffer, line.byteOffset + from, to - from).toString("latin1");
