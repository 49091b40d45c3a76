// What a session is told, and what a server must promise before a ledger is written to it.
//
// A role, a database or a configuration file may bring defaults that lose commits; they are overridden where a session
// may do so and refused where it may not, by the setting's name. Looked at on every connection, because a server may
// come back with another configuration. It may also read one anew while we are connected: what a session can set is
// therefore set even where it is right, and what it cannot is looked at by every commit.
// https://www.postgresql.org/docs/current/wal-reliability.html

import type { Client } from "pg";
import type { ServerFailure } from "../../failure.ts";
import type { Greeting } from "./postgres-session.ts";
import { columnInteger, columnText, type PostgresRow } from "./postgres-values.ts";

export type Mode = "write" | "read";

/** pg_terminate_backend waits for the end of a process since version 14. */
const VERSION_MIN = 14;

/**
 * Nothing of the ledger is found by search path, no default cuts a commit short, and each statement sees the latest.
 * Where a policy would hide rows, a statement fails: a key that was used, or the mark of a copy, is not taken for
 * absent.
 */
const SESSION = `
  SET search_path = pg_catalog;
  SET row_security = off;
  SET default_transaction_isolation = 'read committed';
  SET statement_timeout = 0;
  SET lock_timeout = 0;
  SET client_min_messages = error`;

const TOLD = `
  SELECT current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('transaction_read_only') AS read_only,
    pg_is_in_recovery()::text AS in_recovery,
    current_setting('server_version_num') AS version,
    pg_backend_pid() AS pid,
    (SELECT extract(epoch FROM backend_start)::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS start`;

/** remote_apply waits for more than on, so it is left as it is. */
const DURABLE_COMMIT = ["on", "remote_apply"];

type ServerPromise = {
  readonly failure: (name: string, told: PostgresRow) => ServerFailure;
  readonly holds: (told: PostgresRow) => boolean;
};

const FSYNC: ServerPromise = {
  failure: (name) => ({ cause: "fsync-off", facts: { name } }),
  holds: ({ fsync }) => fsync === "on",
};
const WHOLE_PAGES: ServerPromise = {
  failure: (name) => ({ cause: "full-page-writes-off", facts: { name } }),
  holds: ({ full_page_writes }) => full_page_writes === "on",
};

const PROMISES: readonly ServerPromise[] = [
  FSYNC,
  WHOLE_PAGES,
  {
    failure: (name, { synchronous_commit }) => ({
      cause: "commit-not-durable",
      facts: { name, setting: String(synchronous_commit) },
    }),
    holds: ({ synchronous_commit }) => DURABLE_COMMIT.includes(String(synchronous_commit)),
  },
  {
    failure: (name) => ({ cause: "standby", facts: { name } }),
    holds: ({ in_recovery }) => in_recovery === "false",
  },
  {
    failure: (name) => ({ cause: "session-read-only", facts: { name } }),
    holds: ({ read_only }) => read_only === "off",
  },
];

const durableLike = (row: PostgresRow): string =>
  DURABLE_COMMIT.find((setting) => setting === columnText(row, "synchronous_commit")) ?? "on";

/** Whether the server still keeps what it promised and no session can set: a condition of every commit. */
export const STILL_PROMISED = "current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'";

/** What of that is told beside the head, to whoever was not taken. */
export const PROMISED_COLUMNS =
  "current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes";

/** Which of the two is broken; undefined when both hold. */
export const brokenSince = (name: string, row: PostgresRow): ServerFailure | undefined =>
  [FSYNC, WHOLE_PAGES].find(({ holds }) => !holds(row))?.failure(name, row);

const told = async (client: Client): Promise<PostgresRow> => (await client.query<PostgresRow>(TOLD)).rows[0] ?? {};

export const greetServer =
  (mode: Mode, name: string) =>
  async (client: Client): Promise<Greeting> => {
    await client.query(SESSION);
    if (mode === "read") await client.query("SET default_transaction_read_only = on");
    const first = await told(client);
    if (mode === "write") await client.query(`SET synchronous_commit = ${durableLike(first)}`);
    const row = mode === "write" ? await told(client) : first;
    const failure = unfit(mode, name, row);
    return failure === undefined
      ? { backend: { pid: columnInteger(row, "pid"), start: columnText(row, "start") }, kind: "fit" }
      : { failure, kind: "unfit" };
  };

/** Why a server that tells this of itself is not written to, or read from; undefined when it may be. */
export const unfit = (mode: Mode, name: string, row: PostgresRow): ServerFailure | undefined => {
  const version = Math.floor(columnInteger(row, "version") / 10_000);
  if (version < VERSION_MIN) return { cause: "version-old", facts: { min: VERSION_MIN, name, version } };
  return mode === "read" ? undefined : PROMISES.find(({ holds }) => !holds(row))?.failure(name, row);
};
