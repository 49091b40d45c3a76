// seal(): a draft and its place in the chain in, the record with its exact bytes and their hash out.
//
// What is wrong here is a bug of ours, so it is asserted: the fields, the profile of JSON, the length, the link. The same
// conditions are findings when a ledger is verified (read-record.ts, verify.ts). keeps N6
// Not here: who gives the place (sequencer.ts), where lines are stored (engines/).

import assert from "node:assert/strict";
import type { Sha256 } from "../spine/model.ts";
import type { Head } from "./engine.ts";
import { envelopeFlaw } from "./envelope.ts";
import { leafHash } from "./merkle.ts";
import { written } from "./profile.ts";
import { type Draft, type LedgerRecord, LINE_BYTES_MAX, RECORD_VERSION, type Sealed } from "./record.ts";

type Place = { readonly seq: number; readonly prev: Sha256 };

export const seal = (draft: Draft, at: Place): Sealed => {
  const record = placed(draft, at);
  const flaw = envelopeFlaw(record);
  if (flaw !== undefined) assert.fail(`a record has the fields of its format: ${flaw}`);
  const result = written(record);
  if (result.kind === "outside") assert.fail(`a record has a canonical text: ${result.because}`);
  const line = Buffer.from(result.text, "utf8");
  if (line.length > LINE_BYTES_MAX) assert.fail(`a line has at most ${LINE_BYTES_MAX} bytes, this one ${line.length}`);
  return { hash: leafHash(line), line, record };
};

/** Keys in the order of the line, whatever order the draft has. */
const placed = (draft: Draft, { prev, seq }: Place): LedgerRecord => ({
  actor: { id: draft.actor.id, kind: draft.actor.kind, roles: draft.actor.roles },
  auditId: draft.auditId,
  ...(draft.blobs === undefined ? undefined : { blobs: draft.blobs }),
  body: draft.body,
  ...(draft.causationId === undefined ? undefined : { causationId: draft.causationId }),
  configHash: draft.configHash,
  correlationId: draft.correlationId,
  ...(draft.environment === undefined ? undefined : { environment: draft.environment }),
  eventTime: draft.eventTime,
  idempotencyKey: draft.idempotencyKey,
  instance: draft.instance,
  kind: draft.kind,
  prev,
  processTime: draft.processTime,
  seq,
  v: RECORD_VERSION,
});

/** SHA-256(0x00 ‖ line): the record's hash, and its leaf in the tree. */
export const recordHash = (line: Uint8Array): Sha256 => leafHash(line);

export type LinkFlaw = { readonly what: "out-of-order" | "broken-link"; readonly because: string };

/** The one condition of the chain: asserted at append, a finding at verify. */
export const linkFlaw = (
  tail: Head,
  { prev, seq }: { readonly prev: string; readonly seq: number },
): LinkFlaw | undefined => {
  if (seq !== tail.size) return { because: `its seq is ${seq} where ${tail.size} belongs`, what: "out-of-order" };
  if (prev === tail.hash) return undefined;
  const should = tail.size === 0 ? "the first record has" : `the hash of record ${tail.size - 1} is`;
  return { because: `its prev is ${prev}, but ${should} ${tail.hash}`, what: "broken-link" };
};

export const assertLinked = (tail: Head, { record }: Sealed): void => {
  const flaw = linkFlaw(tail, record);
  if (flaw !== undefined) assert.fail(`a record links to the one before: ${flaw.because}`);
};
