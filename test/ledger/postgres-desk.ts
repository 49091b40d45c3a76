// A real PostgreSQL server for suites of tests, and databases on it.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { Client, escapeLiteral, type QueryResultRow } from "pg";
import { type PostgresServer, startPostgres } from "../../tools/servers/postgres.ts";

export type PostgresDesk = {
  readonly server: () => PostgresServer;
  /** An empty database: its url, and how to leave it. */
  readonly fresh: () => Promise<{ readonly where: string; readonly remove: () => Promise<void> }>;
};

let running: PostgresServer | undefined;
let suites = 0;
let made = 0;

const server = (): PostgresServer => {
  assert.ok(running, "the server runs inside the suites alone");
  return running;
};

/** Called inside a suite. Suites of one process share the server; it ends with the last of them. */
export const postgresDesk = (): PostgresDesk => {
  suites += 1;
  before(async () => {
    running ??= await startPostgres();
  });
  after(async () => {
    suites -= 1;
    if (suites > 0) return;
    await server().stop();
    running = undefined;
  });
  return {
    fresh: async () => {
      made += 1;
      const name = `ledger-${made}`;
      return {
        // Dropping a database waits for a checkpoint; the server's folder goes at the end, with everything in it.
        remove: async () => {
          await sql(
            server().url,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${escapeLiteral(name)}`,
          );
        },
        where: await server().database(name),
      };
    },
    server,
  };
};

/** One statement on a connection of its own. */
export const sql = async (url: string, text: string): Promise<readonly QueryResultRow[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};
