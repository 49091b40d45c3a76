// What every field of a record must be, as one table in the order of the line. Asserted when a record is sealed, a
// finding when one is read: the same condition guards both.
//
// The kind and the body are open: what a kind means is the kernel's, and a kind nobody knows is kept and verified.
// keeps P7-O3: who, when, what, under which configuration and after which record are fields that no record lacks.
// Not here: the canonical text (profile.ts), the chain (seal.ts).

import type { Instant } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { assert } from "../assert.ts";
import type { RecordFlaw } from "../failure.ts";
import { isSize, type LedgerRecord, RECORD_VERSION } from "./record.ts";
import { isUlid } from "./ulid.ts";

type UnfitCause = Extract<RecordFlaw["cause"], `field-no-${string}`>;
type Field = {
  readonly name: keyof LedgerRecord;
  readonly is: (value: unknown) => boolean;
  /** What is said of a value that is not so. */
  readonly unfit: UnfitCause;
  readonly optional?: true;
};

const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

export const isInstant = (value: unknown): value is Instant => typeof value === "string" && INSTANT.test(value);
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, is: (member: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);

const isActor = (value: unknown): boolean =>
  isObject(value) &&
  "id" in value &&
  "kind" in value &&
  "roles" in value &&
  Object.keys(value).length === 3 &&
  isText(value.id) &&
  (value.kind === "person" || value.kind === "agent" || value.kind === "kernel") &&
  isListOf(value.roles, isText);

const FIELDS: readonly Field[] = [
  { is: isActor, name: "actor", unfit: "field-no-actor" },
  { is: isSha256, name: "asked", optional: true, unfit: "field-no-hash" },
  { is: isUlid, name: "auditId", unfit: "field-no-ulid" },
  { is: (value) => isListOf(value, isSha256), name: "blobs", optional: true, unfit: "field-no-hashes" },
  { is: isObject, name: "body", unfit: "field-no-object" },
  { is: isUlid, name: "causationId", optional: true, unfit: "field-no-ulid" },
  { is: isSha256, name: "configHash", unfit: "field-no-hash" },
  { is: isUlid, name: "correlationId", unfit: "field-no-ulid" },
  { is: isText, name: "environment", optional: true, unfit: "field-no-text" },
  { is: isInstant, name: "eventTime", unfit: "field-no-instant" },
  { is: isUlid, name: "idempotencyKey", unfit: "field-no-ulid" },
  { is: isUlid, name: "instance", unfit: "field-no-ulid" },
  { is: isText, name: "kind", unfit: "field-no-text" },
  { is: isSha256, name: "prev", unfit: "field-no-hash" },
  { is: isInstant, name: "processTime", unfit: "field-no-instant" },
  { is: isSize, name: "seq", unfit: "field-no-size" },
  { is: (value) => value === RECORD_VERSION, name: "v", unfit: "field-no-version" },
];

/** Why a value is not a record of this version; undefined when it is. */
export const envelopeFlaw = (value: { readonly [key: string]: unknown }): RecordFlaw | undefined => {
  let known = 0;
  for (const { is, name, optional, unfit } of FIELDS) {
    const member = value[name];
    if (member === undefined && optional === true) continue;
    if (!is(member)) return { cause: unfit, facts: { field: name, known: RECORD_VERSION } };
    known += 1;
  }
  if (Object.keys(value).length === known) return undefined;
  return { cause: "field-unknown", facts: { field: strangerIn(value) } };
};

/** The same answer without asking again, while the value stays the same one: that of a process hardly ever changes. */
const remembering = (is: (value: unknown) => boolean): ((value: unknown) => boolean) => {
  let right: unknown = Symbol("nothing yet");
  return (value) => {
    if (value === right) return true;
    if (!is(value)) return false;
    right = value;
    return true;
  };
};
const isConfigHash = remembering(isSha256);
const isInstance = remembering(isUlid);

/**
 * The same conditions for a record that was put together here and so has no other fields: several times faster than the
 * table, which is asked for the cause when this says no.
 */
export const hasFields = (record: LedgerRecord): boolean =>
  isActor(record.actor) &&
  (record.asked === undefined || isSha256(record.asked)) &&
  isUlid(record.auditId) &&
  (record.blobs === undefined || isListOf(record.blobs, isSha256)) &&
  isObject(record.body) &&
  (record.causationId === undefined || isUlid(record.causationId)) &&
  isConfigHash(record.configHash) &&
  isUlid(record.correlationId) &&
  (record.environment === undefined || isText(record.environment)) &&
  isInstant(record.eventTime) &&
  isUlid(record.idempotencyKey) &&
  isInstance(record.instance) &&
  isText(record.kind) &&
  isSha256(record.prev) &&
  isInstant(record.processTime) &&
  isSize(record.seq) &&
  record.v === RECORD_VERSION;

/** A key whose value is absent is a stranger too. */
const strangerIn = (value: { readonly [key: string]: unknown }): string => {
  const stranger = Object.keys(value).find(
    (key) => value[key] === undefined || !FIELDS.some(({ name }) => name === key),
  );
  assert.ok(stranger !== undefined, "a value with more keys than fields has a stranger");
  return stranger;
};

export const isRecord = (value: { readonly [key: string]: unknown }): value is LedgerRecord =>
  envelopeFlaw(value) === undefined;
