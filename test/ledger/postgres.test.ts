// The postgres engine on a real server: the conformance suite, what it refuses to open, and what it never says.
//
// Not here: servers that are killed, stand still or lose replies (postgres-faults.test.ts).

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Client } from "pg";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { startPostgres } from "../../tools/servers/postgres.ts";
import { ledgerConformance } from "./conformance.ts";
import { commitOn, EMPTY, gathered } from "./lines.ts";
import { open } from "./open-postgres.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";
import { opened } from "./subject.ts";

const refusal = async (url: string, mode: "read" | "write" = "write"): Promise<Refusal> => {
  const result = await openPostgres(url, { mode });
  if (result.kind === "open") await result.engine.close();
  assert.ok(result.kind === "refused", "opened what must be refused");
  return result.refusal;
};

suite("postgres", () => {
  const { fresh, server } = postgresDesk();
  ledgerConformance({ fresh, name: "postgres", open, opener: import.meta.resolve("./open-postgres.ts") });

  test("postgres: a role whose commits would not wait for the disk is overridden", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await sql(server().url, "CREATE ROLE hasty LOGIN SUPERUSER PASSWORD 'hasty'");
    await sql(server().url, "ALTER ROLE hasty SET synchronous_commit = off");
    const url = Object.assign(new URL(where), { password: "hasty", username: "hasty" }).href;
    assert.deepEqual(await sql(url, "SHOW synchronous_commit"), [{ synchronous_commit: "off" }]);
    const engine = await opened({ open }, url);
    t.after(() => engine.close());
    // Only the server can say what the engine's own session has; a trigger writes it down.
    await sql(
      where,
      `CREATE TABLE public.seen (setting text);
       CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
       CREATE TRIGGER see AFTER INSERT ON dedalus_ledger.lines EXECUTE FUNCTION public.see()`,
    );
    assert.deepEqual(await engine.append(commitOn(EMPTY, 1).commit, { size: 0 }), { kind: "ok" });
    assert.deepEqual(await sql(where, "SELECT setting FROM public.seen"), [{ setting: "on" }]);
  });

  test("postgres: a server started with fsync=off is refused, naming fsync", async (t) => {
    const careless = await startPostgres({ settings: { fsync: "off" } });
    t.after(() => careless.stop());
    assert.equal((await refusal(careless.url)).cause, "fsync-off");
    assert.deepEqual(await sql(careless.url, "SELECT to_regnamespace('dedalus_ledger')::text AS made"), [
      { made: null },
    ]);
  });

  test("postgres: a server without full page writes is refused, naming full_page_writes, and only for writing", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await (await opened({ open }, where)).close();
    const reload = async (statement: string, value: string): Promise<void> => {
      await sql(where, statement);
      await sql(where, "SELECT pg_reload_conf()");
      while ((await sql(where, "SHOW full_page_writes"))[0]?.["full_page_writes"] !== value);
    };
    await reload("ALTER SYSTEM SET full_page_writes = off", "off");
    try {
      assert.equal((await refusal(where)).cause, "full-page-writes-off");
      const reader = await openPostgres(where, { mode: "read" });
      assert.ok(reader.kind === "open");
      await reader.engine.close();
    } finally {
      await reload("ALTER SYSTEM RESET full_page_writes", "on");
    }
    await (await opened({ open }, where)).close();
  });

  test("postgres: a session that takes no writes is refused for writing, naming the setting", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const database = new URL(where).pathname.slice(1);
    await sql(server().url, `ALTER DATABASE "${database}" SET default_transaction_read_only = on`);
    assert.equal((await refusal(where)).cause, "session-read-only");
  });

  test("postgres: a standby is refused for writing, and may be read", async (t) => {
    const own = await startPostgres();
    t.after(() => own.stop());
    await (await opened({ open }, own.url)).close();
    await own.kill();
    writeFileSync(join(own.folder, "data", "standby.signal"), "");
    await own.restart();
    assert.equal((await refusal(own.url)).cause, "standby");
    const reader = await openPostgres(own.url, { mode: "read" });
    assert.ok(reader.kind === "open", JSON.stringify(reader));
    await reader.engine.close();
  });

  test("postgres: a table that a crash would empty is refused, naming UNLOGGED", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await (await opened({ open }, where)).close();
    await sql(where, "ALTER TABLE dedalus_ledger.keys SET UNLOGGED");
    const { cause, facts } = await refusal(where);
    assert.deepEqual([cause, facts["table"]], ["table-unlogged", "keys"]);
  });

  test("postgres: a ledger of a later format is refused, for writing and for reading", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await (await opened({ open }, where)).close();
    await sql(where, "UPDATE dedalus_ledger.format SET version = 2");
    for (const mode of ["read", "write"] as const) {
      const { cause, facts } = await refusal(where, mode);
      assert.deepEqual([cause, facts["format"], facts["known"]], ["newer-format", 2, 1]);
    }
  });

  test("postgres: reading makes no ledger, and a ledger opened for reading takes no writes", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    assert.equal((await refusal(where, "read")).code, "ledger-absent");
    const writer = await opened({ open }, where);
    t.after(() => writer.close());
    const { commit, head } = commitOn(EMPTY, 2);
    assert.deepEqual(await writer.append(commit, { size: 0 }), { kind: "ok" });
    const reader = await openPostgres(where, { mode: "read" });
    assert.ok(reader.kind === "open");
    t.after(() => reader.engine.close());
    assert.deepEqual(await reader.engine.head(), head);
    assert.equal((await gathered(reader.engine.read(0, 2))).length, 2);
    assert.equal((await reader.engine.append(commitOn(head, 1).commit, { size: 2 })).kind, "read-only");
    assert.ok(reader.engine.readOnly());
    assert.deepEqual(await writer.head(), head);
  });

  test("postgres: a line that was deleted is damage at its seq, in the middle and at the end", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const engine = await opened({ open }, where);
    t.after(() => engine.close());
    assert.deepEqual(await engine.append(commitOn(EMPTY, 5).commit, { size: 0 }), { kind: "ok" });
    for (const seq of [4, 2]) {
      await sql(where, `DELETE FROM dedalus_ledger.lines WHERE seq = ${seq}`);
      await assert.rejects(gathered(engine.read(0, 5)), { name: "LedgerDamage", seq });
    }
    assert.equal((await gathered(engine.read(0, 2))).length, 2);
  });

  test("postgres: two engines that make the same ledger at once both open it", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const engines = await Promise.all([1, 2, 3, 4].map(() => opened({ open }, where)));
    for (const engine of engines) {
      assert.deepEqual(await engine.head(), EMPTY);
      await engine.close();
    }
  });

  test("postgres: a url that turns certificate verification off is refused, and nothing is connected", async () => {
    const { url } = server();
    for (const bad of [
      "sslmode=no-verify",
      "uselibpqcompat=true&sslmode=require",
      "uselibpqcompat=true&sslmode=prefer",
    ]) {
      assert.equal((await refusal(`${url}?${bad}`)).rule, "B4");
    }
    // This server has no TLS at all.
    assert.equal((await refusal(`${url}?sslmode=verify-full`)).code, "ledger-unusable");
  });

  test("postgres: neither the password nor the url is in any name or message", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const { password } = new URL(where);
    const secret = "s3cret pass/w%rd";
    const told = async (url: string): Promise<string> => JSON.stringify(await refusal(url));
    const said = [
      await told(Object.assign(new URL(where), { password: secret }).href),
      await told(Object.assign(new URL(where), { password: secret, port: "1" }).href),
      await told(Object.assign(new URL(where), { hostname: "no-such-host.invalid", password: secret }).href),
      await told(Object.assign(new URL(where), { password: secret, pathname: "/none" }).href),
      // The server quotes the user's name, which is the password here.
      await told(Object.assign(new URL(where), { password: "s3cret", username: "s3cret" }).href),
      await told(`postgres://user:${secret}@[broken/x`),
      await told(`mysql://user:${secret}@localhost/x`),
      await told(`${where}-none`),
    ];
    const engine = await opened({ open }, where);
    said.push(engine.name);
    assert.equal(engine.name, `postgres 127.0.0.1${new URL(where).pathname}`);
    await sql(where, "DROP SCHEMA dedalus_ledger CASCADE");
    const lost = await engine.append(commitOn(EMPTY, 1).commit, { size: 0 });
    said.push(JSON.stringify(lost), await engine.head().then(JSON.stringify, String));
    await engine.close();
    said.push(await engine.head().then(JSON.stringify, String));
    for (const text of said) {
      assert.ok(text.length > 10, text);
      for (const hidden of [
        "s3cret",
        secret,
        encodeURIComponent(secret),
        encodeURI(secret),
        password,
        "postgres://user",
      ]) {
        assert.ok(!text.includes(hidden), text);
      }
    }
  });

  test("postgres: lines are stored as bytes that another program can read", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const engine = await opened({ open }, where);
    t.after(() => engine.close());
    const { commit, head } = commitOn(EMPTY, 3);
    assert.deepEqual(await engine.append(commit, { size: 0 }), { kind: "ok" });
    const client = new Client({ connectionString: where });
    await client.connect();
    const { rows } = await client.query(
      "SELECT encode(sha256('\\x00' || line), 'hex') AS hash FROM dedalus_ledger.lines ORDER BY seq DESC",
    );
    await client.end();
    assert.equal(rows[0]?.hash, head.hash);
  });
});
