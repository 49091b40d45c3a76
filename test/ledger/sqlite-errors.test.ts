// What a read of SQLite throws, sorted: damage, what is in the way, and what is a bug of ours.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readError } from "../../src/ledger/engines/sqlite/sqlite-errors.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";

const sqlite = (errcode: number): Error => Object.assign(new Error("it failed"), { errcode });
const CORRUPT = 11;
const BUSY = 5;

test("a damaged page is damage at its record, another trouble of SQLite is not", () => {
  assert.ok(readError(sqlite(CORRUPT), 3) instanceof LedgerDamage);
  assert.ok(readError(sqlite(BUSY), 3) instanceof LedgerUnread);
});

test("what SQLite did not throw stays as it is: a bug is not told as a ledger that cannot be read", () => {
  const bug = new TypeError("undefined is not a function");
  assert.equal(readError(bug, 3), bug);
  assert.equal(readError("a text", undefined), "a text");
});
