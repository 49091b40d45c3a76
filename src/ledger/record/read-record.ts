// readRecord(): the record of a line, or why the line is none. Total: it never throws for bytes.
//
// Strict: the bytes must be exactly those that sealing the record gives, so a line means one thing only. That is
// decided on the bytes (canonical-scan.ts, with a short way in fast/) before anything is parsed; what JSON.parse lets
// pass (a key twice, another escape, -0, white space) or misreads (a key with an escape) is a finding.
// A kind that nobody knows is read like any other. Not here: the chain (verify.ts).

import { isUtf8 } from "node:buffer";
import { assert } from "../assert.ts";
import type { RecordFlaw } from "../failure.ts";
import { canonicalFlawAt } from "./canonical-scan.ts";
import { envelopeFlaw, isRecord } from "./envelope.ts";
import { isPlainRecord } from "./fast/plain-record.ts";
import { type LedgerRecord, LINE_BYTES_MAX, RECORD_VERSION } from "./record.ts";

export type ReadFlaw = {
  readonly kind: "finding";
  readonly what: "too-long" | "unreadable" | "newer-format" | "not-a-record" | "not-canonical";
  readonly flaw: RecordFlaw;
};
export type ReadRecord = { readonly kind: "record"; readonly record: LedgerRecord } | ReadFlaw;

const finding = (what: ReadFlaw["what"], flaw: RecordFlaw): ReadFlaw => ({ flaw, kind: "finding", what });

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const readRecord = (line: Uint8Array): ReadRecord => readJudged(line, isPlainRecord(line));

/**
 * Several, each step for all of them: judging and parsing by turns, line by line, costs a tenth more, because each
 * pushes the other's code and guesses out of the processor.
 */
export const readLines = (lines: readonly Uint8Array[]): readonly ReadRecord[] => {
  const arePlain = lines.map(isPlainRecord);
  return lines.map((line, at) => readJudged(line, arePlain[at] === true));
};

/** What is beyond doubt a record has every field, and no other, and its text means one thing. */
const readJudged = (line: Uint8Array, isPlain: boolean): ReadRecord =>
  isPlain ? { kind: "record", record: JSON.parse(decoder.decode(line)) } : readThoroughly(line);

/** Without the short way: every condition on its own, and the words for the first that fails. */
export const readThoroughly = (line: Uint8Array): ReadRecord => {
  if (line.length > LINE_BYTES_MAX)
    return finding("too-long", { cause: "too-long", facts: { bytes: line.length, max: LINE_BYTES_MAX } });
  if (!isUtf8(line)) return finding("unreadable", { cause: "not-utf8", facts: {} });
  const flawAt = canonicalFlawAt(line);
  const value = parsed(decoder.decode(line));
  if (!isMembers(value)) return finding("unreadable", { cause: "not-an-object", facts: {} });
  const { v } = value;
  if (Number.isSafeInteger(v) && v !== RECORD_VERSION) {
    return finding("newer-format", { cause: "other-format", facts: { format: Number(v), known: RECORD_VERSION } });
  }
  if (flawAt >= 0) return finding("not-canonical", { cause: "not-canonical", facts: { byte: flawAt } });
  if (isRecord(value)) return { kind: "record", record: value };
  const flaw = envelopeFlaw(value);
  assert.ok(flaw !== undefined, "what is no record has a flaw");
  return finding("not-a-record", flaw);
};

type Members = { readonly [key: string]: unknown };

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON has no undefined, so it is free to mean "not JSON". */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
