// seal(): a draft and its place in the chain in, the record with its exact bytes and their hash out.
//
// What is wrong here is a bug of ours, so it is asserted: the fields, the profile of JSON, the length, the link. The
// same conditions are findings when a ledger is verified (read-record.ts, verify.ts). keeps N6
// Not here: who gives the place (sequencer.ts), where lines are stored (engines/).

import type { Sha256 } from "../../spine/model.ts";
import { assert } from "../assert.ts";
import type { Head } from "../engine.ts";
import type { RecordFlaw } from "../failure.ts";
import { envelopeFlaw, hasFields } from "./envelope.ts";
import { leafHash, leafOf } from "./leaf.ts";
import { type ProfileText, profileText } from "./profile.ts";
import { type Draft, type LedgerRecord, LINE_BYTES_MAX, RECORD_VERSION, type Sealed } from "./record.ts";

type Position = { readonly seq: number; readonly prev: Sha256 };

export const seal = (draft: Draft, at: Position): Sealed => {
  const record = placed(draft, at);
  if (!hasFields(record)) assert.fail(`a record has the fields of its format: ${JSON.stringify(envelopeFlaw(record))}`);
  const text = textOf(record);
  const leaf = leafOf(text);
  if (leaf === undefined)
    return assert.fail(`a line has at most ${LINE_BYTES_MAX} bytes, this one ${Buffer.byteLength(text)}`);
  return { hash: leaf.hash, line: leaf.line, record };
};

/** Of a record whose fields are right: put together around the body's text, which is faster than writing the whole. */
const textOf = (record: LedgerRecord): string => {
  const { actor, asked, blobs, causationId, environment } = record;
  const isPlain =
    isPlainText(actor.id) &&
    actor.roles.every(isPlainText) &&
    isPlainText(record.kind) &&
    (environment === undefined || isPlainText(environment));
  if (!isPlain) return textIn(profileText(record));
  return (
    `{"actor":{"id":"${actor.id}","kind":"${actor.kind}","roles":${listText(actor.roles)}},` +
    `${asked === undefined ? "" : `"asked":"${asked}",`}"auditId":"${record.auditId}",${blobs === undefined ? "" : `"blobs":${listText(blobs)},`}` +
    `"body":${textIn(profileText(record.body, 1))},` +
    `${causationId === undefined ? "" : `"causationId":"${causationId}",`}"configHash":"${record.configHash}",` +
    `"correlationId":"${record.correlationId}",${environment === undefined ? "" : `"environment":"${environment}",`}` +
    `"eventTime":"${record.eventTime}","idempotencyKey":"${record.idempotencyKey}","instance":"${record.instance}",` +
    `"kind":"${record.kind}","prev":"${record.prev}","processTime":"${record.processTime}",` +
    `"seq":${record.seq},"v":${RECORD_VERSION}}`
  );
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Stands in JSON as it is; half a surrogate pair, which no line may hold, is left to the long way with the whole ones.
 */
const isPlainText = (text: string): boolean => !NEEDS_CARE.test(text);

const listText = (texts: readonly string[]): string => (texts.length === 0 ? "[]" : `["${texts.join('","')}"]`);

const textIn = (result: ProfileText): string =>
  result.kind === "text" ? result.text : assert.fail(`a record has a canonical text: ${result.cause}`);

/** Keys in the order of the line, whatever order the draft has. Set one by one, which is faster than spreading. */
const placed = (draft: Draft, { prev, seq }: Position): LedgerRecord => {
  const { actor, asked, blobs, causationId, environment } = draft;
  const record: Partial<Writable<LedgerRecord>> = {
    actor: { id: actor.id, kind: actor.kind, roles: actor.roles },
  };
  if (asked !== undefined) record.asked = asked;
  record.auditId = draft.auditId;
  if (blobs !== undefined) record.blobs = blobs;
  record.body = draft.body;
  if (causationId !== undefined) record.causationId = causationId;
  record.configHash = draft.configHash;
  record.correlationId = draft.correlationId;
  if (environment !== undefined) record.environment = environment;
  record.eventTime = draft.eventTime;
  record.idempotencyKey = draft.idempotencyKey;
  record.instance = draft.instance;
  record.kind = draft.kind;
  record.prev = prev;
  record.processTime = draft.processTime;
  record.seq = seq;
  record.v = RECORD_VERSION;
  return record as LedgerRecord;
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** SHA-256(0x00 ‖ line): the record's hash, and its leaf in the tree. */
export const recordHash = (line: Uint8Array): Sha256 => leafHash(line);

export type LinkFlaw = { readonly flaw: RecordFlaw; readonly what: "out-of-order" | "broken-link" };

/** The one condition of the chain: asserted at append, a finding at verify. */
export const linkFlaw = (
  tail: Head,
  { prev, seq }: { readonly prev: string; readonly seq: number },
): LinkFlaw | undefined => {
  const { hash, size } = tail;
  if (seq !== size) return { flaw: { cause: "out-of-order", facts: { seqThere: seq, size } }, what: "out-of-order" };
  if (prev === hash) return undefined;
  return {
    flaw:
      size === 0
        ? { cause: "first-link-broken", facts: { hash, prev } }
        : { cause: "link-broken", facts: { before: size - 1, hash, prev } },
    what: "broken-link",
  };
};

export const assertLinked = (tail: Head, { record }: Sealed): void => {
  const flaw = linkFlaw(tail, record);
  if (flaw !== undefined) assert.fail(`a record links to the one before: ${flaw.what}`);
};
