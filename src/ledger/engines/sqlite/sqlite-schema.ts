// The tables of a ledger in a SQLite file, and whether a file is one.
//
// lines: the records' exact bytes, numbered by their seq; the head is its last row, so nothing can disagree with it.
// keys:  begin with the raw 16 bytes of the ULID, so that uses of one time lie together and appending stays fast.
// blobs: content by its SHA-256.
// The application id says whose file it is, the user version which format; the tables must be these, to the letter,
// because a trigger or view of somebody else's could change what is read.

import type { DatabaseSync } from "node:sqlite";
import type { Facts } from "../../../spine/model.ts";
import { readPragma } from "./sqlite-settings.ts";

/** "DEDL" in ASCII. */
const APPLICATION_ID = 0x4445444c;
const FORMAT = 1;

const TABLES: Readonly<Record<string, string>> = {
  blobs: "CREATE TABLE blobs (digest BLOB PRIMARY KEY NOT NULL, bytes BLOB NOT NULL) STRICT",
  keys:
    "CREATE TABLE keys (key BLOB NOT NULL, caller TEXT NOT NULL, request BLOB NOT NULL, seq INTEGER NOT NULL, " +
    "PRIMARY KEY (key, caller)) STRICT, WITHOUT ROWID",
  lines: "CREATE TABLE lines (seq INTEGER PRIMARY KEY, line BLOB NOT NULL) STRICT",
};

/** The name of the file is told beside it. */
export type SchemaFailure =
  | { readonly cause: "foreign-file"; readonly facts: Facts }
  | { readonly cause: "newer-format"; readonly facts: { readonly format: number; readonly known: number } }
  | { readonly cause: "tables-differ"; readonly facts: { readonly known: number } };

type Judged =
  | { readonly kind: "empty" }
  | { readonly kind: "ledger" }
  | { readonly kind: "no"; readonly failure: SchemaFailure };

/**
 * Reads alone; works on a file of any program. All of it is read in one transaction: between two statements another
 * process may make the tables, and half of the answer would be from before.
 */
export const judgeSchema = (database: DatabaseSync): Judged => {
  if (database.isTransaction) return judged(database);
  database.exec("BEGIN");
  try {
    return judged(database);
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
};

const judged = (database: DatabaseSync): Judged => {
  const schema = database.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").all();
  const id = readPragma(database, "application_id");
  if (id === 0 && schema.length === 0 && readPragma(database, "user_version") === 0) return { kind: "empty" };
  if (id !== APPLICATION_ID) return { failure: { cause: "foreign-file", facts: {} }, kind: "no" };
  const format = Number(readPragma(database, "user_version"));
  if (format > FORMAT) return { failure: { cause: "newer-format", facts: { format, known: FORMAT } }, kind: "no" };
  const known =
    format === FORMAT &&
    schema.length === Object.keys(TABLES).length &&
    schema.every(({ name, sql }) => typeof name === "string" && TABLES[name] === sql);
  return known ? { kind: "ledger" } : { failure: { cause: "tables-differ", facts: { known: FORMAT } }, kind: "no" };
};

/** Inside a write transaction, on an empty file. */
export const createTables = (database: DatabaseSync): void => {
  for (const sql of Object.values(TABLES)) database.exec(sql);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
};
