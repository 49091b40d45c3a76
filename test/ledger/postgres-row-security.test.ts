// A role to whom the database shows only some of the rows: a key that was used, the mark of an unfinished copy or a
// line that is hidden is refused, and never answered as if there were none.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import { begunMark, readCopyMarks } from "../../src/ledger/record/copy-marks.ts";
import { commitOn, digestOf, EMPTY, gathered } from "./lines.ts";
import { postgresDesk, sql } from "./postgres-desk.ts";

type Table = "blobs" | "head" | "keys" | "lines";

/** What came of it: its kind or its value, or that it could not be read. */
const told = async (asked: Promise<unknown>): Promise<unknown> => {
  try {
    return await asked;
  } catch (error) {
    assert.ok(error instanceof LedgerUnread, String(error));
    return "unread";
  }
};

suite("postgres row security", () => {
  const { fresh } = postgresDesk();

  const COPY = digestOf(Buffer.from("a copy"));
  const BLOB = Buffer.from("a blob");

  /**
   * A ledger with the mark of a copy that was begun, and what comes of a role that may do everything but see these
   * rows.
   */
  const seenBy = async (t: TestContext, role: string, hidden: Table | undefined) => {
    const { remove, where } = await fresh();
    t.after(remove);
    const owner = await openPostgres(where, { mode: "write" });
    assert.ok(owner.kind === "open");
    const { commit, head } = commitOn(EMPTY, 1);
    const marked = { ...commit, blobs: new Map([[digestOf(BLOB), BLOB]]), keys: [...commit.keys, begunMark(COPY)] };
    assert.deepEqual(await owner.engine.append(marked, { size: 0 }), { kind: "ok" });
    await owner.engine.close();
    await sql(
      where,
      `CREATE ROLE ${role} LOGIN PASSWORD 'clerk'; GRANT USAGE ON SCHEMA dedalus_ledger TO ${role};
       GRANT ALL ON ALL TABLES IN SCHEMA dedalus_ledger TO ${role}`,
    );
    if (hidden !== undefined) await sql(where, `ALTER TABLE dedalus_ledger.${hidden} ENABLE ROW LEVEL SECURITY`);
    const url = Object.assign(new URL(where), { password: "clerk", username: role }).href;
    const opened = await openPostgres(url, { mode: "write" });
    assert.ok(opened.kind === "open", JSON.stringify(opened));
    const { engine } = opened;
    try {
      return {
        append: (await engine.append(commitOn(head, 1).commit, { size: 1 })).kind,
        begun: await told(readCopyMarks(engine).then(({ begun }) => begun)),
        blob: await told(engine.blob(digestOf(BLOB)).then((bytes) => bytes?.length)),
        head: await told(engine.head().then(({ size }) => size)),
        lines: await told(gathered(engine.read(0, 1)).then((lines) => lines.length)),
      };
    } finally {
      await engine.close();
    }
  };
  /** What a role reads that sees everything, and whose commit was not taken. */
  const ALL = { append: "read-only", begun: COPY, blob: BLOB.length, head: 1, lines: 1 };

  for (const [hidden, expected] of [
    [undefined, { ...ALL, append: "ok", head: 2 }],
    ["blobs", { ...ALL, blob: "unread" }],
    ["head", { ...ALL, head: "unread" }],
    ["keys", { ...ALL, begun: "unread" }],
    ["lines", { ...ALL, head: "unread", lines: "unread" }],
  ] as const)
    test(`postgres: a role to whom ${hidden === undefined ? "nothing is hidden reads and writes" : `${hidden} are hidden is refused where they count`}`, async (t) => {
      assert.deepEqual(await seenBy(t, `clerk_${hidden ?? "of_all"}`, hidden), expected);
    });
});
