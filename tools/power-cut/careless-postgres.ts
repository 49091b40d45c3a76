// A control for power cuts: the same ledger and the same statement, on a session with synchronous_commit off, which
// does not wait for the disk. A simulation in which this loses nothing proves nothing. For writer-child.ts alone.

import { Client } from "pg";
import type { Engine, Opened } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { appendQuery } from "../../src/ledger/engines/postgres/postgres-append.ts";

export const open = async (where: string): Promise<Opened> => {
  const opened = await openPostgres(where, { mode: "write" });
  if (opened.kind === "refused") return opened;
  const client = new Client({ connectionString: where });
  await client.connect();
  await client.query("SET synchronous_commit = off");
  const append: Engine["append"] = async (commit, expect) => {
    const { rows } = await client.query(appendQuery(commit, expect));
    return rows.length > 0 ? { kind: "ok" } : { kind: "conflict", size: (await opened.engine.head()).size };
  };
  return { engine: { ...opened.engine, append }, kind: "open" };
};
