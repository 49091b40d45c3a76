// isPlainRecord(): whether a line is beyond doubt a canonical record, decided on its bytes.
//
// A second reader of the format, for speed alone: `ledger verify` takes half the time with it, and without it would
// only just meet its goal (bench/ledger-cpu.ts). It says yes only to lines that thorough reading (read-record.ts) takes
// too, and no to some of those (an escape in an actor's name, say); after a no, that decides. So it could be deleted
// and nothing would be decided otherwise; a property test holds the two together.
// The fields come in their order, so the line is walked once; the body is scanned. Each step gives the place after what
// it expects, or NO, and takes NO for an answer, since no byte stands there: that spares a question after every one of
// them.

import { isUtf8 } from "node:buffer";
import { bodyEnd } from "../canonical-scan.ts";
import { LINE_BYTES_MAX, RECORD_VERSION } from "../record.ts";
import { ULID_DIGITS } from "../ulid.ts";

const NO = -1;
type Position = number;

const code = (character: string): number => character.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code("\\");
const COMMA = code(",");
const CLOSE_LIST = code("]");
const SPACE = code(" ");
const ZERO = code("0");

/** 1 for every byte that is one of these characters. */
const oneOf = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (characters.includes(String.fromCharCode(byte)) ? 1 : 0));
const DIGIT = oneOf("0123456789");
const HEX = oneOf("0123456789abcdef");
const ULID_DIGIT = oneOf(ULID_DIGITS);
const ULID_FIRST = oneOf("01234567");
/** What stands in a text without an escape and does not end it. */
const IN_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

const word = (line: Uint8Array, at: Position, expected: Uint8Array): Position => {
  for (let n = 0; n < expected.length; n += 1) if (line[at + n] !== expected[n]) return NO;
  return at + expected.length;
};

/** Counted and judged at the end, which is faster than a question for each byte. */
const run = (line: Uint8Array, at: Position, allowed: Uint8Array, count: number): Position => {
  const end = at + count;
  if (at < 0 || end > line.length) return NO;
  let found = 0;
  for (let n = at; n < end; n += 1) found += allowed[line[n] as number] as number;
  return found === count ? end : NO;
};

const byte = (line: Uint8Array, at: Position, expected: number): Position => (line[at] === expected ? at + 1 : NO);

/** At least one byte, and the quote after it. */
const textRest = (line: Uint8Array, start: Position): Position => {
  let at = start;
  while (IN_TEXT[line[at] ?? 0] === 1) at += 1;
  return at === start ? NO : byte(line, at, QUOTE);
};

const HASH_DIGITS = 64;
const hashRest = (line: Uint8Array, at: Position): Position => byte(line, run(line, at, HEX, HASH_DIGITS), QUOTE);

const ULID_LENGTH = 26;
const ulidRest = (line: Uint8Array, at: Position): Position =>
  byte(line, run(line, run(line, at, ULID_FIRST, 1), ULID_DIGIT, ULID_LENGTH - 1), QUOTE);

/** After the opening bracket. */
const listRest = (
  line: Uint8Array,
  start: Position,
  memberRest: (line: Uint8Array, at: Position) => Position,
): Position => {
  if (line[start] === CLOSE_LIST) return start + 1;
  let at = memberRest(line, byte(line, start, QUOTE));
  while (line[at] === COMMA) at = memberRest(line, byte(line, at + 1, QUOTE));
  return byte(line, at, CLOSE_LIST);
};

/** Two digits whose number is from `least` to `most`, and the byte after them. */
const two = (line: Uint8Array, at: Position, least: number, most: number, after: number): Position => {
  if (run(line, at, DIGIT, 2) < 0) return NO;
  const value = ((line[at] ?? 0) - ZERO) * 10 + ((line[at + 1] ?? 0) - ZERO);
  return value >= least && value <= most ? byte(line, at + 2, after) : NO;
};

const [DASH, TIME, COLON, POINT] = [code("-"), code("T"), code(":"), code(".")];
const ZULU = bytes('Z"');

const instantRest = (line: Uint8Array, start: Position): Position => {
  const month = byte(line, run(line, start, DIGIT, 4), DASH);
  const hour = two(line, two(line, month, 1, 12, DASH), 1, 31, TIME);
  const millis = two(line, two(line, two(line, hour, 0, 23, COLON), 0, 59, COLON), 0, 59, POINT);
  return word(line, run(line, millis, DIGIT, 3), ZULU);
};

const SEQ_DIGITS_MAX = 15; // as many as are always a safe integer

const seqEnd = (line: Uint8Array, start: Position): Position => {
  let at = start;
  while (DIGIT[line[at] ?? 0] === 1) at += 1;
  const digits = at - start;
  return digits === 0 || digits > SEQ_DIGITS_MAX || (digits > 1 && line[start] === ZERO) ? NO : at;
};

const ACTOR_ID = bytes('{"actor":{"id":"');
const ACTOR_KIND = bytes(',"kind":"');
const KINDS = ["person", "agent", "kernel"].map((kind) => bytes(`${kind}"`));
const ROLES = bytes(',"roles":[');
const ASKED = bytes(',"asked":"');
const AUDIT_ID = bytes(',"auditId":"');
const CLOSE_ACTOR = bytes("}");
const BLOBS = bytes(',"blobs":[');
const BODY = bytes(',"body":');
const CAUSATION_ID = bytes(',"causationId":"');
const CONFIG_HASH = bytes(',"configHash":"');
const CORRELATION_ID = bytes(',"correlationId":"');
const ENVIRONMENT = bytes(',"environment":"');
const EVENT_TIME = bytes(',"eventTime":"');
const IDEMPOTENCY_KEY = bytes(',"idempotencyKey":"');
const INSTANCE = bytes(',"instance":"');
const KIND = bytes(',"kind":"');
const PREV = bytes(',"prev":"');
const PROCESS_TIME = bytes(',"processTime":"');
const SEQ = bytes(',"seq":');
const END = bytes(`,"v":${RECORD_VERSION}}`);

const actorKind = (line: Uint8Array, at: Position): Position => {
  for (const kind of KINDS) {
    const end = word(line, at, kind);
    if (end >= 0) return end;
  }
  return NO;
};

/** Where the body begins. */
const bodyStart = (line: Uint8Array): Position => {
  const actor = actorKind(line, word(line, textRest(line, word(line, 0, ACTOR_ID)), ACTOR_KIND));
  const roles = word(line, listRest(line, word(line, actor, ROLES), textRest), CLOSE_ACTOR);
  const asked = word(line, roles, ASKED);
  const at = ulidRest(line, word(line, asked < 0 ? roles : hashRest(line, asked), AUDIT_ID));
  const blobs = word(line, at, BLOBS);
  return word(line, blobs < 0 ? at : listRest(line, blobs, hashRest), BODY);
};

/** Where the record ends, from where its body does. */
const recordEnd = (line: Uint8Array, body: Position): Position => {
  const cause = word(line, body, CAUSATION_ID);
  const config = hashRest(line, word(line, cause < 0 ? body : ulidRest(line, cause), CONFIG_HASH));
  const correlation = ulidRest(line, word(line, config, CORRELATION_ID));
  const environment = word(line, correlation, ENVIRONMENT);
  const time = instantRest(line, word(line, environment < 0 ? correlation : textRest(line, environment), EVENT_TIME));
  const key = ulidRest(line, word(line, time, IDEMPOTENCY_KEY));
  const kind = textRest(line, word(line, ulidRest(line, word(line, key, INSTANCE)), KIND));
  const prev = hashRest(line, word(line, kind, PREV));
  const seq = seqEnd(line, word(line, instantRest(line, word(line, prev, PROCESS_TIME)), SEQ));
  return word(line, seq, END);
};

export const isPlainRecord = (line: Uint8Array): boolean => {
  if (line.length > LINE_BYTES_MAX || !isUtf8(line)) return false;
  const body = bodyStart(line);
  const end = body < 0 ? NO : bodyEnd(line, body);
  return end >= 0 && recordEnd(line, end) === line.length;
};
