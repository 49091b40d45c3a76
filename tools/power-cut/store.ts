// What is put on a disk whose power is cut: a ledger of either engine, how it is kept there, and how a copy is opened.

import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Engine, Opened } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { startPostgres } from "../servers/postgres.ts";
import { familyOf } from "../servers/processes.ts";

/** Two modules that open the ledger for a writer: as Dedalus does, and so that it loses what it acknowledged. */
export type Openers = { readonly careful: string; readonly careless: string };

export type Store = {
  readonly name: "sqlite" | "postgres";
  readonly mib: number;
  readonly openers: Openers;
  readonly start: (folder: string) => Promise<Kept>;
};

export type Kept = {
  /** Where a writer opens it. */
  readonly where: string;
  /** The processes that keep it, besides its writers. */
  readonly family: () => readonly number[];
  /** Opens what the copy of the disk holds, as after the power came back. */
  readonly reopen: (copy: string) => Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }>;
  readonly stop: () => Promise<void>;
};

const engineOf = (opened: Opened): Engine => {
  assert.ok(opened.kind === "open", JSON.stringify(opened));
  return opened.engine;
};

const opener = (name: string): string => import.meta.resolve(`../../test/ledger/open-${name}.ts`);
const careless = (name: string): string => import.meta.resolve(`./careless-${name}.ts`);

export const SQLITE: Store = {
  mib: 64,
  name: "sqlite",
  openers: { careful: opener("sqlite"), careless: careless("sqlite") },
  start: async (folder) => ({
    family: () => [],
    reopen: async (copy) => {
      const engine = engineOf(await openSqlite(join(copy, "ledger.db"), { mode: "write" }));
      return { close: () => engine.close(), engine };
    },
    stop: () => Promise.resolve(),
    where: join(folder, "ledger.db"),
  }),
};

/** Small, so that the disk may be small; everything that makes a commit durable is as it comes. */
const SETTINGS = { max_wal_size: "64MB", min_wal_size: "32MB", shared_buffers: "16MB" };

export const POSTGRES: Store = {
  mib: 256,
  name: "postgres",
  openers: { careful: opener("postgres"), careless: careless("postgres") },
  start: async (parent) => {
    const server = await startPostgres({ parent, settings: SETTINGS });
    const pid = Number(readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
    return {
      family: () => familyOf(pid),
      reopen: async (copy) => {
        const folder = join(copy, basename(server.folder));
        // After a power cut no process has this number; here the server that was copied still runs.
        rmSync(join(folder, "data", "postmaster.pid"));
        const back = await startPostgres({ folder, settings: SETTINGS });
        try {
          const engine = engineOf(await openPostgres(back.url, { mode: "write" }));
          return {
            close: async () => {
              await engine.close();
              await back.stop();
            },
            engine,
          };
        } catch (error) {
          await back.stop();
          throw error;
        }
      },
      stop: server.stop,
      where: server.url,
    };
  },
};
