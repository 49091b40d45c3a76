// The table of used keys against the lines, on both engines: what is missing, misplaced or put there is found.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { KEY_FINDINGS_LISTED_MAX, type KeyFinding, verifyKeys } from "../../src/ledger/verify/verify-keys.ts";
import { commitOn, EMPTY } from "./lines.ts";
import { open as openPostgres } from "./open-postgres.ts";
import { open as openSqlite } from "./open-sqlite.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";
import { fresh as freshFile, tamper } from "./sqlite-files.ts";
import { desk, type Subject } from "./subject.ts";

type Tampered = readonly [statement: (table: string) => string, ...found: (readonly [seq: number, what: string])[]];

const TAMPERED: readonly Tampered[] = [
  [(keys) => `UPDATE ${keys} SET seq = 3 WHERE seq = 1`, [1, "use-misplaced"]],
  [(keys) => `UPDATE ${keys} SET seq = 99 WHERE seq = 1`, [1, "use-misplaced"]],
  [(keys) => `DELETE FROM ${keys} WHERE seq IN (0, 4)`, [0, "use-missing"], [4, "use-missing"]],
  [(keys) => `INSERT INTO ${keys} SELECT key, caller || 'x', request, 2 FROM ${keys} WHERE seq = 0`, [2, "use-stray"]],
  [(keys) => `INSERT INTO ${keys} SELECT key, caller || 'x', request, 5 FROM ${keys} WHERE seq = 0`, [5, "use-stray"]],
  [(keys) => `UPDATE ${keys} SET caller = caller || 'x' WHERE seq = 3`, [3, "use-missing"], [3, "use-stray"]],
  [(keys) => `UPDATE ${keys} SET request = substr(request, 1, 5) WHERE seq = 2`, [2, "use-unreadable"]],
  [
    (keys) => `UPDATE ${keys} SET request = (SELECT request FROM ${keys} WHERE seq = 1) WHERE seq = 2`,
    [2, "use-differs"],
  ],
  [(keys) => `UPDATE ${keys} SET key = substr(key, 1, 5) WHERE seq = 2`, [2, "use-unreadable"]],
];

const short = (findings: readonly KeyFinding[]) => findings.map(({ seq, what }) => [seq, what]);

suite("keys", () => {
  const { fresh } = postgresDesk();
  const subjects: readonly (Subject & {
    readonly table: string;
    readonly change: (where: string, statement: string) => unknown;
  })[] = [
    { change: tamper, fresh: freshFile, name: "sqlite", open: openSqlite, opener: "", table: "keys" },
    { change: sql, fresh, name: "postgres", open: openPostgres, opener: "", table: "dedalus_ledger.keys" },
  ];

  for (const subject of subjects) {
    test(`${subject.name}: a table of keys that is not the lines' own is found out, by seq`, async (t) => {
      for (const [statement, ...found] of TAMPERED) {
        const { engine: open, where } = await desk(t, subject);
        const engine = await open();
        assert.deepEqual(await engine.append(commitOn(EMPTY, 5).commit, { size: 0 }), { kind: "ok" });
        const whole = { findings: [], findingsCount: 0, records: 5, uses: 5 };
        assert.deepEqual(await verifyKeys(engine), whole);
        await subject.change(where, statement(subject.table));
        const { findings, findingsCount } = await verifyKeys(engine);
        assert.deepEqual(short(findings), found, statement("keys"));
        assert.equal(findingsCount, found.length);
      }
    });
  }

  test("keys: what is appended while the table is read is no finding", async (t) => {
    for (const subject of subjects) {
      const engine = await (await desk(t, subject)).engine();
      const first = commitOn(EMPTY, 3);
      assert.deepEqual(await engine.append(first.commit, { size: 0 }), { kind: "ok" });
      const meanwhile: Engine["keys"] = async function* () {
        assert.deepEqual(await engine.append(commitOn(first.head, 2).commit, { size: 3 }), { kind: "ok" });
        yield* engine.keys();
      };
      const result = await verifyKeys({ ...engine, keys: meanwhile });
      assert.deepEqual(result, { findings: [], findingsCount: 0, records: 3, uses: 5 });
    }
  });

  test("keys: a table that was emptied lists the first of its findings and counts them all", async (t) => {
    const [subject] = subjects;
    assert.ok(subject);
    const { engine: open, where } = await desk(t, subject);
    const engine = await open();
    assert.deepEqual(await engine.append(commitOn(EMPTY, 256).commit, { size: 0 }), { kind: "ok" });
    await subject.change(where, "DELETE FROM keys");
    const { findings, findingsCount } = await verifyKeys(engine);
    assert.deepEqual([findings.length, findingsCount], [KEY_FINDINGS_LISTED_MAX, 256]);
    assert.deepEqual(short(findings.slice(0, 1)), [[0, "use-missing"]]);
  });
});
