// What was acknowledged is there after a kill: of the writer, and of the writer and its server together.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { assertChain, commitOn } from "../ledger/lines.ts";
import { open as openPostgres } from "../ledger/open-postgres.ts";
import { open as openSqlite } from "../ledger/open-sqlite.ts";
import { postgresDesk } from "../ledger/postgres-desk.ts";
import { ledgers } from "../ledger/sqlite-files.ts";
import { opened } from "../ledger/subject.ts";
import { type Writer, writer } from "../ledger/writer.ts";

const SQLITE = { open: openSqlite, opener: import.meta.resolve("../ledger/open-sqlite.ts") };
const POSTGRES = { open: openPostgres, opener: import.meta.resolve("../ledger/open-postgres.ts") };
const WORK = { caller: "killed", linesMax: 5, records: 100_000 };

/** Everything that the writer was told is there is there, in one chain, and the next record goes in at once. */
const assertKept = async (engine: Engine, { said }: Writer): Promise<void> => {
  const told = said.flatMap((one) => (one.kind === "ok" ? [one.head] : []));
  assert.ok(told.length > 0, "INVALID: nothing was acknowledged before the kill");
  const head = await assertChain(engine);
  assert.ok(head.size >= Math.max(...told.map(({ size }) => size)));
  assert.equal((await engine.append(commitOn(head, 1).commit, { size: head.size })).kind, "ok");
};

test("G1 cannot lose a record that was acknowledged before its writer was killed", async (t) => {
  const where = await ledgers(t);
  const child = await writer(SQLITE, where, WORK);
  child.go();
  await child.hasSaid(20);
  child.signal("SIGKILL");
  await child.gone;
  const engine = await opened(SQLITE, where);
  t.after(() => engine.close());
  await assertKept(engine, child);
});

suite("restart", () => {
  const { fresh, server } = postgresDesk();

  test("G2 cannot lose a record, or need a hand, when writer and server are killed and started again", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const child = await writer(POSTGRES, where, WORK);
    child.go();
    await child.hasSaid(20);
    await server().kill();
    child.signal("SIGKILL");
    await child.gone;
    await server().restart();
    const engine = await opened(POSTGRES, where);
    t.after(() => engine.close());
    await assertKept(engine, child);
  });
});
