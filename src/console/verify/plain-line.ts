// plainLineAfter(): where a line ends that is beyond doubt a canonical record and the next of its chain, without
// parsing it and without taking it out of the text of its page.
//
// For speed alone: it says yes only to what thorough reading (read-line.ts) and the link (chain-walk.ts) take too, and
// after a no those decide. The fields have one order, so that what stands before the body and behind it are patterns;
// the body is scanned, and the link is compared with the one that is due.

import { objectAfter } from "./line-form.ts";

export type ChainLink = { readonly prev: string; readonly seq: number };

const HASH = '"[0-9a-f]{64}"';
const ULID = '"[0-7][0-9A-HJKMNP-TV-Z]{25}"';
const TEXT = '"[^"\\\\\\u0000-\\u001f]+"';
const TIME = '"\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z"';
const listOf = (member: string): string => `\\[(?:${member}(?:,${member})*)?\\]`;

const BEFORE = new RegExp(
  `\\{"actor":\\{"id":${TEXT},"kind":"(?:agent|kernel|person)","roles":${listOf(TEXT)}\\},(?:"asked":${HASH},)?` +
    `"auditId":${ULID},(?:"blobs":${listOf(HASH)},)?"body":\\{`,
  "y",
);
const BEHIND = new RegExp(
  `(?:,"causationId":${ULID})?,"configHash":${HASH},"correlationId":${ULID}(?:,"environment":${TEXT})?,` +
    `"eventTime":${TIME},"idempotencyKey":${ULID},"instance":${ULID},"kind":${TEXT},"prev":"`,
  "y",
);
const BETWEEN = new RegExp(`","processTime":${TIME},"seq":`, "y");
/** The record itself and its body are around what is in the body. */
const NESTING = 2;

/** The hash of the record before it, and its own seq. */
export type ChainPlace = { readonly hash: string; readonly next: number };

/** -1 where it is not beyond doubt. */
export const plainLineAfter = (text: string, start: number, { hash, next }: ChainPlace): number => {
  const body = matchAfter(BEFORE, text, start);
  const end = body < 0 ? -1 : objectAfter(text, body, NESTING);
  const prev = end < 0 ? -1 : matchAfter(BEHIND, text, end);
  if (prev < 0 || !text.startsWith(hash, prev)) return -1;
  const seq = matchAfter(BETWEEN, text, prev + hash.length);
  const last = `${next},"v":1}`;
  return seq >= 0 && Number.isSafeInteger(next) && text.startsWith(last, seq) ? seq + last.length : -1;
};

const matchAfter = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};
