// The postgres engine when things break: replies that get lost, servers that are killed or stand still, full disks.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Appended, Engine } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import type { ReadOnlyFailure, UnwrittenFailure } from "../../src/ledger/failure.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { asking, counting } from "./counting.ts";
import { type FaultProxy, faultProxy } from "./fault-proxy.ts";
import { assertChain, commitOn, digestOf, EMPTY, type Made } from "./lines.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";

const assertFull = (failure: ReadOnlyFailure | UnwrittenFailure | undefined): void => {
  assert.equal(failure?.cause, "write-failed");
  assert.match(String(failure.facts["said"]), /No space left/);
};

const opened = async (url: string, answerMaxMs = 5_000): Promise<Engine> => {
  const result = await openPostgres(url, { answerMaxMs, mode: "write" });
  assert.ok(result.kind === "open", JSON.stringify(result));
  return result.engine;
};

const isThere = async (engine: Engine, { commit }: Made): Promise<boolean> => {
  const [use] = commit.keys;
  assert.ok(use);
  return (await engine.lookup(use.caller, use.key)) !== undefined;
};

suite("postgres faults", () => {
  const { fresh, server } = postgresDesk();

  const ledger = async (t: TestContext): Promise<string> => {
    const { remove, where } = await fresh();
    t.after(remove);
    return where;
  };
  const behindProxy = async (
    t: TestContext,
  ): Promise<{ readonly engine: Engine; readonly proxy: FaultProxy; readonly where: string }> => {
    const where = await ledger(t);
    const proxy = await faultProxy(server().port);
    const engine = await opened(proxy.url(where));
    t.after(async () => {
      await engine.close();
      await proxy.close();
    });
    return { engine, proxy, where };
  };

  for (const [fault, there] of [
    ["reply", true],
    ["request", false],
  ] as const) {
    test(`postgres: a commit whose ${fault} got lost is unknown, and reading finds it ${there ? "there" : "absent"}`, async (t) => {
      const { engine, proxy } = await behindProxy(t);
      const first = commitOn(EMPTY, 2);
      assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
      const second = commitOn(first.head, 3);
      proxy.loseNext(fault);
      const said = await engine.append(second.commit, { size: 2 });
      assert.equal(said.kind, "unknown");
      assert.equal(proxy.lost(), 1, "INVALID: nothing was lost");
      assert.equal(await isThere(engine, second), there);
      assert.deepEqual(await engine.head(), there ? second.head : first.head);
      assert.equal(engine.readOnly(), undefined);

      const again = there ? { kind: "conflict", size: 5 } : { kind: "ok" };
      assert.deepEqual(await engine.append(second.commit, { size: 2 }), again);
      assert.deepEqual(await assertChain(engine), second.head);
    });
  }

  test("postgres: a lost request is answered as not written, and a lost reply with its record, never by sending again", async (t) => {
    const { engine, proxy } = await behindProxy(t);
    const writer = await openSequencer(engine, counting);
    assert.equal((await writer.submit(asking("before"))).kind, "recorded");
    const ask = asking("lost");
    proxy.loseNext("request");
    const refused = await writer.submit(ask);
    assert.ok(refused.kind === "read-only" && refused.failure.cause === "unreachable", JSON.stringify(refused));
    const answered = await writer.submit(ask);
    assert.ok(answered.kind === "recorded" && !answered.replayed && answered.record.seq === 1);
    proxy.loseNext("reply");
    const found = await writer.submit(asking("found"));
    assert.ok(found.kind === "recorded" && !found.replayed && found.record.seq === 2, JSON.stringify(found));
    assert.equal(proxy.lost(), 2, "INVALID: nothing was lost");
    assert.equal((await assertChain(engine)).size, 3);
  });

  test("postgres: a commit that reading did not find never appears later", async (t) => {
    const { engine, proxy, where } = await behindProxy(t);
    const made = commitOn(EMPTY, 1);
    assert.deepEqual(await engine.head(), EMPTY);
    const holder = new Client({ connectionString: where });
    await holder.connect();
    // The server is in the middle of the commit, waits for the row, and has not heard that its client is gone.
    await holder.query("BEGIN; SELECT 1 FROM dedalus_ledger.head FOR UPDATE");
    proxy.loseNext("client");
    assert.equal((await engine.append(made.commit, { size: 0 })).kind, "unknown");
    assert.equal(proxy.lost(), 1, "INVALID: nothing was lost");
    assert.equal(await isThere(engine, made), false);
    await holder.query("ROLLBACK");
    await holder.end();
    await pause(100);
    assert.equal(await isThere(engine, made), false);
    assert.deepEqual(await engine.head(), EMPTY);
  });

  test("postgres: a server killed again and again loses nothing acknowledged, and the engine comes back by itself", async (t) => {
    const where = await ledger(t);
    const engine = await opened(where);
    t.after(() => engine.close());
    let head = EMPTY;
    const seen = { "read-only": 0, ok: 0, unknown: 0 };
    const attempt = async (): Promise<void> => {
      const made = commitOn(head, 3);
      const said: Appended = await engine.append(made.commit, { size: head.size });
      assert.ok(said.kind === "ok" || said.kind === "unknown" || said.kind === "read-only", JSON.stringify(said));
      seen[said.kind] += 1;
      if (said.kind === "unknown") await back;
      if (said.kind === "ok" || (said.kind === "unknown" && (await isThere(engine, made)))) head = made.head;
      if (said.kind === "read-only") await pause(10);
    };
    let back: Promise<void> = Promise.resolve();
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 10; count += 1) await attempt();
      const running = attempt();
      await pause(round % 3);
      const killed = server().kill();
      back = killed.then(() => server().restart());
      await Promise.all([running, killed.then(attempt), back]);
    }
    assert.ok(seen.ok >= 50 && seen["read-only"] + seen.unknown > 0, `INVALID: ${JSON.stringify(seen)}`);
    assert.equal(engine.readOnly(), undefined);
    assert.deepEqual(await assertChain(engine), head);
    assert.deepEqual(await engine.append(commitOn(head, 1).commit, { size: head.size }), { kind: "ok" });
  });

  test("postgres: a server that stands still makes a commit unknown within the bound, and it is found afterwards or not", async (t) => {
    const where = await ledger(t);
    const engine = await opened(where, 300);
    t.after(() => engine.close());
    const made = commitOn(EMPTY, 1);
    assert.deepEqual(await engine.head(), EMPTY);
    server().signal("SIGSTOP");
    const silent = pause(5_000, { kind: "silent" } as const, { ref: false });
    const said = await Promise.race([engine.append(made.commit, { size: 0 }), silent]);
    server().signal("SIGCONT");
    assert.equal(said.kind, "unknown");
    const there = await isThere(engine, made);
    await pause(50);
    assert.equal(await isThere(engine, made), there);
    assert.deepEqual(await engine.head(), there ? made.head : EMPTY);
  });

  test("postgres: a full disk marks every writer until one unlocks; a cancelled statement does not make read-only", async (t) => {
    const where = await ledger(t);
    const engine = await opened(where);
    const other = await opened(where);
    const made = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(made.commit, { size: 0 }), { kind: "ok" });
    const raise = (code: string): Promise<unknown> =>
      sql(
        where,
        `CREATE OR REPLACE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '${code}'; END $$;
         CREATE OR REPLACE TRIGGER fail AFTER INSERT ON dedalus_ledger.keys EXECUTE FUNCTION public.fail()`,
      );
    const next = commitOn(made.head, 1);
    await raise("57014");
    assert.equal((await engine.append(next.commit, { size: 2 })).kind, "read-only");
    assert.equal(engine.readOnly(), undefined);

    await raise("53100");
    assert.equal((await engine.append(next.commit, { size: 2 })).kind, "read-only");
    assertFull(engine.readOnly());
    await engine.unlock();
    await raise("53100");
    assert.equal((await engine.append(next.commit, { size: 2 })).kind, "read-only");
    await sql(where, "DROP TRIGGER fail ON dedalus_ledger.keys");

    const third = await opened(where);
    t.after(() => Promise.all([engine, other, third].map((one) => one.close())));
    assertFull(third.readOnly());
    for (const one of [engine, other, third]) {
      const said = await one.append(next.commit, { size: 2 });
      assert.ok(said.kind === "read-only", JSON.stringify(said));
      assertFull(said.failure);
    }
    assert.deepEqual(await assertChain(engine), made.head);

    await third.unlock();
    assert.equal(third.readOnly(), undefined);
    assert.deepEqual(await engine.append(next.commit, { size: 2 }), { kind: "ok" });
    assert.equal(engine.readOnly(), undefined);
    assert.deepEqual(await sql(where, "SELECT count(*)::int AS blobs FROM dedalus_ledger.blobs"), [{ blobs: 0 }]);
  });

  test("postgres: a follower outlives the server's restart and misses nothing", async (t) => {
    const where = await ledger(t);
    const engine = await opened(where);
    const stop = new AbortController();
    t.after(async () => {
      stop.abort();
      await engine.close();
    });
    const first = commitOn(EMPTY, 2);
    assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
    const lines = engine.follow(0, stop.signal)[Symbol.asyncIterator]();
    const taken = async (count: number): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let at = 0; at < count; at += 1) {
        const { done, value } = await lines.next();
        assert.ok(done !== true);
        seen.push(digestOf(value));
      }
      return seen;
    };
    assert.deepEqual(await taken(2), first.commit.lines.map(digestOf));
    const later = taken(3);
    await server().kill();
    await server().restart();
    const second = commitOn(first.head, 3);
    assert.deepEqual(await engine.append(second.commit, { size: 2 }), { kind: "ok" });
    assert.deepEqual(await later, second.commit.lines.map(digestOf));
  });
});
