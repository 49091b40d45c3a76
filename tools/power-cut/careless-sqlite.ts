// A control for power cuts: the same ledger, the same rows, but written with synchronous NORMAL, which does not wait
// for the disk. A simulation in which this loses nothing proves nothing. For child processes of writer-child.ts alone.

import { DatabaseSync } from "node:sqlite";
import type { Engine, Opened } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { ulidBytes } from "../../src/ledger/record/ulid.ts";

export const open = async (where: string): Promise<Opened> => {
  const opened = await openSqlite(where, { mode: "write" });
  if (opened.kind === "refused") return opened;
  const database = new DatabaseSync(where);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 16000");
  const addLine = database.prepare("INSERT INTO lines (seq, line) VALUES (?, ?)");
  const addKey = database.prepare("INSERT INTO keys (key, caller, request, seq) VALUES (?, ?, ?, ?)");
  const append: Engine["append"] = async ({ keys, lines }, { size }) => {
    database.exec("BEGIN IMMEDIATE");
    for (const [at, line] of lines.entries()) addLine.run(size + at, line);
    for (const { caller, key, request, seq } of keys) {
      addKey.run(ulidBytes(key), caller, Buffer.from(request, "hex"), seq);
    }
    database.exec("COMMIT");
    return { kind: "ok" };
  };
  return { engine: { ...opened.engine, append }, kind: "open" };
};
