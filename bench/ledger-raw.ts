// Each engine against its bare driver that makes the same lines and keys durable in as many transactions, in turns.
//
// The driver writes into the same tables with the same settings, and does nothing else: no comparing of sizes, no head,
// no bell, no check of its own. PostgreSQL's gets its arrays in binary, as ours does; in the driver's own spelling as
// text it would be slower and easier to beat.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { COMMIT_LINES_MAX, type Commit, type Engine, type Head } from "../src/ledger/engine.ts";
import { byteArrays, integers } from "../src/ledger/engines/postgres/postgres-values.ts";
import { applySettings } from "../src/ledger/engines/sqlite/sqlite-settings.ts";
import { keyUseOf } from "../src/ledger/record/asked.ts";
import { GENESIS } from "../src/ledger/record/record.ts";
import { seal } from "../src/ledger/record/seal.ts";
import { ulidBytes } from "../src/ledger/record/ulid.ts";
import { draftOf } from "./bare-ledger.ts";
import { postgresAt, sqliteAt, withPostgres } from "./engines.ts";
import { withFolderAsync } from "./folder.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const COMMITS = 24;
const ROUNDS = 31;
const GOAL = 0.85;

const commitOn = (on: Head): { readonly commit: Commit; readonly head: Head } => {
  const lines: Uint8Array[] = [];
  const keys: Commit["keys"][number][] = [];
  let head = on;
  for (let left = COMMIT_LINES_MAX; left > 0; left -= 1) {
    const { hash, line, record } = seal(draftOf(head.size), { prev: head.hash, seq: head.size });
    lines.push(line);
    keys.push(keyUseOf(record));
    head = { hash, size: head.size + 1 };
  }
  return { commit: { blobs: new Map(), keys, lines }, head };
};

type Way = (commit: Commit, size: number) => Promise<void> | void;

/** How many times as fast as the driver the engine is. */
const compared = async (engine: Engine, raw: Way): Promise<number> => {
  const ours: Way = async (commit, size) => {
    const result = await engine.append(commit, { size });
    if (result.kind !== "ok") throw new Error(JSON.stringify(result));
  };
  let head: Head = { hash: GENESIS, size: 0 };
  const ratios: number[] = [];
  // The first round fills caches and compiles; it is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const made: { readonly commit: Commit; readonly size: number }[] = [];
    for (let left = COMMITS; left > 0; left -= 1) {
      const { commit, head: next } = commitOn(head);
      made.push({ commit, size: head.size });
      head = next;
    }
    const msOf = async (way: Way): Promise<number> => {
      const fromMs = performance.now();
      for (const { commit, size } of made) await way(commit, size);
      return performance.now() - fromMs;
    };
    const [first, second] = round % 2 === 0 ? [ours, raw] : [raw, ours];
    const [firstMs, secondMs] = [await msOf(first), await msOf(second)];
    if (round > 0) ratios.push(first === ours ? secondMs / firstMs : firstMs / secondMs);
  }
  return median(ratios);
};

const rowOf = (engine: string, value: number): Row => ({
  bound: "least",
  goal: GOAL,
  measure: `${engine}: commits of ${COMMIT_LINES_MAX} lines, to the bare driver`,
  statistic: `wall time of ${COMMITS} commits, median of ${ROUNDS} rounds`,
  value,
});

export const rawRows = async (): Promise<readonly Row[]> => [await sqliteRow(), await postgresRow()];

const sqliteRow = (): Promise<Row> =>
  withFolderAsync(async (folder) => {
    const engine = await sqliteAt(folder);
    await (await sqliteAt(folder, "raw.db")).close();
    const database = new DatabaseSync(join(folder, "raw.db"));
    applySettings(database);
    const addLine = database.prepare("INSERT INTO lines (seq, line) VALUES (?, ?)");
    const addKey = database.prepare("INSERT INTO keys (key, caller, request, seq) VALUES (?, ?, ?, ?)");
    const value = await compared(engine, ({ keys, lines }, size) => {
      database.exec("BEGIN IMMEDIATE");
      for (const [at, line] of lines.entries()) addLine.run(size + at, line);
      for (const { caller, key, request, seq } of keys)
        addKey.run(ulidBytes(key), caller, Buffer.from(request, "hex"), seq);
      database.exec("COMMIT");
    });
    database.close();
    await engine.close();
    return rowOf("sqlite", value);
  });

const INSERT = `
  WITH stored AS (
    INSERT INTO dedalus_ledger.lines (seq, line)
    SELECT $1::bigint + given.at - 1, given.line FROM unnest($2::bytea[]) WITH ORDINALITY AS given (line, at)
  )
  INSERT INTO dedalus_ledger.keys (key, caller, request, seq)
  SELECT given.* FROM unnest($3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[]) AS given`;

const postgresRow = (): Promise<Row> =>
  withPostgres(async (url) => {
    const engine = await postgresAt(await url());
    const rawUrl = await url();
    await (await postgresAt(rawUrl)).close();
    const client = new Client({ connectionString: rawUrl });
    await client.connect();
    const value = await compared(engine, async ({ keys, lines }, size) => {
      await client.query({
        name: "insert",
        text: INSERT,
        values: [
          size,
          byteArrays(lines),
          byteArrays(keys.map(({ key }) => ulidBytes(key))),
          byteArrays(keys.map(({ caller }) => Buffer.from(caller))),
          byteArrays(keys.map(({ request }) => Buffer.from(request, "hex"))),
          integers(keys.map(({ seq }) => seq)),
        ],
      });
    });
    await client.end();
    await engine.close();
    return rowOf("postgres", value);
  });
