// The postgres engine where the store is wrong, an operator's unlock fails, or a commit is in doubt: what each of its
// parts says, on a real server.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { Client } from "pg";
import type { Engine } from "../../src/ledger/engine.ts";
import { openPostgres, readPostgresMark } from "../../src/ledger/engines/postgres/postgres.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { faultProxy } from "./fault-proxy.ts";
import { commitOn, digestOf, EMPTY, gathered } from "./lines.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";

/** What a read says: its damage, or what it gave. */
const told = async (read: Promise<unknown>): Promise<unknown> => {
  try {
    return await read;
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, String(error));
    return [error.seq, error.flaw.cause];
  }
};

suite("postgres edges", () => {
  const { fresh, server } = postgresDesk();
  const openedAt = async (where: string): Promise<Engine> => {
    const result = await openPostgres(where, { mode: "write" });
    assert.ok(result.kind === "open", JSON.stringify(result));
    return result.engine;
  };
  const ledger = async (t: TestContext): Promise<{ readonly engine: Engine; readonly where: string }> => {
    const { remove, where } = await fresh();
    const engine = await openedAt(where);
    t.after(async () => {
      await engine.close();
      await remove();
    });
    return { engine, where };
  };
  const ours = async (where: string): Promise<unknown> => {
    const name = new URL(where).pathname.slice(1);
    const text = `SELECT count(*)::int AS ours FROM pg_stat_activity
      WHERE application_name = 'dedalus ledger' AND datname = '${name}'`;
    return (await sql(server().url, text))[0]?.["ours"];
  };

  test("postgres: a head row that is gone, unreadable or of another chain is damage", async (t) => {
    const { engine, where } = await ledger(t);
    await sql(where, "UPDATE dedalus_ledger.head SET hash = decode(repeat('ab', 32), 'hex')");
    assert.deepEqual(await told(engine.head()), [0, "head-differs"]);
    await sql(where, "UPDATE dedalus_ledger.head SET hash = '\\x00'");
    assert.deepEqual(await told(engine.head()), [undefined, "head-unreadable"]);
    await sql(where, "DELETE FROM dedalus_ledger.head");
    assert.deepEqual(await told(engine.head()), [undefined, "head-unreadable"]);
    await sql(where, "INSERT INTO dedalus_ledger.head (size, hash) VALUES (0, decode(repeat('00', 32), 'hex'))");
    assert.deepEqual(await engine.head(), EMPTY);
    const { commit, head } = commitOn(EMPTY, 1);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await engine.head(), head);
    await sql(where, "DELETE FROM dedalus_ledger.lines");
    assert.deepEqual(await told(engine.head()), [0, "line-missing"]);
  });

  test("postgres: what the server finds corrupt is damage at its line, or of the store; what it says else is neither", async (t) => {
    const { engine, where } = await ledger(t);
    assert.deepEqual(await engine.append(commitOn(EMPTY, 5).commit, { size: 0 }), { kind: "ok" });
    const broken = (code: string): Promise<unknown> =>
      sql(
        where,
        `CREATE OR REPLACE FUNCTION public.whole(seq bigint, line bytea) RETURNS bytea LANGUAGE plpgsql AS $$
           BEGIN IF seq = 3 THEN RAISE EXCEPTION 'invalid page' USING ERRCODE = '${code}'; END IF; RETURN line; END $$`,
      );
    await broken("XX001");
    await sql(
      where,
      `ALTER TABLE dedalus_ledger.lines RENAME TO kept;
       CREATE VIEW dedalus_ledger.lines AS SELECT seq, public.whole(seq, line) AS line FROM dedalus_ledger.kept`,
    );
    for (const code of ["XX001", "XX002"]) {
      await broken(code);
      let given = 0;
      const read = async (): Promise<void> => {
        for await (const line of engine.read(0, 5)) given += line.length > 0 ? 1 : 0;
      };
      assert.deepEqual(await told(read()), [3, "page-damaged"]);
      assert.equal(given, 3, "every line before it");
    }
    await broken("XX000");
    await assert.rejects(gathered(engine.read(3, 5)), { name: "LedgerUnread" });
    await broken("XX001");
    await sql(
      where,
      `ALTER TABLE dedalus_ledger.head RENAME TO first;
       CREATE VIEW dedalus_ledger.head AS
         SELECT size, public.whole(3, hash) AS hash, read_only FROM dedalus_ledger.first`,
    );
    assert.deepEqual(await told(engine.head()), [undefined, "store-damaged"]);
  });

  test("postgres: the use of a key that cannot be read is damage at its seq", async (t) => {
    const { engine, where } = await ledger(t);
    const { commit } = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
    const [, use] = commit.keys;
    assert.ok(use);
    await sql(where, "UPDATE dedalus_ledger.keys SET request = '\\x00' WHERE seq = 1");
    assert.deepEqual(await told(engine.lookup(use.caller, use.key)), [1, "request-unreadable"]);
    assert.deepEqual(await told(gathered(engine.keys())), [1, "request-unreadable"]);
    await sql(where, "UPDATE dedalus_ledger.keys SET key = '\\x0102' WHERE seq = 1");
    assert.deepEqual(await told(gathered(engine.keys())), [1, "key-unreadable"]);
    await sql(where, "DELETE FROM dedalus_ledger.keys WHERE seq = 1");
    assert.deepEqual(await gathered(engine.keys()), commit.keys.slice(0, 1));
  });

  test("postgres: a ledger of several pieces is read and followed whole, from before its start too, and no clock is needed", async (t) => {
    const { engine } = await ledger(t);
    let head = EMPTY;
    for (let commits = 0; commits < 5; commits += 1) {
      const made = commitOn(head, 256);
      assert.deepEqual(await engine.append(made.commit, { size: head.size }), { kind: "ok" });
      head = made.head;
    }
    assert.equal((await gathered(engine.read(0, Number.POSITIVE_INFINITY))).length, 1_280);
    assert.equal((await gathered(engine.read(0, 1_280))).length, 1_280);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const line of engine.follow(-5, stop.signal)) {
      seen.push(digestOf(line));
      if (seen.length === 1_279) stop.abort();
    }
    assert.equal(seen.length, 1_279, "none after the abort");
  });

  test("postgres: a commit of another wakes a follower without a clock, and closing ends it and leaves nothing open", async (t) => {
    const { engine, where } = await ledger(t);
    const other = await openedAt(where);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const lines = engine.follow(0, new AbortController().signal)[Symbol.asyncIterator]();
    const { commit } = commitOn(EMPTY, 1);
    const first = lines.next();
    while ((await sql(where, "SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN dedalus_ledger'")).length === 0);
    assert.deepEqual(await other.append(commit, { size: 0 }), { kind: "ok" });
    assert.equal(digestOf((await first).value ?? new Uint8Array()), digestOf(commit.lines[0] ?? new Uint8Array()));
    const next = lines.next();
    await other.close();
    await engine.close();
    assert.deepEqual(await next, { done: true, value: undefined });
    while ((await ours(where)) !== 0);
  });

  test("postgres: an engine that is refused, and one that only asked for the mark, leave nothing open", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    assert.equal((await openPostgres(where, { mode: "read" })).kind, "refused");
    while ((await ours(where)) !== 0);
    assert.equal((await readPostgresMark(where))?.cause, "mark-unread");
    while ((await ours(where)) !== 0);
    await (await openedAt(where)).close();
    assert.equal(await readPostgresMark(where), undefined);
    await sql(where, "UPDATE dedalus_ledger.head SET read_only = 'because'");
    assert.deepEqual(await readPostgresMark(where), { cause: "mark-foreign", facts: { said: "because" } });
    const elsewhere = { cause: "mark-unread", facts: { name: "postgres", said: "url-scheme" } };
    assert.deepEqual(await readPostgresMark("mysql://127.0.0.1/ledger"), elsewhere);
  });

  test("postgres: a role that may make no tables is told so", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await sql(server().url, "CREATE ROLE guest LOGIN PASSWORD 'guest'");
    const url = Object.assign(new URL(where), { password: "guest", username: "guest" }).href;
    const result = await openPostgres(url, { mode: "write" });
    assert.ok(result.kind === "refused");
    assert.deepEqual([result.refusal.code, result.refusal.cause], ["ledger-unusable", "tables-unmade"]);
    await (await openedAt(where)).close();
  });

  test("postgres: unlocking writes as much as the largest commit, and takes it away again", async (t) => {
    const { engine, where } = await ledger(t);
    await sql(
      where,
      `CREATE TABLE public.seen (bytes integer);
       CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO public.seen VALUES (length(NEW.bytes)); RETURN NULL; END $$;
       CREATE TRIGGER see AFTER INSERT ON dedalus_ledger.blobs FOR EACH ROW EXECUTE FUNCTION public.see()`,
    );
    await engine.unlock();
    assert.deepEqual(await sql(where, "SELECT bytes FROM public.seen"), [{ bytes: 512 * 1024 }]);
    assert.deepEqual(await sql(where, "SELECT 1 FROM dedalus_ledger.blobs"), []);
  });

  test("postgres: an unlock that fails marks for every writer, until one succeeds", async (t) => {
    const { engine, where } = await ledger(t);
    await sql(
      where,
      `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'still full' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER fail AFTER INSERT ON dedalus_ledger.blobs EXECUTE FUNCTION public.fail()`,
    );
    await engine.unlock();
    const failure = engine.readOnly();
    assert.equal(failure?.cause, "unlock-failed");
    assert.match(String(failure.facts["said"]), /^still full/);
    const { commit } = commitOn(EMPTY, 1);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { failure, kind: "read-only" });
    const other = await openedAt(where);
    t.after(() => other.close());
    assert.deepEqual(other.readOnly(), failure);
    assert.deepEqual(await other.append(commit, { size: 0 }), { failure, kind: "read-only" });
    await sql(where, "DROP TRIGGER fail ON dedalus_ledger.blobs");
    await other.unlock();
    assert.equal(other.readOnly(), undefined);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
    assert.equal(engine.readOnly(), undefined);
  });

  test("postgres: a commit that uses one key twice is a bug and stops before anything is written", async (t) => {
    const { engine } = await ledger(t);
    const { commit } = commitOn(EMPTY, 2);
    const [use] = commit.keys;
    assert.ok(use);
    await assert.rejects(engine.append({ ...commit, keys: [use, { ...use, seq: 1 }] }, { size: 0 }), RangeError);
    assert.deepEqual(await engine.head(), EMPTY);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
  });

  const none = digestOf(Buffer.from("no blob"));
  for (const [name, read] of [
    ["a blob", (engine: Engine) => engine.blob(none)],
    ["the head", (engine: Engine) => engine.head()],
    ["the keys", (engine: Engine) => gathered(engine.keys())],
    ["a use", (engine: Engine) => engine.lookup("ana", commitOn(EMPTY, 1).commit.keys[0]?.key ?? assert.fail())],
    ["the lines", (engine: Engine) => gathered(engine.read(0, 1))],
  ] as const) {
    test(`postgres: whoever reads ${name} while a commit is in doubt ends the doubt first`, async (t) => {
      const { remove, where } = await fresh();
      const proxy = await faultProxy(server().port);
      const engine = await openedAt(proxy.url(where));
      const holder = new Client({ connectionString: where });
      t.after(async () => {
        await holder.end();
        await engine.close();
        await proxy.close();
        await remove();
      });
      await holder.connect();
      // The server is in the middle of the commit, waits for the row, and has not heard that its client is gone.
      await holder.query("BEGIN; SELECT 1 FROM dedalus_ledger.head FOR UPDATE");
      proxy.loseNext("client");
      assert.equal((await engine.append(commitOn(EMPTY, 1).commit, { size: 0 })).kind, "unknown");
      const waiting = `SELECT 1 FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%WITH moved%'`;
      while ((await sql(where, waiting)).length === 0);
      await read(engine);
      assert.deepEqual(await sql(where, waiting), []);
      await holder.query("ROLLBACK");
    });
  }
});
