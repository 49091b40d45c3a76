// readLine(): the record that a line is, or why it is none. Total: whatever the bytes are, it never throws.
//
// A second reader of the published format (docs/RECORDS.md), which shares no line of code with the one that wrote it:
// what both take for a record is one. Causes and their facts are those of the first, so that their words are the same.
// Not here: the chain (chain-walk.ts).

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import type { RecordSeen } from "../../boundary/contract/seen-record.ts";
import { byteAt, formFlawAt } from "./line-form.ts";
import { type ChainLink, type ChainPlace, plainLineAfter } from "./plain-line.ts";

export const LINE_MAX = 65_535;
const FORMAT = 1;

export type LineFlaw = {
  readonly flaw: FlawSeen;
  readonly kind: "flaw";
  readonly what: "too-long" | "unreadable" | "newer-format" | "not-a-record" | "not-canonical";
};
export type LineRead = { readonly kind: "record"; readonly record: RecordSeen; readonly text: string } | LineFlaw;

const flawed = (what: LineFlaw["what"], flaw: FlawSeen): LineFlaw => ({ flaw, kind: "flaw", what });

const HASH = /^[0-9a-f]{64}$/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const isMatch = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);
const isHash = isMatch(HASH);
const isUlidText = isMatch(ULID);
const isTime = isMatch(INSTANT);
const isSaid = (value: unknown): boolean => typeof value === "string" && value !== "";
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isAsker = (value: unknown): boolean =>
  isFields(value) &&
  Object.keys(value).length === 3 &&
  isSaid(value["id"]) &&
  ["agent", "kernel", "person"].includes(String(value["kind"])) &&
  Array.isArray(value["roles"]) &&
  value["roles"].every(isSaid);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

type FieldRule = readonly [name: string, cause: UnfitCause, is: (value: unknown) => boolean, optional?: true];
type UnfitCause = Extract<FlawSeen["cause"], `field-no-${string}`>;

/** In the order of the line. */
const FIELDS: readonly FieldRule[] = [
  ["actor", "field-no-actor", isAsker],
  ["asked", "field-no-hash", isHash, true],
  ["auditId", "field-no-ulid", isUlidText],
  ["blobs", "field-no-hashes", (value) => Array.isArray(value) && value.every(isHash), true],
  ["body", "field-no-object", isFields],
  ["causationId", "field-no-ulid", isUlidText, true],
  ["configHash", "field-no-hash", isHash],
  ["correlationId", "field-no-ulid", isUlidText],
  ["environment", "field-no-text", isSaid, true],
  ["eventTime", "field-no-instant", isTime],
  ["idempotencyKey", "field-no-ulid", isUlidText],
  ["instance", "field-no-ulid", isUlidText],
  ["kind", "field-no-text", isSaid],
  ["prev", "field-no-hash", isHash],
  ["processTime", "field-no-instant", isTime],
  ["seq", "field-no-size", isCount],
  ["v", "field-no-version", (value) => value === FORMAT],
];

const fieldFlaw = (value: Readonly<Record<string, unknown>>): FlawSeen | undefined => {
  let known = 0;
  for (const [field, cause, is, optional] of FIELDS) {
    const member = value[field];
    if (member === undefined && optional === true) continue;
    if (!is(member)) return { cause, facts: { field, known: FORMAT } };
    known += 1;
  }
  if (Object.keys(value).length === known) return undefined;
  const stranger = Object.keys(value).find((key) => !FIELDS.some(([name]) => name === key)) ?? "";
  return { cause: "field-unknown", facts: { field: stranger } };
};

/** One for all lines: making one takes as long as reading a line. */
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined where it is no UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined => {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Of the next line of a chain its place; of any other record where it says it stands; or why it is none. */
export const linkIn = (line: Uint8Array, place: ChainPlace): ChainLink | LineFlaw => {
  const text = line.length > LINE_MAX ? undefined : utf8Text(line);
  if (text !== undefined && plainLineAfter(text, 0, place) === text.length)
    return { prev: place.hash, seq: place.next };
  const read = readLine(line);
  return read.kind === "flaw" ? read : read.record;
};

export const readLine = (line: Uint8Array): LineRead => {
  if (line.length > LINE_MAX)
    return flawed("too-long", { cause: "too-long", facts: { bytes: line.length, max: LINE_MAX } });
  const text = utf8Text(line);
  if (text === undefined) return flawed("unreadable", { cause: "not-utf8", facts: {} });
  const value = parsed(text);
  if (!isFields(value)) return flawed("unreadable", { cause: "not-an-object", facts: {} });
  const { v } = value;
  if (Number.isSafeInteger(v) && v !== FORMAT)
    return flawed("newer-format", { cause: "other-format", facts: { format: Number(v), known: FORMAT } });
  const flawAt = formFlawAt(text);
  if (flawAt >= 0) return flawed("not-canonical", { cause: "not-canonical", facts: { byte: byteAt(text, flawAt) } });
  const flaw = fieldFlaw(value);
  return flaw === undefined ? { kind: "record", record: value as RecordSeen, text } : flawed("not-a-record", flaw);
};
