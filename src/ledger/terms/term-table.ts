// Where to look in a long ledger: terms (a VM, an actor, a kind) and the seqs of the records that have them, in a
// SQLite file of its own beside the saved state. Disposable: it is believed for where records are and never for what
// they say, and one that does not end where the ledger has that line is thrown away and made anew.
//
// A term may find more than it should, and never less: whoever asks reads the records and judges them. Not here: which
// terms a record has (service/read/record-terms.ts), who fills it (service/apart/fill-terms.ts).

import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isSha256 } from "../../spine/values/hash.ts";
import type { Head } from "../engine.ts";
import { makeOwn } from "../files/own-file.ts";
import { GENESIS } from "../record/record.ts";

/** Raised with whatever makes the terms of the same record others. */
const FORMAT = 3;

/** In which space a number means something. */
const SPACES = { actor: 1, blob: 8, correlation: 2, environment: 3, id: 4, kind: 5, refers: 6, vm: 7 } as const;
export type Space = keyof typeof SPACES;
export type Term = { readonly space: Space; readonly value: number };
export type Entry = Term & { readonly seq: number };

export type SeqIndex = {
  readonly close: () => void;
  /** What it covers: every record below the size; the last of them has the hash. */
  readonly head: () => Head;
  /** The seqs of a term from `from` on and below `to`, ascending, as many as the limit says. */
  readonly seqs: (term: Term, from: number, to: number, limit: number) => readonly number[];
  /** Those of a term, and of every record that refers to one of them, and so on. */
  readonly related: (term: Term) => readonly number[];
};

export type GrowingIndex = SeqIndex & {
  /** All or nothing; false where somebody else has grown it meanwhile, and nothing was added. */
  readonly add: (from: Head, to: Head, entries: readonly Entry[]) => boolean;
};

const TABLES = `
  CREATE TABLE IF NOT EXISTS covers (format INTEGER NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS terms (space INTEGER NOT NULL, value INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (space, value, seq)) WITHOUT ROWID;`;

const RELATED = `
  WITH RECURSIVE found (seq) AS (
    SELECT seq FROM terms WHERE space = ? AND value = ?
    UNION
    SELECT terms.seq FROM terms JOIN found ON terms.space = ${SPACES.refers} AND terms.value = found.seq)
  SELECT seq FROM found ORDER BY seq`;

const headIn = (row: Readonly<Record<string, unknown>> | undefined): Head | undefined => {
  const { format, hash, size } = row ?? {};
  if (format !== FORMAT || typeof size !== "number" || !isSha256(hash)) return undefined;
  return { hash, size };
};

const readerOn = (database: DatabaseSync): SeqIndex => {
  const covers = database.prepare("SELECT format, size, hash FROM covers");
  const some = database.prepare(
    "SELECT seq FROM terms WHERE space = ? AND value = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?",
  );
  const all = database.prepare(RELATED);
  const seqsIn = (rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] =>
    rows.map(({ seq }) => Number(seq));
  return {
    close: () => database.close(),
    head: () => headIn(covers.get()) ?? { hash: GENESIS, size: 0 },
    related: ({ space, value }) => seqsIn(all.all(SPACES[space], value)),
    seqs: ({ space, value }, from, to, limit) => seqsIn(some.all(SPACES[space], value, from, to, limit)),
  };
};

/** Undefined where there is none that can be read: nobody needs it. */
export const openSeqIndex = (path: string): SeqIndex | undefined => {
  try {
    return readerOn(new DatabaseSync(path, { readOnly: true, timeout: 1_000 }));
  } catch (error) {
    if (!("code" in Object(error))) throw error;
    return undefined;
  }
};

/** For the one that fills it. What is there and of another format, or damaged, is thrown away. */
export const growSeqIndex = (path: string): GrowingIndex => {
  try {
    return growingOn(path);
  } catch (error) {
    if (!("code" in Object(error))) throw error;
    removeSeqIndex(path);
    return growingOn(path);
  }
};

export const removeSeqIndex = (path: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
};

const growingOn = (path: string): GrowingIndex => {
  makeOwn(path);
  const database = new DatabaseSync(path, { timeout: 5_000 });
  // A power cut takes the last of it and tears nothing: what is missing is read from the ledger again.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec(TABLES);
  const found = database.prepare("SELECT format FROM covers").get();
  if (found !== undefined && found["format"] !== FORMAT) database.exec("DELETE FROM terms; DELETE FROM covers;");
  const reader = readerOn(database);
  const insert = database.prepare("INSERT OR IGNORE INTO terms (space, value, seq) VALUES (?, ?, ?)");
  const cover = database.prepare("INSERT INTO covers (format, size, hash) VALUES (?, ?, ?)");
  const add: GrowingIndex["add"] = (from, to, entries) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const { hash, size } = reader.head();
      if (size !== from.size || hash !== from.hash) return false;
      for (const { seq, space, value } of entries) insert.run(SPACES[space], value, seq);
      database.exec("DELETE FROM covers");
      cover.run(FORMAT, to.size, to.hash);
      database.exec("COMMIT");
      return true;
    } finally {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
  };
  return { ...reader, add };
};
