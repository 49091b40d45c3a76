// Values on their way to PostgreSQL and back, to the byte; and what a server must promise, by what it tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unfit } from "../../src/ledger/engines/postgres/postgres-settings.ts";
import {
  byteArrays,
  bytesAt,
  columnInteger,
  columnText,
  integers,
} from "../../src/ledger/engines/postgres/postgres-values.ts";

const hex = (...words: readonly string[]): string => words.join("");

test("an array is sent with one dimension, no nulls, its type, its length and its first index", () => {
  const empty = hex("00000001", "00000000", "00000011", "00000000", "00000001");
  assert.equal(byteArrays([]).toString("hex"), empty);
  const two = hex("00000001", "00000000", "00000011", "00000002", "00000001", "00000002", "abcd", "00000000");
  assert.equal(byteArrays([Buffer.from("abcd", "hex"), Buffer.alloc(0)]).toString("hex"), two);
  const numbers = hex("00000001", "00000000", "00000014", "00000001", "00000001", "00000008", "0000000000000102");
  assert.equal(integers([258]).toString("hex"), numbers);
});

test("a column that does not hold what it should stops the reading", () => {
  const stops = (read: () => unknown): void => assert.throws(read, { name: "AssertionError" });
  const row = { bytes: Buffer.from("a"), none: null, text: "a", whole: "7", wide: "9007199254740993" };
  assert.equal(columnInteger(row, "whole"), 7);
  for (const column of ["none", "absent", "text", "wide"]) stops(() => columnInteger(row, column));
  assert.equal(columnText(row, "text"), "a");
  for (const column of ["none", "absent", "bytes"]) stops(() => columnText(row, column));
  assert.equal(bytesAt(row, "bytes").toString(), "a");
  for (const column of ["none", "absent", "text"]) stops(() => bytesAt(row, column));
});

const TOLD = {
  fsync: "on",
  full_page_writes: "on",
  in_recovery: "false",
  read_only: "off",
  synchronous_commit: "on",
  version: "140000",
};

test("a server that keeps every promise is fit, also one that waits for more; each that is broken has its cause", () => {
  for (const synchronous_commit of ["on", "remote_apply"])
    assert.equal(unfit("write", "a", { ...TOLD, synchronous_commit }), undefined);
  const name = "a";
  for (const [broken, failure] of [
    [{ fsync: "off" }, { cause: "fsync-off", facts: { name } }],
    [{ full_page_writes: "off" }, { cause: "full-page-writes-off", facts: { name } }],
    [{ synchronous_commit: "local" }, { cause: "commit-not-durable", facts: { name, setting: "local" } }],
    [{ in_recovery: "true" }, { cause: "standby", facts: { name } }],
    [{ read_only: "on" }, { cause: "session-read-only", facts: { name } }],
  ] as const) {
    assert.deepEqual(unfit("write", name, { ...TOLD, ...broken }), failure);
    assert.equal(unfit("read", name, { ...TOLD, ...broken }), undefined, "for reading nothing is promised");
  }
});

test("a server before version 14 is too old, to read from too", () => {
  const failure = { cause: "version-old", facts: { min: 14, name: "a", version: 13 } };
  for (const mode of ["read", "write"] as const) {
    assert.deepEqual(unfit(mode, "a", { ...TOLD, version: "139999" }), failure);
    assert.equal(unfit(mode, "a", TOLD), undefined);
  }
});
