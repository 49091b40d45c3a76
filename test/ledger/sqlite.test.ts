// The sqlite engine: the conformance suite, and what only a file can show: whose it is, its settings, its locks.
//
// Not here: full disks (sqlite-full.test.ts), damaged files (sqlite-damage.test.ts).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { isBusy } from "../../src/ledger/engines/sqlite/sqlite-errors.ts";
import { createTables } from "../../src/ledger/engines/sqlite/sqlite-schema.ts";
import { findBrokenSetting } from "../../src/ledger/engines/sqlite/sqlite-settings.ts";
import { ledgerConformance } from "./conformance.ts";
import { assertChain, commitOn, EMPTY, gathered } from "./lines.ts";
import { open } from "./open-sqlite.ts";
import { engineAt, fresh, grow, ledgers, tamper } from "./sqlite-files.ts";
import { writersTogether } from "./writer.ts";

ledgerConformance({ fresh, name: "sqlite", open, opener: import.meta.resolve("./open-sqlite.ts") });

/** The cause, and beside it whatever facts it has but the path; empty when it opens. */
const refusal = async (where: string, mode: "read" | "write"): Promise<string> => {
  const result = await openSqlite(where, { mode });
  if (result.kind === "open") {
    await result.engine.close();
    return "";
  }
  const { cause, facts } = result.refusal;
  const { name: _, said: __, ...rest } = facts;
  return [cause, ...Object.values(rest)].join(" ");
};

test("sqlite: a setting that would lose an acknowledged commit is named after the first transaction", async (t) => {
  const where = await ledgers(t);
  const database = new DatabaseSync(where);
  t.after(() => database.close());
  const after = (sql: string): object | undefined => {
    database.exec(`${sql}; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS one (a); COMMIT`);
    return findBrokenSetting(database)?.facts;
  };
  assert.deepEqual(after("PRAGMA journal_mode = DELETE"), {
    needed: "wal",
    setting: "journal_mode",
    value: "delete",
  });
  const full = { needed: "2 (FULL)", setting: "synchronous" };
  assert.deepEqual(after("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"), { ...full, value: "1" });
  assert.deepEqual(after("PRAGMA synchronous = OFF"), { ...full, value: "0" });
  assert.equal(after("PRAGMA synchronous = FULL"), undefined);
  assert.equal(after("PRAGMA synchronous = EXTRA"), undefined);
});

test("sqlite: a file whose tables another process makes while it is judged opens", async (t) => {
  const where = await ledgers(t);
  const { prepare } = DatabaseSync.prototype;
  let isMade = false;
  const made = t.mock.method(DatabaseSync.prototype, "prepare", function (this: DatabaseSync, sql: string) {
    if (sql === "PRAGMA application_id" && !isMade) {
      isMade = true;
      const other = new DatabaseSync(where, { timeout: 0 });
      try {
        other.exec("BEGIN IMMEDIATE");
        createTables(other);
        other.exec("COMMIT");
      } catch (error) {
        assert.ok(isBusy(error), String(error)); // the one who judges keeps others out: as good as being first
      } finally {
        other.close();
      }
    }
    return prepare.call(this, sql);
  });
  assert.equal(await refusal(where, "write"), "");
  made.mock.restore();
  assert.ok(isMade);
});

test("writers that start together end together when one of them cannot start", async (t) => {
  const { remove, where } = await fresh();
  t.after(remove);
  const subject = { opener: import.meta.resolve("./open-sqlite.ts") };
  const work = { linesMax: 1, records: 1 };
  await assert.rejects(
    writersTogether(subject, where, [
      { ...work, caller: "one" },
      { ...work, caller: "two", limit: "echo no room >&2 && exit 3" },
      { ...work, caller: "three" },
    ]),
    /writer two ended \(3\): no room/,
  );
});

test("sqlite: a build that turns a setting down is refused at open, by the setting's name", async (t) => {
  const { exec } = DatabaseSync.prototype;
  for (const [ours, theirs, because] of [
    ["synchronous = FULL", "synchronous = NORMAL", "setting-broken 2 (FULL) synchronous 1"],
    ["journal_mode = WAL", "journal_mode = DELETE", "setting-broken wal journal_mode delete"],
  ] as const) {
    const turned = t.mock.method(DatabaseSync.prototype, "exec", function (this: DatabaseSync, sql: string) {
      exec.call(this, sql.replace(ours, theirs));
    });
    assert.equal(await refusal(await ledgers(t), "write"), because);
    turned.mock.restore();
  }
  assert.equal(await refusal(await ledgers(t), "write"), "");
});

test("sqlite: a ledger of a newer format is refused, of ours it is opened", async (t) => {
  const where = await ledgers(t);
  assert.equal(await refusal(where, "write"), "");
  for (const mode of ["write", "read"] as const) {
    tamper(where, "PRAGMA user_version = 2");
    assert.equal(await refusal(where, mode), "newer-format 2 1");
    tamper(where, "PRAGMA user_version = 1");
    assert.equal(await refusal(where, mode), "");
  }
});

test("sqlite: a file of another program is refused and left as it is", async (t) => {
  const where = await ledgers(t);
  const foreign: readonly (readonly [make: () => unknown, cause: string])[] = [
    [() => tamper(where, "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)"), "foreign-file"],
    [() => tamper(where, "PRAGMA application_id = 77"), "foreign-file"],
    [() => writeFile(where, "vms: []\n".repeat(200)), "not-sqlite"],
  ];
  for (const [make, cause] of foreign) {
    await writeFile(where, "");
    await make();
    const before = await readFile(where);
    for (const mode of ["write", "read"] as const) assert.equal(await refusal(where, mode), cause);
    assert.deepEqual(await readFile(where), before);
    assert.equal(existsSync(`${where}-wal`), false);
  }
});

test("sqlite: a ledger with a table, trigger or column that is not of the format is refused", async (t) => {
  for (const sql of [
    "CREATE TRIGGER quiet BEFORE INSERT ON keys BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TABLE extra (a)",
    "ALTER TABLE lines ADD COLUMN more TEXT",
    "DROP TABLE blobs",
    "PRAGMA user_version = 0",
  ]) {
    const where = await ledgers(t);
    assert.equal(await refusal(where, "write"), "");
    tamper(where, sql);
    assert.equal(await refusal(where, "write"), "tables-differ 1");
    assert.equal(await refusal(where, "read"), "tables-differ 1");
  }
});

test("sqlite: opening to read makes no file, and needs a ledger that is there", async (t) => {
  const where = await ledgers(t);
  assert.equal(await refusal(where, "read"), "no-file");
  assert.equal(existsSync(where), false);
  assert.equal(await refusal(join(where, "deeper"), "write"), "no-folder");
  await writeFile(where, "");
  assert.equal(await refusal(where, "read"), "no-ledger");
  assert.equal(await refusal(dirname(where), "write"), "denied");
  assert.equal(await refusal(where, "write"), "");
  assert.equal(await refusal(where, "read"), "");
});

test("sqlite: an engine opened to read sees what is written meanwhile and takes nothing", async (t) => {
  const where = await ledgers(t);
  const writer = await engineAt(t, where);
  const result = await openSqlite(where, { mode: "read" });
  assert.ok(result.kind === "open");
  const reader = result.engine;
  t.after(() => reader.close());
  const [head] = await grow(writer, 1);
  assert.deepEqual(await assertChain(reader), head);
  const failure = { cause: "reading-alone", facts: {} };
  assert.deepEqual(await reader.append(commitOn(EMPTY, 1).commit, { size: 0 }), { failure, kind: "read-only" });
  await reader.unlock();
  assert.deepEqual(reader.readOnly(), failure);
  assert.equal(reader.name, "sqlite ledger.db");
});

test("sqlite: a lock that is let go is waited for; when its holder appended, that is a conflict", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const holder = new DatabaseSync(where);
  t.after(() => holder.close());
  for (const [sql, answer] of [
    ["ROLLBACK", { kind: "ok" }],
    ["INSERT INTO lines VALUES (1, x'00'); COMMIT", { kind: "conflict", size: 2 }],
  ] as const) {
    holder.exec("BEGIN IMMEDIATE");
    const { size } = await engine.head();
    const pending = engine.append(commitOn({ ...EMPTY, size }, 1).commit, { size });
    setTimeout(() => holder.exec(sql), 40);
    assert.deepEqual(await pending, answer);
  }
});

test("sqlite: a lock that is never let go is refused within a bound, with nothing written and no readOnlyMark", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const holder = new DatabaseSync(where);
  t.after(() => holder.close());
  holder.exec("BEGIN IMMEDIATE");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let answered = false;
  const { commit } = commitOn(EMPTY, 1);
  const pending = engine.append(commit, { size: 0 }).finally(() => {
    answered = true;
  });
  for (let ticks = 0; ticks < 1_000 && !answered; ticks += 1) {
    await new Promise((resume) => setImmediate(resume));
    t.mock.timers.tick(10);
  }
  t.mock.timers.reset();
  const failure = { cause: "lock-held", facts: { name: "sqlite ledger.db" } };
  assert.deepEqual(await pending, { failure, kind: "read-only" });
  assert.equal(engine.readOnly(), undefined);
  holder.exec("ROLLBACK");
  assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
});

test("sqlite: a file that was moved away under the engine takes no more writes until it is back", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const [head] = await grow(engine, 1);
  assert.ok(head);
  const next = commitOn(head, 1);
  await rename(where, `${where}.moved`);
  await writeFile(where, "");
  const failure = { cause: "file-replaced", facts: { name: "sqlite ledger.db" } };
  assert.deepEqual(await engine.append(next.commit, { size: 3 }), { failure, kind: "read-only" });
  await engine.unlock();
  assert.deepEqual(engine.readOnly(), failure);
  await rename(`${where}.moved`, where);
  assert.deepEqual(await engine.append(next.commit, { size: 3 }), { kind: "ok" });
});

test("sqlite: a commit that uses one key twice is a bug and stops before anything is written", async (t) => {
  const engine = await engineAt(t, await ledgers(t));
  const { commit } = commitOn(EMPTY, 2);
  const [use] = commit.keys;
  assert.ok(use);
  await assert.rejects(engine.append({ ...commit, keys: [use, { ...use, seq: 1 }] }, { size: 0 }), RangeError);
  assert.deepEqual(await engine.head(), EMPTY);
  assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
});

test("sqlite: a follower ends when its engine is closed", async (t) => {
  const engine = await engineAt(t, await ledgers(t));
  const follower = gathered(engine.follow(0, new AbortController().signal));
  setTimeout(() => engine.close(), 20);
  assert.deepEqual(await follower, []);
});
