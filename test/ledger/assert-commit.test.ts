// A commit that breaks a bound, or names a blob wrongly, is a bug of ours and stops before any engine is asked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCommit } from "../../src/ledger/assert-commit.ts";
import type { Commit } from "../../src/ledger/engine.ts";
import { digestOf } from "./lines.ts";

const of = (lines: Commit["lines"], blobs: Commit["blobs"] = new Map()): Commit => ({ blobs, keys: [], lines });
const stops = (commit: Commit): void => assert.throws(() => assertCommit(commit), { name: "AssertionError" });
const line = (bytes: number): Uint8Array => new Uint8Array(bytes);

test("a commit has 1 to 256 lines", () => {
  const lines = (count: number): Commit => of(Array.from({ length: count }, () => line(1)));
  for (const count of [1, 2, 256]) assertCommit(lines(count));
  for (const count of [0, 257]) stops(lines(count));
});

test("the lines of a commit have 512 KiB together", () => {
  const half = 256 * 1024;
  assertCommit(of([line(half), line(half)]));
  stops(of([line(half), line(half + 1)]));
  stops(of([line(2 * half + 1)]));
});

test("a blob is named by its hash", () => {
  const [one, other] = [Buffer.from("one"), Buffer.from("other")];
  assertCommit(of([line(1)], new Map([[digestOf(one), one]])));
  stops(of([line(1)], new Map([[digestOf(one), other]])));
});
