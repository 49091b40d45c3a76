// The record: one entry of the ledger, and what it is sealed from. Types only; docs/RECORDS.md says it byte for byte.
//
// A record's line is its RFC 8785 text in UTF-8, under 64 KiB; its hash is SHA-256(0x00 ‖ line) and is not in the line.
// `prev` is the hash of the record before, so that a plain walk with SHA-256 checks the chain.
// Not here: sealing (seal.ts), the tree over the lines (merkle.ts), where lines are stored (engines/).

import type { Instant, Sha256 } from "../../spine/model.ts";
import type { Json } from "../../spine/values/canonical.ts";

export type Ulid = string & { readonly __is: "Ulid" };

export const RECORD_VERSION = 1;
/** What the tlog-tiles layout can hold in one entry. */
export const LINE_BYTES_MAX = 65_535;
/** The `prev` of the first record. */
export const GENESIS = "0".repeat(64) as Sha256;

export type Actor = {
  readonly id: string;
  readonly kind: "person" | "agent" | "kernel";
  readonly roles: readonly string[];
};

/** Everything of a record but its place in the chain. Keys in alphabetical order, as in the line. */
export type Draft = {
  readonly actor: Actor;
  /** The digest of what the door was asked, where the caller gave a key for that; this record answers it. */
  readonly asked?: Sha256;
  readonly auditId: Ulid;
  readonly blobs?: readonly Sha256[];
  readonly body: { readonly [key: string]: Json };
  readonly causationId?: Ulid;
  readonly configHash: Sha256;
  readonly correlationId: Ulid;
  readonly environment?: string;
  /** When it happened, as the input says. */
  readonly eventTime: Instant;
  /** Of this caller; unique for ever together with the actor's id. */
  readonly idempotencyKey: Ulid;
  readonly instance: Ulid; // the process that wrote it
  readonly kind: string; // an unknown kind is kept and verified, never dropped
  /** When it was handled, stamped once before deciding. Order never comes from it. */
  readonly processTime: Instant;
};
export type LedgerRecord = Draft & {
  readonly prev: Sha256;
  readonly seq: number; // from 0, without a gap
  readonly v: typeof RECORD_VERSION;
};
/** A record with its exact bytes and their hash. */
export type Sealed = { readonly hash: Sha256; readonly line: Uint8Array; readonly record: LedgerRecord };

/** A number of records: what a ledger, a tree or a checkpoint can have. */
export const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
