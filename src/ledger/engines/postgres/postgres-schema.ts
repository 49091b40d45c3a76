// The tables of a ledger in PostgreSQL, in a schema of their own, and whether a database has them.
//
// lines: the records' exact bytes by seq, counted by the commit and never by a database sequence, which leaves gaps.
// keys:  begin with the raw bytes of the ULID, so that uses of one time lie together; callers are bytes, so that no
//        encoding or collation of the database makes two of them one.
// blobs: content by its SHA-256.
// head:  one row, on which writers compare and set; `read_only` says to every writer why none may write.

import type { Refusal } from "../../../spine/model.ts";
import { refuse } from "../../../spine/rules/refusals.ts";
import { serverRefusal } from "../../failure.ts";
import { type PostgresSession, type Ran, saidIn } from "./postgres-session.ts";
import type { Mode } from "./postgres-settings.ts";
import { columnInteger, columnText } from "./postgres-values.ts";

const FORMAT = 1;

/** One block is one transaction; the lock lets two first openers come one after the other. */
const MAKE = `DO $make$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('dedalus_ledger', 0));
  CREATE SCHEMA IF NOT EXISTS dedalus_ledger;
  CREATE TABLE IF NOT EXISTS dedalus_ledger.lines (seq bigint PRIMARY KEY, line bytea NOT NULL);
  ALTER TABLE dedalus_ledger.lines ALTER COLUMN line SET STORAGE EXTERNAL;
  CREATE TABLE IF NOT EXISTS dedalus_ledger.keys (
    key bytea NOT NULL, caller bytea NOT NULL, request bytea NOT NULL, seq bigint NOT NULL,
    CONSTRAINT keys_once PRIMARY KEY (key, caller));
  CREATE TABLE IF NOT EXISTS dedalus_ledger.blobs (digest bytea PRIMARY KEY, bytes bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS dedalus_ledger.head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), size bigint NOT NULL, hash bytea NOT NULL, read_only text);
  INSERT INTO dedalus_ledger.head (size, hash) VALUES (0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS dedalus_ledger.format (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL);
  INSERT INTO dedalus_ledger.format (version) VALUES (${FORMAT}) ON CONFLICT DO NOTHING;
END $make$`;

/** A table that is not logged is empty after a crash, whatever fsync says. */
const UNLOGGED = `
  SELECT relname::text FROM pg_class
  WHERE relnamespace = 'dedalus_ledger'::regnamespace AND relkind = 'r' AND relpersistence <> 'p'`;

/** Why the ledger there cannot be opened; undefined when it can. Makes it when there is none, for writing alone. */
export const prepareSchema = async (
  session: PostgresSession,
  mode: Mode,
  name: string,
): Promise<Refusal | undefined> => {
  const there = await session.run({ text: "SELECT to_regclass('dedalus_ledger.format')::text AS format" });
  if (there.kind !== "answered") return serverRefusal(there.failure);
  if (there.rows[0]?.["format"] === null) {
    if (mode === "read") return refuse("ledger-absent", { cause: "no-ledger", facts: { name } });
    const made = await session.run({ text: MAKE });
    if (made.kind === "failed")
      return refuse("ledger-unusable", { cause: "tables-unmade", facts: { name, said: saidIn(made.failure) } });
    if (made.kind !== "answered") return serverRefusal(made.failure);
  }
  return judgeSchemaThere(await session.run({ text: "SELECT version FROM dedalus_ledger.format" }), session, name);
};

const judgeSchemaThere = async (format: Ran, session: PostgresSession, name: string): Promise<Refusal | undefined> => {
  if (format.kind !== "answered") return serverRefusal(format.failure);
  const version = columnInteger(format.rows[0] ?? {}, "version");
  if (version > FORMAT)
    return refuse("ledger-unusable", { cause: "newer-format", facts: { format: version, known: FORMAT, name } });
  const unlogged = await session.run({ text: UNLOGGED });
  if (unlogged.kind !== "answered") return serverRefusal(unlogged.failure);
  const [table] = unlogged.rows;
  return table === undefined
    ? undefined
    : refuse("ledger-unusable", { cause: "table-unlogged", facts: { name, table: columnText(table, "relname") } });
};
