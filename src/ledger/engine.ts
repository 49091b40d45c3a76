// The port of a ledger engine, and what it promises. Every engine keeps the same promises in its own native way; they
// share nothing but the format, and one conformance suite runs on all of them.
//
// 1. All or nothing: after any crash a commit is there whole or not at all.
// 2. Durable before ok: when append resolves with "ok", the commit survives a power cut.
// 3. One order: lines are numbered from 0 without a gap; a commit goes in only at the size it expects.
// 4. A key is used once: (caller, key) is unique for ever, inside the same atomic append.
// 5. Blobs first: a blob that a line names is durable no later than the line.
// 6. Never a guess: a commit whose fate is not known is "unknown"; it is resolved by reading, never by sending again.
//    The answer says whether what is read then is final.
// 7. After a failed write (full disk, fsync error) the engine is read-only until an operator unlocks it. A lost
//    connection does not make it read-only: the engine reconnects by itself.
//
// keeps G1, G2, G6 and B6.

import type { Refusal, Sha256 } from "../spine/model.ts";
import type { ReadOnlyFailure, UnwrittenFailure } from "./failure.ts";
import type { PathClaim } from "./files/path-claims.ts";
import type { Ulid } from "./record/record.ts";

export const COMMIT_LINES_MAX = 256;
export const COMMIT_BYTES_MAX = 512 * 1024;

/** One use of an idempotency key: `request` is the hash of what was asked, `seq` the record that answered it. */
export type KeyUse = { readonly caller: string; readonly key: Ulid; readonly request: Sha256; readonly seq: number };

/** At most COMMIT_LINES_MAX lines and COMMIT_BYTES_MAX bytes of lines; every engine can hold it in one message. */
export type Commit = {
  readonly lines: readonly Uint8Array[];
  readonly keys: readonly KeyUse[];
  /** Content-addressed: the name is the SHA-256 of the bytes. */
  readonly blobs: ReadonlyMap<Sha256, Uint8Array>;
};

export type Appended =
  | { readonly kind: "ok" }
  /** Another writer was first; nothing was written. */
  | { readonly kind: "conflict"; readonly size: number }
  /** A key was used before; nothing was written. */
  | { readonly kind: "duplicate"; readonly seq: number }
  /** Nothing was written: the engine is read-only, or a lock was not to be had in time, which does not make it so. */
  | { readonly kind: "read-only"; readonly failure: UnwrittenFailure }
  /**
   * It was sent, and no answer came. Reading tells whether it was written; what it tells is
   * final: the engine has ended whatever was still at work on the commit, so that one that is not there never will be;
   * open:  a commit that is not there may still appear, after a crash say.
   */
  | { readonly kind: "unknown"; readonly failure: UnwrittenFailure; readonly reading: "final" | "open" };

/** Lines that stand one after another. */
export type Lines = readonly Uint8Array[];

export async function* linesIn(pages: AsyncIterable<Lines>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) yield* page;
}

export type Head = { readonly size: number; readonly hash: Sha256 };

/** Where a ledger that is followed stands; undefined while it cannot be reached. */
export type Hears = (head: Head | undefined) => void;

/** Where a commit belongs: behind so many lines, and behind the one with this hash where the caller knows it. */
export type CommitPlace = { readonly hash?: Sha256; readonly size: number };

export interface Engine {
  /** For messages: "sqlite" or "postgres", and where. Holds no secret. */
  readonly name: string;
  append(commit: Commit, expect: CommitPlace): Promise<Appended>;
  /** The size, and the hash of the last line (GENESIS when empty). */
  head(): Promise<Head>;
  /**
   * Lines [from, to), in order; it ends early where the ledger ends. Stored bytes that cannot be what was written raise
   * LedgerDamage (damage.ts) at the first line that cannot be given; head, blob, lookup and follow do the same.
   */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** The same lines, as many at once as the engine fetches: for walks, where waiting for each line would show. */
  pages(from: number, to: number): AsyncIterable<Lines>;
  blob(digest: Sha256): Promise<Uint8Array | undefined>;
  lookup(caller: string, key: Ulid): Promise<Omit<KeyUse, "caller" | "key"> | undefined>;
  /** Every use of a key, in the order of the keys; those that come meanwhile may be among them or not. */
  keys(): AsyncIterable<KeyUse>;
  /**
   * Lines from `from` on, those that come later too, until the signal aborts. `hears` is told the head each time that
   * the end was read, at least about once a second, and nothing while the ledger cannot be reached: then it goes on by
   * itself later.
   */
  follow(from: number, signal: AbortSignal, hears?: Hears): AsyncIterable<Uint8Array>;
  /**
   * Whether its address leads to this very store still; a server cannot tell, and what is read of it does
   * (write/batch.ts).
   */
  isInPlace(): boolean;
  /** Why the engine takes no writes; undefined when it does. */
  readOnly(): ReadOnlyFailure | undefined;
  /**
   * Takes writes again after an operator decided so, provided that a write succeeds; otherwise readOnly() says why not.
   * The caller records that act.
   */
  unlock(): Promise<void>;
  close(): Promise<void>;
}

/** Opening fails with a refusal, never with an engine that would break a promise. */
export type Opened =
  | { readonly kind: "open"; readonly engine: Engine }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Where a ledger is, with every secret looked up; never to be shown. */
export type LedgerLocation = {
  /** Every path on this machine that a ledger there may write; a server has none. */
  readonly claims: () => readonly PathClaim[];
  /** Why the ledger there takes no writes; it is only read, so that whoever must not write can ask. */
  readonly readOnlyMark: () => Promise<ReadOnlyFailure | undefined>;
  /** What a ledger there is called in messages and records; holds no secret. */
  readonly name: () => Promise<string>;
  /** Absent where nothing can be proven of other processes, and nothing is claimed. */
  readonly owners?: () => Promise<OwnerLocks>;
  /** Opening for writing makes a ledger where there is none. */
  readonly open: (mode: "read" | "write") => Promise<Opened>;
};

/** What a lock that is free says of its owner. */
export type OwnerGone =
  /** Its process has ended: the system frees the lock with it. */
  | "owner-ended"
  /**
   * A server holds the lock no more, and its owner sends nothing more. Its process may live, cut off from the server.
   */
  | "owner-unlocked";

/** Shows to every other process at the ledger that this one lives. */
export type OwnerLock = {
  /** Whether it is held, and was without a gap since it was given. Asked right before a call leaves; doubt is a no. */
  readonly isHeld: () => Promise<boolean>;
};

/** The locks by which the processes at one ledger know who of them lives. */
export type OwnerLocks = {
  /** Frees what is held. */
  readonly close: () => Promise<void>;
  /** Those that are gone and have left their lock behind. */
  readonly ended: () => readonly Ulid[];
  /** Those of whom it can be proven; whoever is not among them may live. */
  readonly gone: (owners: readonly Ulid[]) => Promise<ReadonlyMap<Ulid, OwnerGone>>;
  /**
   * Before every claim: what is held already is given again, and what was lost is taken anew. Or why it cannot be had.
   */
  readonly hold: (instance: Ulid) => Promise<OwnerLock | Refusal>;
  /** Takes away what proves that an owner is gone. */
  readonly remove: (owner: Ulid) => void;
};
