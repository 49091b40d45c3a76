// Roots of blocks that are kept from one proof to the next: every path is the one that all leaves give, and only the
// first proof reads the whole ledger.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { leafHash } from "../../src/ledger/record/leaf.ts";
import { inclusionRanges, subtreeRoots } from "../../src/ledger/tree/merkle-proof.ts";
import { keptBlocks } from "../../src/ledger/verify/kept-blocks.ts";
import { chain, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";

const ledgerOf = ledgersFor({ after });
const SIZE = 1_300;
const LINES = linesOf(chain(SIZE));
const LEAVES = LINES.map(leafHash);

/** The same engine, and how many lines were read from it. */
const counted = (engine: Engine): { readonly engine: Engine; readonly lines: () => number } => {
  let lines = 0;
  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    for await (const line of engine.read(from, to)) {
      lines += 1;
      yield line;
    }
  }
  return { engine: { ...engine, read }, lines: () => lines };
};

test("the path of every record of trees of many sizes is the one that all leaves give", async () => {
  const engine = await ledgerOf(LINES);
  for (const rootsOver of [keptBlocks(), undefined])
    for (const size of [1, 2, 255, 256, 257, 511, 512, 513, 768, 1_000, 1_024, 1_025, 1_299, 1_300])
      for (const seq of [0, 1, 254, 255, 256, 257, 511, 512, 767, 1_023, 1_024, 1_298, 1_299].filter(
        (one) => one < size,
      )) {
        const ranges = inclusionRanges(seq, size);
        const path = await (rootsOver ?? keptBlocks())(engine, ranges);
        assert.deepEqual(path, await subtreeRoots(ranges, LEAVES.slice(0, size)), `record ${seq} of ${size}`);
      }
});

test("the first proof reads every line, and each after it no more than two blocks", async () => {
  const { engine, lines } = counted(await ledgerOf(LINES));
  const rootsOver = keptBlocks();
  await rootsOver(engine, inclusionRanges(700, SIZE));
  const first = lines();
  assert.ok(first >= SIZE && first < SIZE + 2 * 256, `${first} lines`);
  for (const seq of [0, 699, 1_299]) {
    const before = lines();
    await rootsOver(engine, inclusionRanges(seq, SIZE));
    assert.ok(lines() - before <= 2 * 256, `${lines() - before} lines for record ${seq}`);
  }
});

test("two proofs at once read the ledger once, and a read that failed is gone on from", async () => {
  const { engine, lines } = counted(await ledgerOf(LINES));
  const rootsOver = keptBlocks();
  const ranges = [inclusionRanges(3, SIZE), inclusionRanges(900, SIZE)];
  const paths = await Promise.all(ranges.map((one) => rootsOver(engine, one)));
  assert.ok(lines() < SIZE + 4 * 256, `${lines()} lines`);
  for (const [at, range] of ranges.entries()) assert.deepEqual(paths[at], await subtreeRoots(range, LEAVES));
  let isTorn = true;
  const whole = await ledgerOf(LINES);
  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    let seq = from;
    for await (const line of whole.read(from, to)) {
      if (isTorn && seq === 600) throw new Error("the disk is away");
      seq += 1;
      yield line;
    }
  }
  const torn = { ...whole, read };
  await assert.rejects(rootsOver(torn, inclusionRanges(3, SIZE)), /the disk is away/);
  isTorn = false;
  const ranges3 = inclusionRanges(3, SIZE);
  assert.deepEqual(await rootsOver(torn, ranges3), await subtreeRoots(ranges3, LEAVES));
});
