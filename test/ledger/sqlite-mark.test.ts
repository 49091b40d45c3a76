// The read-only mark beside a database: what holds, what a full disk leaves of it, and how it goes.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readOnlyMarkOf } from "../../src/ledger/engines/sqlite/sqlite-read-only.ts";
import { openFiles } from "./open-files.ts";
import { ledgers } from "./sqlite-files.ts";

const FAILED = { cause: "write-failed", facts: { name: "sqlite ledger.db", said: "disk full" } } as const;
const AGAIN = { cause: "unlock-failed", facts: { name: "sqlite ledger.db", said: "still full" } } as const;

test("a mark holds for everybody until it is taken away; the last cause is the one it has", async (t) => {
  const where = await ledgers(t);
  const [mark, other] = [readOnlyMarkOf(where), readOnlyMarkOf(where)];
  assert.equal(mark.holding(), undefined);
  for (const failure of [FAILED, AGAIN]) {
    assert.deepEqual(mark.close(failure), failure);
    assert.deepEqual([mark.holding(), other.holding()], [failure, failure]);
  }
  other.open();
  assert.deepEqual([mark.holding(), other.holding()], [undefined, undefined]);
  assert.equal(existsSync(`${where}-read-only`), false);
});

test("a mark that a full disk left empty holds, with its cause where it is known", async (t) => {
  const where = await ledgers(t);
  const mark = readOnlyMarkOf(where);
  mark.close(FAILED);
  writeFileSync(`${where}-read-only`, "\n");
  assert.deepEqual(mark.holding(), FAILED);
  assert.deepEqual(readOnlyMarkOf(where).holding(), { cause: "mark-empty", facts: {} });
});

test("where no mark can be made it holds in this process alone, and says why, until it is taken away", async (t) => {
  const where = join(dirname(await ledgers(t)), "none", "ledger.db");
  const mark = readOnlyMarkOf(where);
  const closed = mark.close(FAILED);
  assert.equal(closed.cause, "write-failed-unmarked");
  const { markSaid, ...facts } = closed.facts;
  assert.deepEqual(facts, FAILED.facts);
  assert.match(String(markSaid), /^ENOENT/);
  assert.deepEqual(mark.holding(), closed);
  assert.equal(readOnlyMarkOf(where).holding(), undefined);
  mark.open();
  assert.equal(mark.holding(), undefined);
});

test("whatever stands in the place of a mark is one, though it cannot be written", async (t) => {
  const where = await ledgers(t);
  mkdirSync(`${where}-read-only`);
  const mark = readOnlyMarkOf(where);
  assert.deepEqual(mark.close(FAILED), FAILED);
  assert.equal(mark.holding()?.cause, "mark-unreadable");
});

test("a mark that was written is left open by nobody", async (t) => {
  const where = await ledgers(t);
  readOnlyMarkOf(where).close(FAILED);
  assert.notEqual(openFiles()?.includes(`${where}-read-only`), true);
});
