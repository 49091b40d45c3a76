// What a read of SQLite throws, sorted: damage, what is in the way, and what is a bug of ours.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cannotOpen,
  isBusy,
  isConstraint,
  isDamage,
  isFull,
  readError,
  saidBy,
} from "../../src/ledger/engines/sqlite/sqlite-errors.ts";
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

test("damage at a record is of its page, damage elsewhere is of the store", () => {
  const flaw = (seq: number | undefined): unknown => {
    const error = readError(sqlite(CORRUPT), seq);
    return error instanceof LedgerDamage ? [error.seq, error.flaw.cause] : error;
  };
  assert.deepEqual(flaw(0), [0, "page-damaged"]);
  assert.deepEqual(flaw(undefined), [undefined, "store-damaged"]);
});

test("a number that no record has is damage; another range, or another error of that code, is a bug", () => {
  const coded = (error: Error, code: string): Error => Object.assign(error, { code });
  assert.ok(readError(coded(new RangeError("too large"), "ERR_OUT_OF_RANGE"), 3) instanceof LedgerDamage);
  for (const bug of [
    coded(new RangeError("too large"), "ERR_OTHER"),
    coded(new TypeError("too large"), "ERR_OUT_OF_RANGE"),
    new RangeError("too large"),
  ])
    assert.equal(readError(bug, 3), bug);
});

test("a code that is no number is none of SQLite's", () => {
  const odd = Object.assign(new Error("it failed"), { errcode: "11" });
  assert.equal(readError(odd, 3), odd);
});

test("SQLite's words come with its code, everybody else's as they are", () => {
  assert.equal(saidBy(sqlite(CORRUPT)), "it failed (SQLite result code 11)");
  assert.equal(saidBy(new Error("it failed")), "it failed");
  assert.equal(saidBy("a text"), "a text");
});

test("each family is told by its low byte, and by no other", () => {
  for (const [is, codes] of [
    [isBusy, [5, 5 + 256, 5 + 512]],
    [isConstraint, [19, 19 + 6 * 256]],
    [isFull, [13]],
    [isDamage, [11, 11 + 256, 26]],
    [cannotOpen, [14, 14 + 256]],
  ] as const) {
    const found = Array.from({ length: 4_096 }, (_, code) => code).filter((code) => is(sqlite(code)));
    for (const code of codes) assert.ok(found.includes(code), String(code));
    const families = [...new Set(found.map((code) => code % 256))];
    assert.deepEqual(families, [...new Set(codes.map((code) => code % 256))]);
    assert.equal(is(new Error("it failed")), false);
  }
});
