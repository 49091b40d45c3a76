// For tests of what reads: real sqlite ledgers that hold the lines, keys and blobs they are given, of any kind.
//
// They are written with SQL into the ledger's own tables before the engine opens it, because no engine would take them
// all.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Engine, KeyUse } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { createTables } from "../../src/ledger/engines/sqlite/sqlite-schema.ts";
import { ulidBytes } from "../../src/ledger/record/ulid.ts";
import type { Sha256 } from "../../src/spine/model.ts";

type Beside = { readonly blobs?: ReadonlyMap<Sha256, Uint8Array>; readonly keys?: readonly KeyUse[] };

/** A test, or the file that is run. */
type Scope = { readonly after: (work: () => Promise<void>) => void };

type Holding = (lines: readonly Uint8Array[], beside?: Beside) => Promise<Engine>;

const write = (path: string, lines: readonly Uint8Array[], { blobs = new Map(), keys = [] }: Beside): void => {
  const database = new DatabaseSync(path);
  database.exec("BEGIN");
  createTables(database);
  const addLine = database.prepare("INSERT INTO lines (seq, line) VALUES (?, ?)");
  for (const [seq, line] of lines.entries()) addLine.run(seq, line);
  const addKey = database.prepare("INSERT INTO keys (key, caller, request, seq) VALUES (?, ?, ?, ?)");
  for (const { caller, key, request, seq } of keys)
    addKey.run(ulidBytes(key), caller, Buffer.from(request, "hex"), seq);
  const addBlob = database.prepare("INSERT INTO blobs (digest, bytes) VALUES (?, ?)");
  for (const [digest, bytes] of blobs) addBlob.run(Buffer.from(digest, "hex"), bytes);
  database.exec("COMMIT");
  database.close();
};

/** Each in a file of its own, in one folder; all are closed and removed after the scope. */
export const ledgersFor = (scope: Scope): Holding => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-holding-"));
  const engines: Engine[] = [];
  scope.after(async () => {
    for (const engine of engines) await engine.close();
    rmSync(folder, { recursive: true });
  });
  let made = 0;
  return async (lines, beside = {}) => {
    made += 1;
    const path = join(folder, `${made}.db`);
    write(path, lines, beside);
    const opened = await openSqlite(path, { mode: "write" });
    assert.ok(opened.kind === "open", JSON.stringify(opened));
    engines.push(opened.engine);
    return opened.engine;
  };
};
