// A damaged ledger on PostgreSQL: reported with the seq, never silent. What the server itself cannot see is left to the
// chain and the anchor, and said here as a claim of its own.

import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { Engine, Head } from "../../src/ledger/engine.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { verifyLines } from "../../src/ledger/verify/verify.ts";
import { type PostgresServer, startPostgres } from "../../tools/servers/postgres.ts";
import { assertChain, commitOn, digestOf, EMPTY, type Made } from "./lines.ts";
import { open } from "./open-postgres.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";
import { opened } from "./subject.ts";

const ledgerAt = async (t: TestContext, where: string): Promise<Engine> => {
  const engine = await opened({ open }, where);
  t.after(() => engine.close());
  return engine;
};

/** Commits on top of each other; the last one is last. */
const grown = async (engine: Engine, commits: number, lines: number): Promise<readonly Made[]> => {
  const made: Made[] = [];
  for (let at = 0; at < commits; at += 1) {
    const on: Head = made.at(-1)?.head ?? EMPTY;
    const next = commitOn(on, lines, { note: "x".repeat(200) });
    assert.deepEqual(await engine.append(next.commit, { size: on.size }), { kind: "ok" });
    made.push(next);
  }
  return made;
};

/** The first seq that verify or the engine itself complains about. */
const firstComplaint = async (engine: Engine, size: number): Promise<number | undefined> => {
  try {
    const { findings } = await verifyLines(engine.read(0, size), { checkpoints: [], mode: "full" });
    return findings[0]?.seq;
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, String(error));
    return error.seq;
  }
};

const flip = (column: string): string => `${column} = set_byte(${column}, 20, get_byte(${column}, 20) # 1)`;

suite("postgres damage", () => {
  const { fresh } = postgresDesk();

  test("postgres: a flipped bit in a line, the head or a blob is found, by seq or by name", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const engine = await ledgerAt(t, where);
    const bytes = Buffer.from("an observation, as it was made");
    const made = commitOn(EMPTY, 5);
    const blobs = new Map([[digestOf(bytes), bytes]]);
    assert.deepEqual(await engine.append({ ...made.commit, blobs }, { size: 0 }), { kind: "ok" });
    assert.equal(await firstComplaint(engine, 5), undefined);

    await sql(where, `UPDATE dedalus_ledger.lines SET ${flip("line")} WHERE seq = 2`);
    const complaint = await firstComplaint(engine, 5);
    assert.ok(complaint === 2 || complaint === 3, "in the record itself, or in the link of the one after");
    assert.deepEqual(await engine.head(), made.head, "the head is the last line's, which is whole");

    await sql(where, `UPDATE dedalus_ledger.lines SET ${flip("line")} WHERE seq = 4`);
    await assert.rejects(engine.head(), { name: "LedgerDamage", seq: 4 });
    await sql(where, `UPDATE dedalus_ledger.lines SET ${flip("line")} WHERE seq = 4`);
    assert.deepEqual(await engine.head(), made.head);
    await sql(where, `UPDATE dedalus_ledger.head SET ${flip("hash")}`);
    await assert.rejects(engine.head(), { name: "LedgerDamage", seq: 4 });

    await sql(where, `UPDATE dedalus_ledger.blobs SET ${flip("bytes")}`);
    await assert.rejects(engine.blob(digestOf(bytes)), { name: "LedgerDamage" });
  });

  test("postgres: a head that lies behind its lines marks at the next commit", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const engine = await ledgerAt(t, where);
    const [first, second] = await grown(engine, 2, 2);
    assert.ok(first && second);
    await sql(where, `UPDATE dedalus_ledger.head SET size = 2, hash = '\\x${first.head.hash}'`);
    const said = await engine.append(commitOn(first.head, 1).commit, { size: 2 });
    assert.equal(said.kind, "read-only");
    assert.match(String(engine.readOnly()?.facts["said"]), /lines/);
  });
});

const edited = async (path: string, change: (bytes: Buffer) => void): Promise<void> => {
  const bytes = await readFile(path);
  change(bytes);
  await writeFile(path, bytes);
};

const PAGE = 8_192;

const damagedPage = async (t: TestContext, server: PostgresServer): Promise<void> => {
  const where = await server.database("page");
  const engine = await ledgerAt(t, where);
  const size = (await grown(engine, 6, 100)).at(-1)?.head.size ?? 0;
  await sql(where, "VACUUM (FREEZE) dedalus_ledger.lines");
  const [file] = await sql(where, "SELECT pg_relation_filepath('dedalus_ledger.lines') AS path");
  const [page] = await sql(
    where,
    `SELECT min(seq)::int AS first, (ctid::text::point)[0]::int AS number FROM dedalus_ledger.lines
     GROUP BY number HAVING min(seq) > 300 ORDER BY first LIMIT 1`,
  );
  assert.ok(file && page);
  await sql(where, "CHECKPOINT");
  await server.kill();
  const path = join(server.folder, "data", String(file["path"]));
  await edited(path, (bytes) => bytes.fill(0xff, page["number"] * PAGE, (page["number"] + 1) * PAGE));
  await server.restart();
  let given = 0;
  await assert.rejects(
    async () => {
      for await (const line of engine.read(0, size)) given += line.length > 0 ? 1 : 0;
    },
    { name: "LedgerDamage", seq: page["first"] },
  );
  assert.equal(given, page["first"], "every line before it is given");
  const follower = engine.follow(page["first"], AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
  await assert.rejects(follower.next(), { name: "LedgerDamage", seq: page["first"] });
};

const tornLog = async (t: TestContext, server: PostgresServer): Promise<void> => {
  const where = await server.database("log");
  const engine = await ledgerAt(t, where);
  const made = await grown(engine, 5, 3);
  const [before, last] = made.slice(-2);
  const [line] = last?.commit.lines ?? [];
  assert.ok(before && last && line);
  const read = readRecord(line);
  assert.ok(read.kind === "record");
  await server.kill();
  const folder = join(server.folder, "data", "pg_wal");
  let hit = 0;
  for (const name of (await readdir(folder)).filter((one) => /^[0-9A-F]{24}$/.test(one))) {
    await edited(join(folder, name), (bytes) => {
      const at = bytes.indexOf(read.record.auditId);
      if (at < 0) return;
      hit += 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    });
  }
  assert.equal(hit, 1, "INVALID: nothing was damaged");
  await server.restart();
  assert.deepEqual(await assertChain(engine), before.head);
};

test("postgres: damaged files are damage at the exact line, or shorten the ledger to an earlier commit for the anchor to see", async (t) => {
  const server = await startPostgres();
  t.after(() => server.stop());
  await damagedPage(t, server);
  await tornLog(t, server);
});
