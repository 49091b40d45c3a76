// plainLink(): the place in the chain of a line that is beyond doubt a canonical record, without parsing it.
//
// For speed alone: it says yes only to what thorough reading (read-line.ts) takes too, and after a no that decides. The
// fields have one order, so that what stands before the body and behind it are two patterns; the body is scanned.

import { objectAfter } from "./line-form.ts";

export type ChainLink = { readonly prev: string; readonly seq: number };

const HASH = '"[0-9a-f]{64}"';
const ULID = '"[0-7][0-9A-HJKMNP-TV-Z]{25}"';
const TEXT = '"[^"\\\\\\u0000-\\u001f]+"';
const TIME = '"\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z"';
const listOf = (member: string): string => `\\[(?:${member}(?:,${member})*)?\\]`;

const BEFORE = new RegExp(
  `^\\{"actor":\\{"id":${TEXT},"kind":"(?:agent|kernel|person)","roles":${listOf(TEXT)}\\},(?:"asked":${HASH},)?` +
    `"auditId":${ULID},(?:"blobs":${listOf(HASH)},)?"body":\\{`,
);
const BEHIND = new RegExp(
  `^(?:,"causationId":${ULID})?,"configHash":${HASH},"correlationId":${ULID}(?:,"environment":${TEXT})?,` +
    `"eventTime":${TIME},"idempotencyKey":${ULID},"instance":${ULID},"kind":${TEXT},"prev":"([0-9a-f]{64})",` +
    `"processTime":${TIME},"seq":(0|[1-9]\\d{0,14}),"v":1\\}$`,
);
/** The record itself and its body are around what is in the body. */
const NESTING = 2;

export const plainLink = (text: string): ChainLink | undefined => {
  const start = BEFORE.exec(text)?.[0].length;
  const end = start === undefined ? -1 : objectAfter(text, start, NESTING);
  if (end < 0) return undefined;
  const [, prev, seq] = BEHIND.exec(text.slice(end)) ?? [];
  return prev === undefined ? undefined : { prev, seq: Number(seq) };
};
