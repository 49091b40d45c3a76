// What every field of a record must be, as one table in the order of the line. Asserted when a record is sealed, a
// finding when one is read: the same condition guards both.
//
// The kind and the body are open: what a kind means is the kernel's, and a kind nobody knows is kept and verified.
// keeps P7-O3: who, when, what, under which configuration and after which record are fields that no record lacks.
// Not here: the canonical text (profile.ts), the chain (seal.ts).

import type { Instant } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { isSize } from "../tree/merkle.ts";
import { type LedgerRecord, RECORD_VERSION, type Ulid } from "./record.ts";

type Field = {
  readonly name: keyof LedgerRecord;
  readonly is: (value: unknown) => boolean;
  readonly must: string;
  readonly optional?: true;
};

const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const ULID_DIGITS = 26;
const FIRST_MAX = "7".charCodeAt(0); // 26 digits hold two bits more than a ULID has
const IS_ULID_DIGIT = Uint8Array.from({ length: 128 }, (_, code) =>
  "0123456789ABCDEFGHJKMNPQRSTVWXYZ".includes(String.fromCharCode(code)) ? 1 : 0,
);

/** A loop over a table, because a pattern takes twice as long, and every record is asked this five times. */
export const isUlid = (value: unknown): value is Ulid => {
  if (typeof value !== "string" || value.length !== ULID_DIGITS || value.charCodeAt(0) > FIRST_MAX) return false;
  for (let at = 0; at < ULID_DIGITS; at += 1) if (IS_ULID_DIGIT[value.charCodeAt(at)] !== 1) return false;
  return true;
};
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

const A_ULID = "a ULID";
const A_HASH = "64 lower-case hex digits";
const AN_INSTANT = "an RFC 3339 time in UTC with milliseconds";

const FIELDS: readonly Field[] = [
  { is: isActor, must: "an id, a kind (person, agent or kernel) and roles", name: "actor" },
  { is: isSha256, must: A_HASH, name: "asked", optional: true },
  { is: isUlid, must: A_ULID, name: "auditId" },
  { is: (value) => isListOf(value, isSha256), must: "a list of SHA-256 hashes", name: "blobs", optional: true },
  { is: isObject, must: "an object", name: "body" },
  { is: isUlid, must: A_ULID, name: "causationId", optional: true },
  { is: isSha256, must: A_HASH, name: "configHash" },
  { is: isUlid, must: A_ULID, name: "correlationId" },
  { is: isText, must: "a text", name: "environment", optional: true },
  { is: isInstant, must: AN_INSTANT, name: "eventTime" },
  { is: isUlid, must: A_ULID, name: "idempotencyKey" },
  { is: isUlid, must: A_ULID, name: "instance" },
  { is: isText, must: "a text", name: "kind" },
  { is: isSha256, must: A_HASH, name: "prev" },
  { is: isInstant, must: AN_INSTANT, name: "processTime" },
  { is: isSize, must: "a whole number from 0 on", name: "seq" },
  { is: (value) => value === RECORD_VERSION, must: `${RECORD_VERSION}`, name: "v" },
];

/** Why a value is not a record of this version; undefined when it is. */
export const envelopeFlaw = (value: { readonly [key: string]: unknown }): string | undefined => {
  let known = 0;
  for (const { is, must, name, optional } of FIELDS) {
    const member = value[name];
    if (member === undefined && optional === true) continue;
    if (!is(member)) return `${name} must be ${must}`;
    known += 1;
  }
  return Object.keys(value).length === known ? undefined : `${strangerIn(value)} is no field of a record`;
};

/** The same answer without asking again, while the value stays the same one: that of a process hardly ever changes. */
const remembering = (is: (value: unknown) => boolean): ((value: unknown) => boolean) => {
  let right: unknown;
  return (value) => {
    if (value !== undefined && value === right) return true;
    if (!is(value)) return false;
    right = value;
    return true;
  };
};
const isConfigHash = remembering(isSha256);
const isInstance = remembering(isUlid);

/**
 * The same conditions for a record that was put together here and so has no other fields: several times faster than the
 * table, which is asked for the words when this says no.
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

const strangerIn = (value: object): string =>
  Object.keys(value).find((key) => !FIELDS.some(({ name }) => name === key)) ?? "an absent value";

export const isRecord = (value: { readonly [key: string]: unknown }): value is LedgerRecord =>
  envelopeFlaw(value) === undefined;
