// One connection to a real server: how each query went, what a session is told, what the bell rings for, and what is
// left open. The clock stands still where a test needs to see that nothing waits for it.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { bell } from "../../src/ledger/engines/postgres/postgres-bell.ts";
import {
  type PostgresSession,
  type Ran,
  runAgain,
  session,
} from "../../src/ledger/engines/postgres/postgres-session.ts";
import { greetServer } from "../../src/ledger/engines/postgres/postgres-settings.ts";
import { type Target, targetOf } from "../../src/ledger/engines/postgres/postgres-target.ts";
import { commitOn, EMPTY } from "./lines.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";

const ANSWER_MAX_MS = 60_000;
const PID = { text: "SELECT pg_backend_pid() AS pid" };

const targetAt = (url: string): Target => {
  const target = targetOf(url);
  return target.kind === "target" ? target : assert.fail(JSON.stringify(target.refusal));
};
const rowOf = (ran: Ran): Readonly<Record<string, unknown>> =>
  ran.kind === "answered" ? (ran.rows[0] ?? {}) : assert.fail(JSON.stringify(ran));

suite("postgres connection", () => {
  const { fresh, server } = postgresDesk();
  const database = async (t: TestContext): Promise<string> => {
    const { remove, where } = await fresh();
    t.after(remove);
    return where;
  };
  /** Until so many of our connections are at this database. */
  const untilOpen = async (where: string, count: number): Promise<void> => {
    const name = new URL(where).pathname.slice(1);
    const ours = `SELECT count(*)::int AS ours FROM pg_stat_activity
      WHERE application_name = 'dedalus ledger' AND datname = '${name}'`;
    while ((await sql(server().url, ours))[0]?.["ours"] !== count);
  };
  const sessionAt = (t: TestContext, where: string): PostgresSession => {
    const target = targetAt(where);
    const made = session(target, greetServer("write", target.name), ANSWER_MAX_MS);
    t.after(() => made.close());
    return made;
  };

  test("postgres: a query that the server refuses has failed, and the connection goes on", async (t) => {
    const asking = sessionAt(t, await database(t));
    const before = rowOf(await asking.run(PID));
    const ran = await asking.run({ text: "SELECT 1 / 0" });
    assert.ok(ran.kind === "failed" && ran.code === "22012" && ran.constraint === "", JSON.stringify(ran));
    assert.deepEqual(rowOf(await asking.run(PID)), before);
  });

  test("postgres: a query whose connection ends under it is lost, with the process that had it; the next one is asked anew", async (t) => {
    const asking = sessionAt(t, await database(t));
    const before = rowOf(await asking.run(PID));
    const ran = await asking.run({ text: "SELECT pg_terminate_backend(pg_backend_pid())" });
    assert.ok(ran.kind === "lost" && ran.code === "57P01", JSON.stringify(ran));
    assert.equal(ran.backend.pid, before["pid"]);
    assert.notDeepEqual(rowOf(await asking.run(PID)), before);
  });

  test("postgres: a query that the driver cannot send is lost, and its connection is not used again", async (t) => {
    const where = await database(t);
    const asking = sessionAt(t, where);
    const before = rowOf(await asking.run(PID));
    const unsendable = {
      toPostgres: () => {
        throw new Error("no value");
      },
    };
    const ran = await asking.run({ text: "SELECT $1::text", values: [unsendable] });
    assert.ok(ran.kind === "lost" && ran.code === "", JSON.stringify(ran));
    assert.notDeepEqual(rowOf(await asking.run(PID)), before);
    await untilOpen(where, 1);
  });

  test("postgres: a read that was lost is asked once more; one that was answered is not", async (t) => {
    const where = await database(t);
    await sql(where, "CREATE SEQUENCE public.asked");
    const asking = sessionAt(t, where);
    const counted = { text: "SELECT nextval('public.asked')::int AS at" };
    assert.deepEqual(rowOf(await runAgain(asking, counted)), { at: 1 });
    assert.deepEqual(rowOf(await runAgain(asking, counted)), { at: 2 });
    const ends = { text: "SELECT pg_terminate_backend(pg_backend_pid()) WHERE nextval('public.asked') = 3" };
    assert.equal((await runAgain(asking, ends)).kind, "answered");
    assert.deepEqual(rowOf(await runAgain(asking, counted)), { at: 5 });
  });

  test("postgres: an answer in time ends the time for it", async (t) => {
    const asking = sessionAt(t, await database(t));
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const before = rowOf(await asking.run(PID));
    t.mock.timers.tick(ANSWER_MAX_MS);
    assert.deepEqual(rowOf(await asking.run(PID)), before);
  });

  test("postgres: a session that is closed sends nothing and leaves nothing open, and so does one that was unfit", async (t) => {
    const where = await database(t);
    const target = targetAt(where);
    const closed = sessionAt(t, where);
    assert.equal(await closed.reach(), undefined);
    await untilOpen(where, 1);
    await closed.close();
    await untilOpen(where, 0);
    const failure = { cause: "closed", facts: { name: target.name } } as const;
    assert.deepEqual(await closed.run(PID), { failure, kind: "unreached" });
    assert.deepEqual(await closed.reach(), failure);

    const unfit = session(target, async () => ({ failure, kind: "unfit" }), ANSWER_MAX_MS);
    assert.deepEqual(await unfit.run(PID), { failure, kind: "unreached" });
    await untilOpen(where, 0);
    const thrown = session(target, async () => assert.fail("greeted wrongly"), ANSWER_MAX_MS);
    assert.deepEqual((await thrown.run(PID)).kind, "unreached");
    await untilOpen(where, 0);
  });

  test("postgres: a connection that ends while it is greeted is not used", async (t) => {
    const where = await database(t);
    const target = targetAt(where);
    const asking = session(
      target,
      async (client) => {
        const greeted = await greetServer("write", target.name)(client);
        const ended = new Promise((resolve) => client.once("end", resolve));
        await client.query("SELECT pg_terminate_backend(pg_backend_pid())").catch(String);
        await ended;
        return greeted;
      },
      ANSWER_MAX_MS,
    );
    t.after(() => asking.close());
    assert.deepEqual(await asking.reach(), { cause: "connection-lost", facts: { name: target.name } });
  });

  const greeted = async (t: TestContext, mode: "read" | "write", before: string): Promise<object> => {
    const client = new Client({ connectionString: await database(t) });
    await client.connect();
    try {
      await client.query(before);
      assert.equal((await greetServer(mode, "a")(client)).kind, "fit");
      const names = ["default_transaction_read_only", "lock_timeout", "statement_timeout", "synchronous_commit"];
      const shown = names.map((name) => `current_setting('${name}') AS ${name}`).join(", ");
      return (await client.query(`SELECT ${shown}`)).rows[0];
    } finally {
      await client.end();
    }
  };
  const SET = { default_transaction_read_only: "off", lock_timeout: "0", statement_timeout: "0" };
  const READ = { ...SET, default_transaction_read_only: "on" };

  test("postgres: a session overrides what would cut a commit short or lose it, and leaves what waits for more", async (t) => {
    const hasty = "SET synchronous_commit = off; SET lock_timeout = 7; SET statement_timeout = 7000";
    assert.deepEqual(await greeted(t, "write", hasty), { ...SET, synchronous_commit: "on" });
    const careful = "SET synchronous_commit = remote_apply";
    assert.deepEqual(await greeted(t, "write", careful), { ...SET, synchronous_commit: "remote_apply" });
  });

  test("postgres: a session for reading takes no writes, and sets nothing that only writers need", async (t) => {
    assert.deepEqual(await greeted(t, "read", "SET synchronous_commit = off"), { ...READ, synchronous_commit: "off" });
  });

  /**
   * The server reads another configuration, as after an edit of its files; every session that asks next has heard of
   * it.
   */
  const reconfigure = async (where: string, setting: string, value: "off" | "on"): Promise<void> => {
    await sql(where, value === "off" ? `ALTER SYSTEM SET ${setting} = off` : `ALTER SYSTEM RESET ${setting}`);
    await sql(where, "SELECT pg_reload_conf()");
    const shown = `SELECT current_setting('${setting}') AS shown`;
    while ((await sql(where, shown))[0]?.["shown"] !== value);
    // The server tells all of its processes at once; what a new one has read, the others are about to.
    await pause(200);
  };

  test("postgres: a server that turns synchronous_commit off while a writer is connected does not turn it off for that writer", async (t) => {
    const where = await database(t);
    const target = targetAt(where);
    const asking = session(target, greetServer("write", target.name), ANSWER_MAX_MS);
    t.after(() => asking.close());
    const shown = { text: "SELECT current_setting('synchronous_commit') AS shown, pg_backend_pid() AS pid" };
    const before = await asking.run(shown);
    t.after(() => reconfigure(where, "synchronous_commit", "on"));
    await reconfigure(where, "synchronous_commit", "off");
    assert.deepEqual(await asking.run(shown), before, "the same connection, and the same promise");
  });

  for (const [setting, cause] of [
    ["fsync", "fsync-off"],
    ["full_page_writes", "full-page-writes-off"],
  ] as const) {
    test(`postgres: a commit is not written to a server that turned ${setting} off since it was connected, and is when it is on again`, async (t) => {
      const where = await database(t);
      const opened = await openPostgres(where, { mode: "write" });
      assert.ok(opened.kind === "open", JSON.stringify(opened));
      const { engine } = opened;
      t.after(() => engine.close());
      const first = commitOn(EMPTY, 1);
      assert.deepEqual(await engine.append(first.commit, EMPTY), { kind: "ok" });
      t.after(() => reconfigure(where, setting, "on"));
      await reconfigure(where, setting, "off");
      const next = commitOn(first.head, 1);
      const failure = { cause, facts: { name: engine.name } };
      assert.deepEqual(await engine.append(next.commit, first.head), { failure, kind: "read-only" });
      await reconfigure(where, setting, "on");
      assert.deepEqual(await engine.head(), first.head, "nothing was written");
      assert.deepEqual(await engine.append(next.commit, first.head), { kind: "ok" });
    });
  }

  const bellAt = (t: TestContext, where: string) => {
    const made = bell(targetAt(where), ANSWER_MAX_MS);
    t.after(() => made.close());
    return made;
  };

  test("postgres: the bell rings for an append, for an abort and at the end of its connection, without a clock", async (t) => {
    const where = await database(t);
    const ringer = bellAt(t, where);
    const stop = new AbortController();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    await ringer.rung(stop.signal); // it is reached for the first time
    await untilOpen(where, 1);
    assert.equal(getEventListeners(stop.signal, "abort").length, 0, "who was rung listens no more");
    const appended = ringer.rung(stop.signal);
    await sql(where, "SELECT pg_notify('dedalus_ledger', '')");
    await appended;
    const ended = ringer.rung(stop.signal);
    await sql(
      where,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'dedalus ledger' AND datname = current_database()`,
    );
    await ended;
    await ringer.rung(stop.signal); // and it is reached again
    const aborted = ringer.rung(stop.signal);
    stop.abort();
    await aborted;
    await ringer.rung(stop.signal);
    await ringer.close();
    await untilOpen(where, 0);
  });

  test("postgres: the bell rings once a second without a cause", async (t) => {
    const ringer = bellAt(t, await database(t));
    const { signal } = new AbortController();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    await ringer.rung(signal);
    let rang = false;
    const waits = ringer.rung(signal).then(() => {
      rang = true;
    });
    t.mock.timers.tick(999);
    await new Promise((resume) => setImmediate(resume));
    assert.equal(rang, false);
    t.mock.timers.tick(1);
    await waits;
  });
});
