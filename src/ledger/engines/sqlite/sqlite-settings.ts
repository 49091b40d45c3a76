// The settings that keep the ledger's promises on SQLite, and the proof that they hold on this connection.
//
// Setting is not enough: a build may report FULL until the first transaction and run NORMAL from then on, and a file
// system may turn WAL down. So they are read again after the first transaction, and one that fell is named.

import type { DatabaseSync } from "node:sqlite";

/**
 * After a checkpoint the log begins again at its start. Small enough that it soon does: a commit that overwrites finds
 * its room there, and its fsync has no length and no blocks to write down beside the bytes; and one checkpoint is a
 * short pause. Large enough that commits are many beside it.
 */
const CHECKPOINT_PAGES = 500;
/** A short wait inside SQLite; longer ones are made outside, so that the process can go on meanwhile. */
export const BUSY_MS = 2;

const FULL = 2;
const EXTRA = 3;

/** The page size only takes effect on a file that has no page so far, and before WAL. */
export const applySettings = (database: DatabaseSync): void => {
  database.exec(`
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  `);
};

/** The file may be anybody's, and may be damaged: nothing in it is run, and cells are checked before they are used. */
export const readWarily = (database: DatabaseSync): void => {
  database.exec(`
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
  `);
};

export const readPragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

/** The name of the file is told beside it. */
export type SettingFailure = {
  readonly cause: "setting-broken";
  readonly facts: { readonly needed: string; readonly setting: string; readonly value: string };
};
const broken = (setting: string, value: unknown, needed: string): SettingFailure => ({
  cause: "setting-broken",
  facts: { needed, setting, value: String(value) },
});

/** The first setting with which an acknowledged commit could be lost; undefined when there is none. */
export const findBrokenSetting = (database: DatabaseSync): SettingFailure | undefined => {
  const journal = readPragma(database, "journal_mode");
  if (journal !== "wal") return broken("journal_mode", journal, "wal");
  const synchronous = readPragma(database, "synchronous");
  return synchronous === FULL || synchronous === EXTRA
    ? undefined
    : broken("synchronous", synchronous, `${FULL} (FULL)`);
};
