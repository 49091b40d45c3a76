// What a page of the ledger shows between its records: what is not shown, what is missing, what does not hold.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type EntriesGiven, type LedgerEntry, ledgerEntries } from "../../src/console/verify/ledger-entries.ts";
import { chain, linesOf } from "../ledger/drafts.ts";

const LINES = linesOf(chain(8));
const some = (...seqs: readonly number[]): readonly Uint8Array[] =>
  seqs.map((seq) => LINES[seq] ?? assert.fail("a line"));

const told = (entry: LedgerEntry): string => {
  if (entry.kind === "record") return `${entry.record.seq}${entry.isUnproven ? " unproven" : ""}`;
  return entry.kind === "gap" ? `${entry.why} ${entry.from}–${entry.to}` : `broken ${entry.seq} ${entry.flaw.cause}`;
};
const shown = (given: Partial<EntriesGiven> & Pick<EntriesGiven, "lines">): readonly string[] =>
  ledgerEntries({ from: 0, isSome: false, ...given }).map(told);

test("records that a filter leaves out are gaps, at the beginning, between and at the end", () => {
  assert.deepEqual(shown({ isSome: true, lines: some(2, 3, 6), to: 8 }), [
    "not-shown 0–1",
    "2",
    "3",
    "not-shown 4–5",
    "6",
    "not-shown 7–7",
  ]);
  assert.deepEqual(shown({ isSome: true, lines: [], to: 8 }), ["not-shown 0–7"]);
  assert.deepEqual(shown({ from: 2, isSome: true, lines: some(2) }), ["2"]);
});

test("where nothing is left out a gap is a loss, and what follows is unproven", () => {
  assert.deepEqual(shown({ lines: some(0, 1, 4), to: 8 }), ["0", "1", "missing 2–3", "4 unproven", "missing 5–7"]);
  assert.deepEqual(shown({ from: 3, lines: some(3, 4), to: 5 }), ["3", "4"]);
});

test("a record that is not the one its follower names, or that came twice, is broken", () => {
  const altered = Buffer.from(
    Buffer.from(LINES[1] ?? [])
      .toString()
      .replace("record 1", "record X"),
  );
  assert.deepEqual(shown({ lines: LINES.slice(0, 4).with(1, altered) }), [
    "0",
    "1",
    "broken 2 link-broken",
    "2 unproven",
    "3 unproven",
  ]);
  assert.deepEqual(shown({ lines: some(0, 1, 1) }), ["0", "1", "broken 2 out-of-order", "1 unproven"]);
  assert.deepEqual(shown({ lines: [...some(0), Buffer.from("{}"), ...some(2)] }), [
    "0",
    "broken 1 field-no-actor",
    "broken 2 link-broken",
    "2 unproven",
  ]);
});
