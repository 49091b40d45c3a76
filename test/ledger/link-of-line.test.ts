// The link in a line's last bytes: read as it stands there, and nothing else taken for one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linkOf, linksTo } from "../../src/ledger/record/fast/link-of-line.ts";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chain } from "./drafts.ts";

const PREV = sha256("before");
const TIME = "2026-01-01T00:00:00.000Z";
const endOf = (seq: string, prev: string = PREV): string =>
  `,"prev":"${prev}","processTime":"${TIME}","seq":${seq},"v":1}`;
const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const lineWith = (seq: string): Uint8Array => bytes(`{"kind":"note"${endOf(seq)}`);
const linkIn = (text: string) => linkOf(bytes(text));

test("seq and prev are read from the end of a line", () => {
  for (const seq of ["0", "1", "9", "10", "19", "90", "1234567890", String(Number.MAX_SAFE_INTEGER)]) {
    assert.deepEqual(linkOf(lineWith(seq)), { prev: PREV, seq: Number(seq) });
    assert.ok(linksTo({ hash: PREV, size: Number(seq) }, lineWith(seq)), seq);
  }
  const within = Buffer.concat([Buffer.alloc(9), lineWith("7"), Buffer.alloc(9)]).subarray(9, -9);
  assert.deepEqual(linkOf(within), { prev: PREV, seq: 7 }, "wherever in its buffer a line lies");
  for (const { line, record } of chain(3)) {
    assert.deepEqual(linkOf(line), { prev: record.prev, seq: record.seq });
    assert.ok(linksTo({ hash: record.prev, size: record.seq }, line));
  }
});

test("a number that is not the one text of a seq is no link", () => {
  const unsafe = String(2 ** 53);
  for (const seq of ["", "00", "01", "-1", "1.5", "/", ":", unsafe, `1${"0".repeat(400)}`, `9${"9".repeat(16)}`]) {
    assert.equal(linkOf(lineWith(seq)), undefined, seq);
    assert.ok(!linksTo({ hash: PREV, size: Number(seq) }, lineWith(seq)), seq);
  }
  for (const size of [Number.NaN, Number.POSITIVE_INFINITY, 0.5]) {
    assert.ok(!linksTo({ hash: PREV, size }, lineWith("0")));
  }
});

test("a line links to one head alone", () => {
  const line = lineWith("12");
  for (const size of [0, 1, 2, 11, 13, 22, 112, 120]) assert.ok(!linksTo({ hash: PREV, size }, line), String(size));
  assert.ok(linksTo({ hash: PREV, size: 12 }, line));
  for (const at of [0, 1, 62, 63]) {
    const other = PREV.slice(0, at) + (PREV[at] === "0" ? "1" : "0") + PREV.slice(at + 1);
    assert.ok(!linksTo({ hash: PREV, size: 12 }, bytes(`{"kind":"note"${endOf("12", other)}`)), `digit ${at}`);
  }
  assert.ok(!linksTo({ hash: GENESIS, size: 12 }, line));
});

test("every byte around seq and prev is looked at, and what stands before them is not", () => {
  const whole = endOf("3");
  assert.deepEqual(linkIn(whole), { prev: PREV, seq: 3 });
  assert.ok(linksTo({ hash: PREV, size: 3 }, bytes(whole)));
  const values = [whole.indexOf(PREV), whole.indexOf(TIME), whole.indexOf("3,")];
  const lengths = [PREV.length, TIME.length, 1];
  const isValue = (at: number): boolean => values.some((from, one) => from <= at && at < from + (lengths[one] ?? 0));
  for (let at = 0; at < whole.length; at += 1) {
    if (isValue(at)) continue;
    const other = `${whole.slice(0, at)}~${whole.slice(at + 1)}`;
    assert.equal(linkIn(other), undefined, other);
    assert.ok(!linksTo({ hash: PREV, size: 3 }, bytes(other)), other);
  }
  for (let from = 1; from <= whole.length; from += 1) assert.equal(linkIn(whole.slice(from)), undefined);
});
