// The same commits on every engine: the same bytes, the same head, the same answers.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Appended, Commit, Engine, Head } from "../../src/ledger/engine.ts";
import { commitOn, digestOf, EMPTY, gathered, nextUlid } from "./lines.ts";
import { open as openPostgres } from "./open-postgres.ts";
import { open as openSqlite } from "./open-sqlite.ts";
import { postgresDesk } from "./postgres-desk.ts";
import { opened } from "./subject.ts";

type Step = { readonly commit: Commit; readonly size: number };

/** Commits of many sizes, with blobs and repeats, and such that are refused. */
const steps = (): readonly Step[] => {
  const all: Step[] = [];
  let head: Head = EMPTY;
  const blob = Buffer.from([0, 255, 10, 92]);
  for (const count of [1, 2, 17, 256, 1]) {
    const made = commitOn(head, count, { caller: `cäller ${count}`, note: "ünï\u0000 𝄞 \\ ' \"".repeat(count % 5) });
    all.push({ commit: { ...made.commit, blobs: new Map([[digestOf(blob), blob]]) }, size: head.size });
    head = made.head;
  }
  const [used] = all[2]?.commit.keys ?? [];
  assert.ok(used);
  const late = commitOn(head, 1).commit;
  const again = commitOn(head, 1, { note: "again" }).commit;
  return [...all, { commit: late, size: 5 }, { commit: { ...again, keys: [used] }, size: head.size }];
};

const played = async (engine: Engine, all: readonly Step[]): Promise<readonly Appended[]> => {
  const answers: Appended[] = [];
  for (const { commit, size } of all) answers.push(await engine.append(commit, { size }));
  return answers;
};

suite("engines", () => {
  const { fresh } = postgresDesk();

  test("engines: the same commits give the same bytes, head and answers on sqlite and postgres", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "dedalus-agree-"));
    const { remove, where } = await fresh();
    const sqlite = await opened({ open: openSqlite }, join(folder, "ledger.db"));
    const postgres = await opened({ open: openPostgres }, where);
    t.after(async () => {
      await Promise.all([sqlite.close(), postgres.close()]);
      await remove();
      await rm(folder, { recursive: true });
    });
    const all = steps();
    const answers = await played(sqlite, all);
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ["ok", "ok", "ok", "ok", "ok", "conflict", "duplicate"],
    );
    assert.deepEqual(await played(postgres, all), answers);

    const head = await sqlite.head();
    assert.equal(head.size, 277);
    assert.deepEqual(await postgres.head(), head);
    const hex = async (engine: Engine): Promise<readonly string[]> =>
      (await gathered(engine.read(0, head.size))).map((line) => Buffer.from(line).toString("hex"));
    const lines = await hex(sqlite);
    assert.equal(lines.length, head.size);
    assert.deepEqual(await hex(postgres), lines);
    for (const { commit } of all) {
      for (const { caller, key } of [...commit.keys, { caller: "nobody", key: nextUlid() }]) {
        assert.deepEqual(await postgres.lookup(caller, key), await sqlite.lookup(caller, key));
      }
      for (const digest of commit.blobs.keys()) {
        assert.deepEqual(
          Buffer.from((await postgres.blob(digest)) ?? []),
          Buffer.from((await sqlite.blob(digest)) ?? []),
        );
      }
    }
  });
});
