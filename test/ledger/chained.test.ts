// A chain that is folded or decided again: every record before the first break, and none after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine, Lines } from "../../src/ledger/engine.ts";
import { readLines, readRecord } from "../../src/ledger/record/read-record.ts";
import { readChainedPages } from "../../src/ledger/verify/chained.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { chain, linesOf } from "./drafts.ts";

/** More than is read at once, and not a multiple of it. */
const PAGE_LINES = 40;
const LENGTH = 90;

const paged = (lines: Lines): Pick<Engine, "pages"> => ({
  async *pages(from, to) {
    const wanted = lines.slice(0, to);
    for (let at = from; at < wanted.length; at += PAGE_LINES) yield wanted.slice(at, at + PAGE_LINES);
  },
});

/** The seqs that came, and where it broke. */
const walked = async (
  lines: Lines,
  onHash?: (hash: string) => void,
): Promise<{ readonly brokenAt?: number; readonly seqs: readonly number[] }> => {
  const seqs: number[] = [];
  try {
    const pages = readChainedPages(paged(lines), LENGTH, undefined, onHash);
    for await (const page of pages) for (const { seq } of page) seqs.push(seq);
    return { seqs };
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, String(error));
    assert.ok(error.seq !== undefined);
    return { brokenAt: error.seq, seqs };
  }
};

const upTo = (seq: number): readonly number[] => Array.from({ length: seq }, (_, at) => at);

test("every record of an unbroken chain comes, in order, across pages", async () => {
  assert.deepEqual(await walked(linesOf(chain(LENGTH))), { seqs: upTo(LENGTH) });
});

test("what comes before a break is given, and the break names its seq", async () => {
  const lines = linesOf(chain(LENGTH));
  for (const at of upTo(LENGTH)) {
    const torn = lines.with(at, Buffer.from("{}"));
    assert.deepEqual(await walked(torn), { brokenAt: at, seqs: upTo(at) }, `record ${at} is torn`);
    const gone = lines.toSpliced(at, 1);
    const expected = at === LENGTH - 1 ? { seqs: upTo(at) } : { brokenAt: at, seqs: upTo(at) };
    assert.deepEqual(await walked(gone), expected, `record ${at} is gone`);
  }
});

test("lines are hashed ahead, and a hash is heard only when its record was found in its place", async () => {
  const sealed = chain(LENGTH);
  const lines = linesOf(sealed);
  for (const at of [0, 1, 33, LENGTH - 1]) {
    const heard: string[] = [];
    const torn = await walked(lines.with(at, Buffer.from("{}")), (hash) => heard.push(hash));
    assert.equal(torn.brokenAt, at);
    assert.deepEqual(
      heard,
      sealed.slice(0, at).map(({ hash }) => hash),
    );
  }
});

test("lines that are read together are read as one by one", () => {
  const lines = [...linesOf(chain(5)), Buffer.from("{}"), Buffer.from([0xff]), ...linesOf(chain(2)).toReversed()];
  assert.deepEqual(readLines(lines), lines.map(readRecord));
});

test("a record that is sound by itself and links elsewhere is a break", async () => {
  const lines = linesOf(chain(LENGTH));
  for (const at of upTo(LENGTH).slice(1)) {
    const line = Buffer.from(lines[at] ?? []).toString();
    const other = line.replace(/"prev":"(.)/, (_, digit) => `"prev":"${digit === "0" ? "1" : "0"}`);
    assert.deepEqual(await walked(lines.with(at, Buffer.from(other))), { brokenAt: at, seqs: upTo(at) });
  }
});

test("it goes on from a head that is known to stand", async () => {
  const sealed = chain(LENGTH);
  const hash = sealed[4]?.hash ?? assert.fail("there is a record");
  const seqs: number[] = [];
  const pages = readChainedPages(paged(linesOf(sealed)), 9, { hash, size: 5 });
  for await (const page of pages) for (const { seq } of page) seqs.push(seq);
  assert.deepEqual(seqs, [5, 6, 7, 8]);
});
