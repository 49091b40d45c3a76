// A move of more than one commit: the batches are within their bounds, follow each other, and lose nothing at their
// edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX, type Commit, type Engine, type Head } from "../../src/ledger/engine.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import { assertChain, commitOn, EMPTY, gathered } from "./lines.ts";
import { copyingOf, ledgerFolderFor, rootIn } from "./moving.ts";

/** Commits of so many lines each, one after another. */
const fillWith = async (engine: Engine, counts: readonly number[], note = ""): Promise<Head> => {
  let head = EMPTY;
  for (const count of counts) {
    const made = commitOn(head, count, { note });
    assert.deepEqual(await engine.append(made.commit, { size: head.size }), { kind: "ok" });
    head = made.head;
  }
  return head;
};

type Taken = { readonly bytes: number; readonly keys: number; readonly lines: number; readonly size: number };
const watched = (engine: Engine, taken: Taken[]): Engine => ({
  ...engine,
  append: (commit: Commit, expect) => {
    const bytes = commit.lines.reduce((sum, { length }) => sum + length, 0);
    taken.push({ bytes, keys: commit.keys.length, lines: commit.lines.length, size: expect.size });
    return engine.append(commit, expect);
  },
});

test("a ledger of several commits moves in commits of at most 256 lines, each after the other, and is marked once", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const head = await fillWith(source, [256, 256, 89]);
  const before = await rootIn(source);
  const taken: Taken[] = [];
  const told: [string, number][] = [];
  const onProgress = (what: string, records: number): void => void told.push([what, records]);
  const copied = await copyLedger({ ...copyingOf(source, watched(target, taken)), onProgress });
  assert.ok(copied.kind === "copied", JSON.stringify(copied));
  assert.deepEqual(
    taken.map(({ keys, lines, size }) => [size, lines, keys]),
    [
      [0, COMMIT_LINES_MAX, COMMIT_LINES_MAX + 1],
      [256, COMMIT_LINES_MAX, COMMIT_LINES_MAX],
      [512, 89, 89],
      [601, 1, 2],
    ],
  );
  assert.deepEqual(told, [
    ["copying", 256],
    ["copying", 512],
    ["copying", 601],
    ["reading-back", 256],
    ["reading-back", 512],
  ]);
  assert.equal(copied.head.size, head.size + 1);
  assert.equal(await rootIn(target, head.size), before);
  assert.deepEqual(await target.head(), await source.head());
  assert.deepEqual(await gathered(target.read(250, 520)), await gathered(source.read(250, 520)));
  await assertChain(target);
});

test("long lines fill a commit by their bytes, to the last one that fits", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const made = commitOn(EMPTY, 1, { note: "x".repeat(50_000) });
  const lineBytes = made.commit.lines[0]?.length ?? 0;
  const fit = Math.floor(COMMIT_BYTES_MAX / lineBytes);
  await fillWith(source, [fit - 1, fit - 1, 3], "x".repeat(50_000));
  const taken: Taken[] = [];
  const copied = await copyLedger(copyingOf(source, watched(target, taken)));
  assert.equal(copied.kind, "copied");
  assert.deepEqual(
    taken.map(({ lines }) => lines),
    [fit, fit, 1, 1],
  );
  for (const { bytes } of taken) assert.ok(bytes <= COMMIT_BYTES_MAX, String(bytes));
  assert.deepEqual(await target.head(), await source.head());
});

test("a move that was cut after its first commit goes on behind it", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fillWith(source, [256, 100]);
  let left = 1;
  const dying: Engine = {
    ...target,
    append: (commit, expect) => {
      left -= 1;
      if (left < 0) throw new Error("killed");
      return target.append(commit, expect);
    },
  };
  await assert.rejects(copyLedger(copyingOf(source, dying)), /killed/);
  assert.equal((await target.head()).size, 256);
  const taken: Taken[] = [];
  const again = await copyLedger(copyingOf(source, watched(target, taken)));
  assert.equal(again.kind, "copied");
  assert.deepEqual(
    taken.map(({ lines, size }) => [size, lines]),
    [
      [256, 100],
      [356, 1],
    ],
  );
  assert.deepEqual(await target.head(), await source.head());
});
