// Appending to a ledger in SQLite: one transaction, one fsync, all or nothing.
//
// BEGIN IMMEDIATE takes the one write lock of the file, so the size that is compared is the size that is appended to.
// A busy database has been given nothing: when its size moved, another writer was first (conflict); otherwise we wait
// within a bound and then refuse without turning read-only. Every failed write makes it read-only. A failure of COMMIT
// itself is unknown, unless the disk was full: its frames may lie in the log and come back after a crash, until the
// next commit overwrites them. keeps P7-F1

import type { DatabaseSync } from "node:sqlite";
import { assertCommit } from "../../assert-commit.ts";
import { type Appended, COMMIT_BYTES_MAX, type Commit, type CommitPlace, type Engine } from "../../engine.ts";
import type { ReadOnlyFailure } from "../../failure.ts";
import { ulidBytes } from "../../record/ulid.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import { isBusy, isConstraint, isFull, isSqliteError, saidBy } from "./sqlite-errors.ts";
import type { SqliteReader } from "./sqlite-read.ts";
import type { ReadOnlyMark } from "./sqlite-read-only.ts";
import { attemptPatiently } from "./sqlite-wait.ts";

const DIGEST_BYTES = 32;

export type Writing = {
  readonly database: DatabaseSync;
  readonly grown: () => void;
  readonly readOnlyMark: ReadOnlyMark;
  /** Why the file we write is not the one that the next process would open; undefined when it is. */
  readonly lost: () => ReadOnlyFailure | undefined;
  readonly name: string;
  readonly reader: SqliteReader;
};

export const appenderOn = ({
  database,
  grown,
  readOnlyMark,
  lost,
  name,
  reader,
}: Writing): Pick<Engine, "append" | "unlock"> => {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commitNow = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const addLine = database.prepare("INSERT INTO lines (seq, line) VALUES (?, ?)");
  const addKey = database.prepare("INSERT INTO keys (key, caller, request, seq) VALUES (?, ?, ?, ?)");
  const addBlob = database.prepare("INSERT INTO blobs (digest, bytes) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING");
  // No blob has an empty name, so this row is nobody's.
  const addBallast = database.prepare("INSERT OR REPLACE INTO blobs (digest, bytes) VALUES (x'', zeroblob(?))");
  const dropBallast = database.prepare("DELETE FROM blobs WHERE digest = x''");

  const undo = (): void => {
    if (database.isTransaction) rollback.run();
  };
  const failed = (kind: "read-only" | "unknown", error: unknown): Appended => {
    if (!isSqliteError(error) && !(error instanceof LedgerDamage)) throw error;
    const said = error instanceof LedgerDamage ? error.flaw.cause : saidBy(error);
    const failure = readOnlyMark.close({ cause: "write-failed", facts: { name, said } });
    return kind === "unknown" ? { failure, kind, reading: "open" } : { failure, kind };
  };
  const usedBefore = ({ keys }: Commit): Appended => {
    for (const { caller, key } of keys) {
      const seq = reader.seqOf(ulidBytes(key), caller);
      if (seq !== undefined) return { kind: "duplicate", seq };
    }
    throw new RangeError("a commit uses one key twice");
  };

  /** Between BEGIN and COMMIT; an answer means that nothing is to be written. */
  const written = ({ blobs, keys, lines }: Commit, { hash, size }: CommitPlace): Appended | undefined => {
    const actual = reader.headNow();
    if (actual.size !== size || (hash !== undefined && actual.hash !== hash))
      return { kind: "conflict", size: actual.size };
    for (const [digest, bytes] of blobs) addBlob.run(Buffer.from(digest, "hex"), bytes);
    for (const [at, line] of lines.entries()) addLine.run(size + at, line);
    // One decoding for all is several times cheaper than one for each.
    const requests = Buffer.from(keys.map(({ request }) => request).join(""), "hex");
    for (const [at, { caller, key, seq }] of keys.entries()) {
      addKey.run(ulidBytes(key), caller, requests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES), seq);
    }
    return undefined;
  };

  const attempt = (commit: Commit, expect: CommitPlace): Appended => {
    try {
      begin.run();
    } catch (error) {
      // Nothing was given to it. When its size moved, another writer was first, whatever is in the way now.
      const actual = reader.sizeNow();
      if (actual !== expect.size) return { kind: "conflict", size: actual };
      throw error;
    }
    try {
      const answer = written(commit, expect);
      if (answer !== undefined) {
        undo();
        return answer;
      }
    } catch (error) {
      undo();
      return isConstraint(error) ? usedBefore(commit) : failed("read-only", error);
    }
    try {
      commitNow.run();
    } catch (error) {
      undo();
      return failed(isFull(error) ? "read-only" : "unknown", error);
    }
    grown();
    return { kind: "ok" };
  };

  /** The largest commit is written and taken away again; a small write could fit where the next commit does not. */
  const proveRoom = (): void => {
    for (const step of [() => addBallast.run(COMMIT_BYTES_MAX), () => dropBallast.run()]) {
      try {
        begin.run();
        step();
        commitNow.run();
      } finally {
        undo();
      }
    }
  };

  return {
    append: async (commit, expect) => {
      assertCommit(commit);
      const holding = lost() ?? readOnlyMark.holding();
      if (holding !== undefined) return { failure: holding, kind: "read-only" };
      try {
        return await attemptPatiently(() => attempt(commit, expect));
      } catch (error) {
        if (!isBusy(error)) return failed("read-only", error);
        return { failure: { cause: "lock-held", facts: { name } }, kind: "read-only" };
      }
    },
    unlock: async () => {
      // A file that is not ours any more is not ours to mark.
      if (lost() !== undefined || readOnlyMark.holding() === undefined) return;
      try {
        await attemptPatiently(proveRoom);
        readOnlyMark.open();
      } catch (error) {
        readOnlyMark.close({ cause: "unlock-failed", facts: { name, said: saidBy(error) } });
      }
    },
  };
};
