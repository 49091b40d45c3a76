// append() on PostgreSQL: what became of a commit, said without guessing, and the mark.
//
// The read-only mark is in memory and in the head row, where it stops every other writer and outlives this process. A
// server that went down over the failed write is told as soon as anything reaches it again.
// A commit whose reply was lost leaves a doubt: the server's process behind it may still be at work. `settled` ends
// that process and waits until it is gone, so that what is read afterwards stays true. Every read waits for it.

import type { QueryConfig } from "pg";
import { assertCommit } from "../../assert-commit.ts";
import { type Appended, COMMIT_BYTES_MAX, type Commit, type CommitPlace } from "../../engine.ts";
import type { ReadOnlyFailure, ServerFailure, UnwrittenFailure } from "../../failure.ts";
import { markText, readOnlyIn } from "../../read-only-mark.ts";
import { appendQuery, KEYS_ONCE, usedQuery } from "./postgres-append.ts";
import { type Backend, type PostgresSession, type Ran, runAgain, saidIn } from "./postgres-session.ts";
import { brokenSince, PROMISED_COLUMNS } from "./postgres-settings.ts";
import type { SaidFailure } from "./postgres-target.ts";
import { columnInteger, type PostgresRow } from "./postgres-values.ts";

export type Writer = {
  readonly append: (commit: Commit, expect: CommitPlace) => Promise<Appended>;
  readonly readOnly: () => ReadOnlyFailure | undefined;
  readonly unlock: () => Promise<void>;
  /** Resolves when no commit is in doubt and a read-only mark is told, with what is in the way of the first. */
  readonly settled: () => Promise<ServerFailure | undefined>;
};

/** Disk full; system errors such as I/O; internal errors and corruption. Appendix A of PostgreSQL's documentation. */
const TURNS_READ_ONLY = /^(?:53100|58|XX)/;
const UNIQUE_VIOLATION = "23505";
const END_MAX_MS = 5_000;

/** Ends the server's process behind a connection that is lost, where it works on; without a row it is gone. */
export const endQuery = ({ pid, start }: Backend): QueryConfig => ({
  name: "end",
  text: `
    SELECT pg_terminate_backend(pid, ${END_MAX_MS}) FROM pg_stat_activity
    WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
  values: [pid, start],
});
const HEAD = { name: "size", text: `SELECT size, read_only, ${PROMISED_COLUMNS} FROM dedalus_ledger.head` };
const MARK = { name: "mark", text: "UPDATE dedalus_ledger.head SET read_only = $1" };

/**
 * The largest commit is written and taken away again; a small write could fit where the next commit does not.
 * No blob has an empty name, so this row is nobody's; hashes do not shrink when they are compressed.
 */
const UNLOCK = [
  {
    text: `
      INSERT INTO dedalus_ledger.blobs (digest, bytes)
      SELECT '', string_agg(sha256(int8send(n)), '') FROM generate_series(1, ${COMMIT_BYTES_MAX / 32}) AS n
      ON CONFLICT DO NOTHING`,
  },
  { text: "DELETE FROM dedalus_ledger.blobs WHERE digest = ''" },
  { ...MARK, values: [null] },
];

/** What another process, or this one before, has written down. */
export const readReadOnlyMark = async (
  name: string,
  session: PostgresSession,
): Promise<ReadOnlyFailure | undefined> => {
  const ran = await session.run(HEAD);
  if (ran.kind !== "answered") return { cause: "mark-unread", facts: { name, said: saidIn(ran.failure) } };
  return markIn(ran.rows[0]);
};

const markIn = (row: PostgresRow | undefined): ReadOnlyFailure | undefined => {
  const mark = row?.["read_only"];
  return typeof mark === "string" ? readOnlyIn(mark) : undefined;
};

const readOnly = (failure: UnwrittenFailure): Appended => ({ failure, kind: "read-only" });

/** `session` writes; `other` is a second connection, which the loss of the first leaves alone. */
export const writer = (
  name: string,
  session: PostgresSession,
  other: PostgresSession,
  readOnlyAtOpen: ReadOnlyFailure | undefined,
): Writer => {
  let readOnlyMark: { readonly failure: ReadOnlyFailure; readonly shared: boolean } | undefined =
    readOnlyAtOpen === undefined ? undefined : { failure: readOnlyAtOpen, shared: true };
  let doubt: Backend | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const settled = async (): Promise<ServerFailure | undefined> => {
    for (let tries = 0; doubt !== undefined; tries += 1) {
      const suspect = doubt;
      const ran = await runAgain(other, endQuery(suspect));
      if (ran.kind !== "answered") return ran.failure;
      if (ran.rows.length === 0 && doubt === suspect) doubt = undefined;
      if (tries > 2) return { cause: "doubt-open", facts: { name } };
    }
    await tell();
    return undefined;
  };

  /**
   * Lets every other writer know of the mark; where the server does not hear it, the next one to ask it tries again.
   */
  const tell = async (): Promise<void> => {
    if (readOnlyMark === undefined || readOnlyMark.shared) return;
    const { failure } = readOnlyMark;
    const ran = await runAgain(other, { ...MARK, values: [markText(failure)] });
    if (ran.kind === "answered" && readOnlyMark?.failure === failure) readOnlyMark = { failure, shared: true };
  };

  const shut = async ({ facts: { said } }: SaidFailure): Promise<void> => {
    readOnlyMark = { failure: { cause: "write-failed", facts: { name, said } }, shared: false };
    await tell();
  };

  /** The read-only mark that still holds: another process may have unlocked the ledger where it is shared. */
  const readOnlyNow = async (): Promise<ReadOnlyFailure | undefined> => {
    await tell();
    if (readOnlyMark === undefined || !readOnlyMark.shared) return readOnlyMark?.failure;
    const ran = await runAgain(other, HEAD);
    if (ran.kind === "answered" && ran.rows[0]?.["read_only"] === null) readOnlyMark = undefined;
    return readOnlyMark?.failure;
  };

  /**
   * No row was moved: another writer was first, the ledger is read-only, or the server does not keep its promises any
   * more.
   */
  const unmoved = (ran: Ran): Appended => {
    if (ran.kind !== "answered") return readOnly(ran.failure);
    const row = ran.rows[0] ?? {};
    const failure = markIn(row);
    const broken = brokenSince(name, row);
    if (failure === undefined && broken !== undefined) return readOnly(broken);
    if (failure === undefined) return { kind: "conflict", size: columnInteger(row, "size") };
    readOnlyMark = { failure, shared: true };
    return readOnly(failure);
  };

  const duplicate = async (commit: Commit): Promise<Appended> => {
    const ran = await runAgain(session, usedQuery(commit));
    if (ran.kind !== "answered") return readOnly(ran.failure);
    const [use] = ran.rows;
    if (use === undefined) throw new RangeError("a commit uses one key twice");
    return { kind: "duplicate", seq: columnInteger(use, "seq") };
  };

  const failed = async (commit: Commit, ran: Extract<Ran, { readonly kind: "failed" }>): Promise<Appended> => {
    if (ran.constraint === KEYS_ONCE) return duplicate(commit);
    // A line that is there already says that the head is not the head.
    if (TURNS_READ_ONLY.test(ran.code) || ran.code === UNIQUE_VIOLATION) await shut(ran.failure);
    return readOnly(ran.failure);
  };

  const append = async (commit: Commit, expect: CommitPlace): Promise<Appended> => {
    const holding = await readOnlyNow();
    if (holding !== undefined) return readOnly(holding);
    const unsettled = await settled();
    if (unsettled !== undefined) return readOnly(unsettled);
    const ran = await session.run(appendQuery(commit, expect));
    switch (ran.kind) {
      case "answered":
        return ran.rows.length > 0 ? { kind: "ok" } : unmoved(await runAgain(session, HEAD));
      case "unreached":
        return readOnly(ran.failure);
      case "failed":
        return failed(commit, ran);
      case "lost":
        doubt = ran.backend;
        if (TURNS_READ_ONLY.test(ran.code)) await shut(ran.failure);
        return { failure: ran.failure, kind: "unknown", reading: "final" };
    }
  };

  return {
    append: async (commit, expect) => {
      assertCommit(commit);
      // One after another, so that a doubt is settled before the next commit is sent.
      const mine = turn.then(() => append(commit, expect));
      turn = mine.catch(String);
      return mine;
    },
    readOnly: () => readOnlyMark?.failure,
    unlock: async () => {
      for (const query of UNLOCK) {
        const ran = await session.run(query);
        if (ran.kind === "answered") continue;
        readOnlyMark = {
          failure: { cause: "unlock-failed", facts: { name, said: saidIn(ran.failure) } },
          shared: false,
        };
        return;
      }
      readOnlyMark = undefined;
    },
    settled,
  };
};
