// A full disk under the sqlite engine: it marks, what was acknowledged is all there, reads go on, an operator unlocks.
//
// A small file system of its own needs a mount; where that is not allowed, the limit on a process's files shows the
// same through another error of the operating system.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Appended, Engine, Head } from "../../src/ledger/engine.ts";
import type { ReadOnlyFailure, UnwrittenFailure } from "../../src/ledger/failure.ts";
import { assertChain, commitOn, EMPTY } from "./lines.ts";
import { engineAt, ledgers } from "./sqlite-files.ts";
import { writer } from "./writer.ts";

const assertFull = (failure: ReadOnlyFailure | UnwrittenFailure | undefined, cause: ReadOnlyFailure["cause"]): void => {
  assert.equal(failure?.cause, cause);
  assert.match(String(failure.facts["said"]), /^database or disk is full/);
};

const MIB = 1024 * 1024;

const mounted = async (t: TestContext): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "dedalus-full-"));
  const remove = (): Promise<void> => rm(folder, { force: true, recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    t.diagnostic(`no small file system here: ${String(error)}`);
    await remove();
    return undefined;
  }
  t.after(async () => {
    execFileSync("umount", ["--lazy", folder]);
    await remove();
  });
  return folder;
};

/** Appends until it is not taken any more: the last head that was acknowledged, and what came instead. */
const fill = async (engine: Engine, from: Head): Promise<{ readonly head: Head; readonly answer: Appended }> => {
  let head = from;
  for (let commits = 0; commits < 1_000; commits += 1) {
    const made = commitOn(head, 20, { note: "x".repeat(500) });
    const answer = await engine.append(made.commit, { size: head.size });
    if (answer.kind !== "ok") return { answer, head };
    head = made.head;
  }
  return assert.fail("INVALID: the disk never filled");
};

test("sqlite: a full disk marks, reads go on, and only an operator with room unlocks", async (t) => {
  const folder = await mounted(t);
  if (folder === undefined) return;
  const where = join(folder, "ledger.db");
  const ballast = join(folder, "ballast");
  await writeFile(ballast, new Uint8Array(3 * MIB));
  const engine = await engineAt(t, where);
  const { answer, head } = await fill(engine, EMPTY);
  assert.ok(answer.kind === "read-only", answer.kind);
  assertFull(answer.failure, "write-failed");
  assert.ok(head.size > 0);
  assert.deepEqual(await assertChain(engine), head);

  const small = commitOn(head, 1);
  const refused = { failure: engine.readOnly(), kind: "read-only" };
  assert.deepEqual(await engine.append(small.commit, { size: head.size }), refused);
  await engine.unlock();
  assertFull(engine.readOnly(), "unlock-failed");

  await rm(ballast);
  const restarted = await engineAt(t, where);
  for (const one of [engine, restarted]) {
    assert.equal((await one.append(small.commit, { size: head.size })).kind, "read-only", "room alone unlocks nothing");
    assert.deepEqual(await assertChain(one), head);
  }
  await restarted.unlock();
  assert.equal(engine.readOnly(), undefined);
  assert.deepEqual(await engine.append(small.commit, { size: head.size }), { kind: "ok" });
  assert.deepEqual(await assertChain(restarted), small.head);
  assert.equal((await fill(restarted, small.head)).answer.kind, "read-only", "and it marks again");
});

test("sqlite: a file that may grow no further marks for every process, and loses nothing acknowledged", async (t) => {
  const where = await ledgers(t);
  const work = { caller: "limited", limit: "ulimit -f 1000", linesMax: 20, records: 100_000 };
  const limited = await writer({ opener: import.meta.resolve("./open-sqlite.ts") }, where, work);
  t.after(() => limited.signal("SIGKILL"));
  limited.go();
  assert.equal(await limited.gone, 1);
  assert.equal(limited.said.at(-1)?.kind, "read-only");
  const acknowledged = limited.said.findLast(({ kind }) => kind === "ok")?.head;
  assert.ok(acknowledged);

  const engine = await engineAt(t, where);
  const readOnlyMark = engine.readOnly();
  assert.equal(readOnlyMark?.cause, "write-failed");
  assert.match(String(readOnlyMark.facts["said"]), /^disk I\/O error/);
  const head = await assertChain(engine);
  assert.deepEqual(head, acknowledged);
  const next = commitOn(head, 1);
  assert.equal((await engine.append(next.commit, { size: head.size })).kind, "read-only");
  await engine.unlock();
  assert.equal(existsSync(`${where}-read-only`), false);
  assert.deepEqual(await engine.append(next.commit, { size: head.size }), { kind: "ok" });
});
