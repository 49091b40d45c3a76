// Restoring onto a ledger: what an export gives as a source, what may stand at the target, and what must come out.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { BLOBS_FOLDER, LINES_FILE } from "../../src/ledger/files/export-names.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { begunMark, finishedMark } from "../../src/ledger/record/copy-marks.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { putCommit, runStoppable } from "../../src/ledger/write/carry.ts";
import { exportSource } from "../../src/ledger/write/export-source.ts";
import { judgeTarget, restoreIdOf, restoreLines } from "../../src/ledger/write/restore-lines.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { damagedBy } from "./damaged.ts";
import { chain, draft, exported, linesOf, treeRoot } from "./drafts.ts";
import { digestOf, gathered } from "./lines.ts";
import { ledgerFolderFor, rootIn } from "./moving.ts";

const SIZE = 5;
const CHAIN = chain(SIZE);
const LINES = linesOf(CHAIN);
const BACKUP = { root: treeRoot(CHAIN.map(({ hash }) => hash)), size: SIZE };
const HEAD = { hash: CHAIN.at(-1)?.hash ?? assert.fail(), size: SIZE };
const BLOB = Buffer.from("a blob");

/** An export of that chain in a folder, and engines beside it. */
const backupFor = (t: TestContext, lines = LINES) => {
  const ledgers = ledgerFolderFor(t);
  const folder = join(ledgers.folder, "backup");
  mkdirSync(join(folder, BLOBS_FOLDER), { recursive: true });
  writeFileSync(join(folder, LINES_FILE), exported(lines));
  writeFileSync(join(folder, BLOBS_FOLDER, digestOf(BLOB)), BLOB);
  return { open: () => ledgers.open("a.db"), source: exportSource(folder, HEAD) };
};
const texts = (lines: readonly Uint8Array[]): readonly string[] => lines.map((line) => Buffer.from(line).toString());

test("an export gives the lines of a range, alone and in pages, and the blobs that it has", async (t) => {
  const { source } = backupFor(t);
  for (const [from, to] of [
    [0, SIZE],
    [1, 3],
    [3, 99],
    [2, 2],
  ] as const) {
    const expected = texts(LINES.slice(from, to));
    assert.deepEqual(texts(await gathered(source.read(from, to))), expected);
    assert.deepEqual(texts((await gathered(source.pages(from, to))).flat()), expected);
  }
  assert.deepEqual(await source.head(), HEAD);
  assert.deepEqual(await source.blob(digestOf(BLOB)), BLOB);
  assert.equal(await source.blob(sha256("no blob")), undefined);
});

test("an export gives each line as it stands, empty ones and those that lie in two pieces too", async (t) => {
  const lines = ["", "x".repeat(200_000), "y".repeat(200_000), "", "z"].map((text) => Buffer.from(text));
  const { source } = backupFor(t, lines);
  assert.deepEqual(texts(await gathered(source.read(0, 99))), texts(lines));
});

const restored = (source: ReturnType<typeof exportSource>, target: Engine): Promise<void> =>
  restoreLines({ onProgress: () => undefined, source, target }, BACKUP);

/** The record of the restore, with the mark that finishes it, on top of the lines. */
const record = async (target: Engine): Promise<void> => {
  const { hash: prev } = await target.head();
  const { line, record: own } = seal(draft(SIZE, { kind: "ledger.restore" }), { prev, seq: SIZE });
  const keys = [keyUseOf(own), finishedMark(restoreIdOf(BACKUP), SIZE)];
  await putCommit({ target }, { blobs: new Map(), keys, lines: [line] }, SIZE);
};

test("a target is free while it holds nothing, or a part or all of this restore without its record", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  assert.deepEqual(await judgeTarget(target, BACKUP, undefined), { kind: "free" });
  const [first] = CHAIN;
  assert.ok(first);
  const keys = [keyUseOf(first.record), begunMark(restoreIdOf(BACKUP))];
  await putCommit({ target }, { blobs: new Map(), keys, lines: [first.line] }, 0);
  assert.deepEqual(await judgeTarget(target, BACKUP, undefined), { kind: "free" });
  const other = await judgeTarget(target, { ...BACKUP, size: SIZE - 1 }, undefined);
  assert.equal(other.kind === "refused" ? other.refusal.code : other.kind, "target-occupied", "a part of another");
  await restored(source, target);
  assert.deepEqual(texts(await gathered(target.read(0, 99))), texts(LINES));
  assert.deepEqual(await judgeTarget(target, BACKUP, undefined), { kind: "free" });
});

test("a restore that has its record lacks the anchor alone, until the anchor begins with it", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  await restored(source, target);
  await record(target);
  const whole = { root: await rootIn(target), size: SIZE + 1 };
  for (const first of [undefined, BACKUP, { ...whole, root: sha256("another") }])
    assert.deepEqual(await judgeTarget(target, BACKUP, first), { kind: "recorded" });
  const facts = { name: target.name, size: SIZE + 1 };
  const judged = await judgeTarget(target, BACKUP, whole);
  assert.ok(judged.kind === "refused");
  const { cause, code } = judged.refusal;
  assert.deepEqual([code, cause, judged.refusal.facts], ["target-occupied", "restored-over", facts]);
});

test("a restore after whose record others have written is somebody's ledger", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  await restored(source, target);
  await record(target);
  const seq = SIZE + 1;
  const { line, record: own } = seal(draft(seq), { prev: (await target.head()).hash, seq });
  await putCommit({ target }, { blobs: new Map(), keys: [keyUseOf(own)], lines: [line] }, seq);
  assert.equal((await judgeTarget(target, BACKUP, undefined)).kind, "refused");
});

test("a restore of another backup is somebody's ledger", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  await restored(source, target);
  await record(target);
  const other = { ...BACKUP, root: sha256("another") };
  assert.equal((await judgeTarget(target, other, undefined)).kind, "refused");
});

test("a restore that was finished by another record than the one after the backup is somebody's ledger", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  await restored(source, target);
  await record(target);
  const finished = finishedMark(restoreIdOf(BACKUP), 3);
  const elsewhere: Engine = {
    ...target,
    lookup: async (caller, key) =>
      caller === finished.caller && key === finished.key ? finished : target.lookup(caller, key),
  };
  assert.equal((await judgeTarget(elsewhere, BACKUP, undefined)).kind, "refused");
});

test("a target that does not give back the keys that it took is not called restored", async (t) => {
  const { open, source } = backupFor(t);
  const forgetful: Engine = { ...(await open()), lookup: async () => undefined };
  await assert.rejects(restored(source, forgetful), damagedBy(0, "key-unlisted"));
});

test("lines that do not come to the backup's root are not called restored", async (t) => {
  const short = backupFor(t, LINES.slice(0, -1));
  await assert.rejects(restored(short.source, await short.open()), damagedBy(SIZE - 1, "copy-differs"));
});

test("a target that holds another line, or more lines, is left alone", async (t) => {
  const { open, source } = backupFor(t);
  const target = await open();
  const refusal = async (engine: Engine): Promise<unknown> => {
    const stopped = await runStoppable(() => restored(source, engine));
    return stopped?.kind === "refused" ? [stopped.refusal.code, stopped.refusal.cause, stopped.refusal.facts] : stopped;
  };
  const [first] = CHAIN;
  assert.ok(first);
  const other = seal(draft(7), { prev: first.hash, seq: 1 });
  await putCommit({ target }, { blobs: new Map(), keys: [], lines: [first.line, other.line] }, 0);
  const { name } = target;
  assert.deepEqual(await refusal(target), ["target-occupied", "record-differs", { name, seq: 1 }]);
  // One that gives fewer lines than it says.
  const short: Engine = { ...target, head: async () => HEAD, read: (from) => target.read(from, 1) };
  assert.deepEqual(await refusal(short), ["target-occupied", "record-differs", { name, seq: 1 }]);
  const long: Engine = {
    ...target,
    head: async () => ({ ...HEAD, size: SIZE + 1 }),
    read: (from, to) => source.read(from, to),
  };
  assert.deepEqual(await refusal(long), ["target-occupied", "longer", { name }]);
});
