// Reading a ledger in SQLite whose rows are not of their shape, and one that grows while it is read.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { commitOn, digestOf, EMPTY, gathered, nextUlid } from "./lines.ts";
import { engineAt, grow, ledgers, tamper } from "./sqlite-files.ts";

/** What a read says: its damage, or what it gave. */
const told = async (read: Promise<unknown>): Promise<unknown> => {
  try {
    return await read;
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, String(error));
    return [error.seq, error.flaw.cause, error.flaw.facts];
  }
};

/** An open ledger whose tables take anything from now on, as no file of ours does. */
const loose = async (t: TestContext): Promise<{ readonly engine: Engine; readonly put: (sql: string) => void }> => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  tamper(
    where,
    `DROP TABLE lines; CREATE TABLE lines (seq, line);
     DROP TABLE blobs; CREATE TABLE blobs (digest, bytes);
     DROP TABLE keys; CREATE TABLE keys (key, caller, request, seq)`,
  );
  return {
    engine,
    put: (sql) => tamper(where, `DELETE FROM lines; DELETE FROM blobs; DELETE FROM keys; ${sql}`),
  };
};

test("sqlite: a seq that is none is damage, wherever it stands", async (t) => {
  const { engine, put } = await loose(t);
  for (const [value, text] of [
    ["-1", "-1"],
    ["1.5", "1.5"],
    ["'one'", "one"],
  ] as const) {
    put(`INSERT INTO lines VALUES (${value}, x'00')`);
    assert.deepEqual(await told(engine.head()), [undefined, "not-a-seq", { value: text }]);
  }
  put("INSERT INTO lines VALUES (0, x'00')");
  assert.equal((await engine.head()).size, 1);
});

test("sqlite: a line that is no bytes is damage at its seq, after every line before it", async (t) => {
  const { engine, put } = await loose(t);
  const bad = { column: "line" };
  put("INSERT INTO lines VALUES (0, x'00'), (1, 'text')");
  assert.deepEqual(await told(engine.head()), [1, "no-bytes", bad]);
  assert.deepEqual(await told(gathered(engine.read(0, 2))), [1, "no-bytes", bad]);
  assert.equal((await gathered(engine.read(0, 1))).length, 1);
});

test("sqlite: a blob that is no bytes is damage of the store", async (t) => {
  const { engine, put } = await loose(t);
  const digest = digestOf(Buffer.from("text"));
  put(`INSERT INTO blobs VALUES (x'${digest}', 'text')`);
  assert.deepEqual(await told(engine.blob(digest)), [undefined, "column-empty", { column: "bytes" }]);
  put(`INSERT INTO blobs VALUES (x'${digest}', CAST('text' AS BLOB))`);
  assert.equal(Buffer.from((await engine.blob(digest)) ?? []).toString(), "text");
});

test("sqlite: the use of a key that cannot be read is damage at its seq", async (t) => {
  const { engine, put } = await loose(t);
  const request = "ab".repeat(32);
  const key = "01".repeat(16);
  const all = (): Promise<unknown> => told(gathered(engine.keys()));
  for (const [row, flaw, facts] of [
    [`x'0102', 'ana', x'${request}', 7`, "key-unreadable", {}],
    [`x'${key}', x'00', x'${request}', 7`, "key-unreadable", {}],
    [`x'${key}', 'ana', x'abab', 7`, "request-unreadable", {}],
    [`x'${key}', 'ana', 'text', 7`, "no-bytes", { column: "request" }],
  ] as const) {
    put(`INSERT INTO keys VALUES (${row})`);
    assert.deepEqual(await all(), [7, flaw, facts]);
  }
  put(`INSERT INTO keys VALUES (x'${key}', 'ana', x'${request}', -7)`);
  assert.deepEqual(await all(), [undefined, "not-a-seq", { value: "-7" }]);
  put(`INSERT INTO keys VALUES (x'${key}', 'ana', x'${request}', 7)`);
  assert.equal((await gathered(engine.keys())).length, 1);
});

test("sqlite: a looked up use whose request cannot be read is damage at its seq", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const { commit } = commitOn(EMPTY, 1);
  assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
  const [use] = commit.keys;
  assert.ok(use);
  assert.deepEqual(await engine.lookup(use.caller, use.key), { request: use.request, seq: 0 });
  assert.equal(await engine.lookup(use.caller, nextUlid()), undefined);
  tamper(where, "UPDATE keys SET request = x'00'");
  assert.deepEqual(await told(engine.lookup(use.caller, use.key)), [0, "request-unreadable", {}]);
});

test("sqlite: a ledger of several pages is read whole", async (t) => {
  const engine = await engineAt(t, await ledgers(t));
  await grow(engine, 3, { lines: 200 });
  assert.equal((await gathered(engine.read(0, Number.POSITIVE_INFINITY))).length, 600);
  assert.equal((await gathered(engine.read(0, 600))).length, 600);
});

test("sqlite: lines that are written between the last page and the size are given, and the end is the end", async (t) => {
  const where = await ledgers(t);
  const { prepare } = DatabaseSync.prototype;
  let grown = 0;
  const wrapped = t.mock.method(DatabaseSync.prototype, "prepare", function (this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    if (sql.startsWith("SELECT seq FROM lines")) {
      const get = statement.get.bind(statement);
      Object.assign(statement, {
        get: () => {
          if (grown < 2) tamper(where, `INSERT INTO lines VALUES (${grown}, x'00')`);
          grown += 1;
          return get();
        },
      });
    }
    return statement;
  });
  const engine = await engineAt(t, where);
  wrapped.mock.restore();
  assert.equal((await gathered(engine.read(0, Number.POSITIVE_INFINITY))).length, 2);
  assert.equal(grown, 3, "INVALID: the size was not asked for");
});
