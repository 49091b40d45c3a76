// Real engines for the bench: a sqlite file in the folder of the measurement, a database on a PostgreSQL server of its
// own.

import { join } from "node:path";
import type { Engine, Opened } from "../src/ledger/engine.ts";
import { openPostgres } from "../src/ledger/engines/postgres/postgres.ts";
import { openSqlite } from "../src/ledger/engines/sqlite/sqlite.ts";
import { startPostgres } from "../tools/servers/postgres.ts";

export const engineIn = (opened: Opened): Engine => {
  if (opened.kind === "open") return opened.engine;
  throw new Error(JSON.stringify(opened.refusal));
};

export const sqliteAt = async (folder: string, name = "ledger.db"): Promise<Engine> =>
  engineIn(await openSqlite(join(folder, name), { mode: "write" }));

/** `url` makes a fresh database and gives its url. */
export const withPostgres = async <T>(use: (url: () => Promise<string>) => Promise<T>): Promise<T> => {
  const server = await startPostgres();
  let made = 0;
  try {
    return await use(() => {
      made += 1;
      return server.database(`bench${made}`);
    });
  } finally {
    await server.stop();
  }
};

export const postgresAt = async (url: string): Promise<Engine> => engineIn(await openPostgres(url, { mode: "write" }));
