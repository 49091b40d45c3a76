// Appending to and unlocking a ledger in SQLite, where the store itself is wrong: what is told, and what is marked.

import assert from "node:assert/strict";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { markText } from "../../src/ledger/read-only-mark.ts";
import { commitOn, EMPTY } from "./lines.ts";
import { engineAt, grow, ledgers, tamper } from "./sqlite-files.ts";

const MARKED = { cause: "write-failed", facts: { name: "sqlite ledger.db", said: "disk full" } } as const;

test("sqlite: a store that shows its own damage to a commit takes none, and is marked with what was found", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  tamper(where, "INSERT INTO lines VALUES (-1, x'00')");
  const { commit } = commitOn(EMPTY, 1);
  const failure = { cause: "write-failed", facts: { name: "sqlite ledger.db", said: "not-a-seq" } };
  assert.deepEqual(await engine.append(commit, { size: 0 }), { failure, kind: "read-only" });
  assert.deepEqual(engine.readOnly(), failure);
  tamper(where, "DELETE FROM lines");
  await engine.unlock();
  assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
});

test("sqlite: unlocking proves that there is room, and leaves nothing of the proof", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  writeFileSync(`${where}-read-only`, markText(MARKED));
  assert.deepEqual(engine.readOnly(), MARKED);
  await engine.unlock();
  assert.equal(engine.readOnly(), undefined);
  const database = new DatabaseSync(where);
  t.after(() => database.close());
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS blobs FROM blobs").get() }, { blobs: 0 });
  assert.equal((await grow(engine, 1)).length, 1);
});

test("sqlite: unlocking what is not marked does nothing, not even wait for a lock", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const holder = new DatabaseSync(where);
  t.after(() => holder.close());
  holder.exec("BEGIN IMMEDIATE");
  await engine.unlock();
  assert.equal(engine.readOnly(), undefined);
  holder.exec("ROLLBACK");
  assert.deepEqual(await engine.append(commitOn(EMPTY, 1).commit, { size: 0 }), { kind: "ok" });
});

test("sqlite: the mark of another file that took the place of ours is not ours to take away", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  renameSync(where, `${where}.moved`);
  writeFileSync(where, "");
  writeFileSync(`${where}-read-only`, markText(MARKED));
  await engine.unlock();
  assert.ok(existsSync(`${where}-read-only`));
  renameSync(`${where}.moved`, where);
  await engine.unlock();
  assert.ok(!existsSync(`${where}-read-only`));
});
