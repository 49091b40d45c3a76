// Opening a ledger in SQLite: whose file it becomes, how its connection is set, and what a refusal leaves behind.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readPragma } from "../../src/ledger/engines/sqlite/sqlite-settings.ts";
import { openFiles } from "./open-files.ts";
import { engineAt, ledgers, tamper } from "./sqlite-files.ts";

const refused = async (where: string, mode: "read" | "write"): Promise<string> => {
  const result = await openSqlite(where, { mode });
  if (result.kind === "refused") return result.refusal.cause ?? result.refusal.code;
  await result.engine.close();
  return "";
};

/** The connection of every engine that is opened from now on. */
const connections = (t: TestContext): readonly DatabaseSync[] => {
  const { exec } = DatabaseSync.prototype;
  const all: DatabaseSync[] = [];
  t.mock.method(DatabaseSync.prototype, "exec", function (this: DatabaseSync, sql: string) {
    if (!all.includes(this)) all.push(this);
    exec.call(this, sql);
  });
  return all;
};

test("sqlite: a new ledger says whose it is and in which format", async (t) => {
  const where = await ledgers(t);
  assert.equal(await refused(where, "write"), "");
  const database = new DatabaseSync(where);
  t.after(() => database.close());
  assert.equal(readPragma(database, "application_id"), 0x4445444c);
  assert.equal(readPragma(database, "user_version"), 1);
  assert.equal(readPragma(database, "page_size"), 4_096);
});

test("sqlite: an empty file with a format is somebody else's; one without is ours to fill", async (t) => {
  const where = await ledgers(t);
  tamper(where, "PRAGMA user_version = 5");
  assert.equal(await refused(where, "write"), "foreign-file");
  assert.equal(await refused(where, "read"), "foreign-file");
  tamper(where, "PRAGMA user_version = 0");
  assert.equal(await refused(where, "write"), "");
});

test("sqlite: whoever opens trusts nothing in the file, and whoever writes keeps a short log", async (t) => {
  const where = await ledgers(t);
  const opened = connections(t);
  for (const mode of ["write", "read"] as const) {
    const result = await openSqlite(where, { mode });
    assert.ok(result.kind === "open");
    t.after(() => result.engine.close());
  }
  const [writing, reading] = opened;
  assert.ok(writing && reading && opened.length === 2);
  for (const one of [writing, reading]) {
    assert.equal(readPragma(one, "trusted_schema"), 0);
    assert.equal(readPragma(one, "cell_size_check"), 1);
    assert.equal(readPragma(one, "busy_timeout"), 2);
  }
  assert.equal(readPragma(writing, "fullfsync"), 1);
  assert.equal(readPragma(writing, "wal_autocheckpoint"), 500);
});

test("sqlite: a file that is refused is left open by nobody", async (t) => {
  const where = await ledgers(t);
  for (const [make, cause] of [
    [() => tamper(where, "CREATE TABLE theirs (a)"), "foreign-file"],
    [() => writeFileSync(where, "vms: []\n".repeat(200)), "not-sqlite"],
  ] as const) {
    rmSync(where, { force: true });
    make();
    for (const mode of ["write", "read"] as const) {
      assert.equal(await refused(where, mode), cause);
      assert.notEqual(openFiles()?.includes(where), true, `${cause} ${mode}`);
    }
  }
});

test("sqlite: a file that becomes somebody else's while it is opened is refused", async (t) => {
  const where = await ledgers(t);
  const { exec } = DatabaseSync.prototype;
  const turned = t.mock.method(DatabaseSync.prototype, "exec", function (this: DatabaseSync, sql: string) {
    if (sql === "BEGIN IMMEDIATE") {
      turned.mock.restore();
      tamper(where, "CREATE TABLE theirs (a)");
    }
    exec.call(this, sql);
  });
  assert.equal(await refused(where, "write"), "foreign-file");
  tamper(where, "DROP TABLE theirs");
  assert.equal(await refused(where, "write"), "");
});

test("sqlite: a file that another holds for itself is busy, after a wait and not for ever", async (t) => {
  const where = await ledgers(t);
  const holder = new DatabaseSync(where);
  t.after(() => holder.close());
  holder.exec("BEGIN EXCLUSIVE");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let said: string | undefined;
  const opening = refused(where, "write").then((cause) => {
    said = cause;
  });
  for (let ticks = 0; ticks < 1_000 && said === undefined; ticks += 1) {
    await new Promise((resume) => setImmediate(resume));
    t.mock.timers.tick(10);
  }
  await opening;
  t.mock.timers.reset();
  assert.equal(said, "busy");
  holder.exec("ROLLBACK");
  assert.equal(await refused(where, "write"), "");
});

test("sqlite: what stands beside the file that a link leads to counts, not what stands beside the link", async (t) => {
  const where = await ledgers(t);
  assert.equal(await refused(where, "write"), "");
  const folder = join(dirname(where), "linked");
  mkdirSync(folder);
  const link = join(folder, "ledger.db");
  symlinkSync(where, link);
  execFileSync("mkfifo", [`${link}-wal`]);
  assert.equal(await refused(link, "write"), "");
  rmSync(`${where}-wal`, { force: true });
  execFileSync("mkfifo", [`${where}-wal`]);
  assert.equal(await refused(link, "write"), "not-plain");
  assert.ok(existsSync(`${where}-wal`));
});

test("sqlite: closing twice is closing once", async (t) => {
  const engine = await engineAt(t, await ledgers(t));
  await engine.close();
  await engine.close();
});
