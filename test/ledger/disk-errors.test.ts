// Disks that fail under the engines for real: an fsync that says no, a volume that is full. Each marks, says why, keeps
// reading, holds no half commit, stays read-only over a restart, and goes on when an operator unlocks it.
//
// Not here: a full disk under sqlite (sqlite-full.test.ts). Needs root and loop devices; says so where there are none.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { escapeLiteral } from "pg";
import type { Appended, Engine, Head } from "../../src/ledger/engine.ts";
import type { ReadOnlyFailure } from "../../src/ledger/failure.ts";
import { verifyKeys } from "../../src/ledger/verify/verify-keys.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { Facts } from "../../src/spine/model.ts";
import { startPostgres } from "../../tools/servers/postgres.ts";
import { serverUser } from "../../tools/servers/unprivileged.ts";
import { asking, counting } from "./counting.ts";
import { failingDisk, type Later, laterOf } from "./failing-disk.ts";
import { assertChain, commitOn, digestOf, EMPTY } from "./lines.ts";
import { open as openPostgres } from "./open-postgres.ts";
import { open as openSqlite } from "./open-sqlite.ts";
import { sql } from "./postgres-desk.ts";
import { opened } from "./subject.ts";

type Filled = { readonly answer: Appended; readonly head: Head };

/** Appends until it is not taken any more: the last head that was acknowledged, and what came instead. */
const fill = async (engine: Engine, from: Head, blobBytes: number): Promise<Filled> => {
  let head = from;
  for (let commits = 0; commits < 200; commits += 1) {
    const made = commitOn(head, 20, { note: "x".repeat(500) });
    const blob = randomBytes(blobBytes);
    const commit = { ...made.commit, blobs: new Map([[digestOf(blob), blob]]) };
    const answer = await engine.append(commit, { size: head.size });
    if (answer.kind !== "ok") return { answer, head };
    head = made.head;
  }
  return assert.fail("INVALID: the disk never failed");
};

/** Chain and keys are whole, and what was acknowledged is there; returns the head. */
const assertWhole = async (engine: Engine, acknowledged: Head): Promise<Head> => {
  const head = await assertChain(engine);
  assert.ok(head.size === acknowledged.size || head.size === acknowledged.size + 20, "all or nothing of a commit");
  assert.deepEqual((await verifyKeys(engine)).findings, []);
  return head;
};

const saidIn = (failure: { readonly facts: Facts } | undefined): string => String(failure?.facts["said"]);

const assertRefuses = async (
  engine: Engine,
  text: RegExp,
  causes: readonly ReadOnlyFailure["cause"][] = ["write-failed", "unlock-failed"],
): Promise<void> => {
  const { size } = await engine.head();
  const said = await engine.append(commitOn({ ...EMPTY, size }, 1).commit, { size });
  assert.ok(said.kind === "read-only" && text.test(saidIn(said.failure)), JSON.stringify(said));
  assert.match(saidIn(engine.readOnly()), text);
  assert.ok(
    causes.some((cause) => cause === said.failure.cause && cause === engine.readOnly()?.cause),
    said.failure.cause,
  );
};

const assertUnlocked = async (engine: Engine): Promise<void> => {
  await engine.unlock();
  assert.equal(engine.readOnly(), undefined);
  const head = await engine.head();
  const next = commitOn(head, 3);
  assert.deepEqual(await engine.append(next.commit, { size: head.size }), { kind: "ok" });
  assert.deepEqual(await assertChain(engine), next.head);
  assert.deepEqual((await verifyKeys(engine)).findings, []);
};

test("sqlite: an fsync that fails makes the commit unknown and marks, until an operator unlocks a disk that holds", async (t) => {
  const later = laterOf(t);
  const disk = failingDisk(t, later, { mib: 16 });
  if (disk === undefined) return;
  const where = join(disk.folder, "ledger.db");
  const engine = await opened({ open: openSqlite }, where);
  later(() => engine.close());
  const ready = commitOn(EMPTY, 3);
  assert.deepEqual(await engine.append(ready.commit, { size: 0 }), { kind: "ok" });
  disk.fail();
  const { answer, head } = await fill(engine, ready.head, 100_000);
  const failed = /disk I\/O error \(SQLite result code 1034\)/; // SQLITE_IOERR_FSYNC
  assert.ok(answer.kind === "unknown" && failed.test(saidIn(answer.failure)), JSON.stringify(answer));
  assert.equal(answer.reading, "open");
  await assertWhole(engine, head);
  await assertRefuses(engine, failed);
  await engine.unlock();
  await assertRefuses(engine, failed, ["unlock-failed"]);
  await engine.close();

  const restarted = await opened({ open: openSqlite }, where);
  later(() => restarted.close());
  await assertWhole(restarted, head);
  await assertRefuses(restarted, failed);
  disk.heal();
  await assertRefuses(restarted, failed);
  await assertUnlocked(restarted);
});

test("sqlite: a command whose commit failed in its fsync is unknown to its caller", async (t) => {
  const later = laterOf(t);
  const disk = failingDisk(t, later, { mib: 16 });
  if (disk === undefined) return;
  const engine = await opened({ open: openSqlite }, join(disk.folder, "ledger.db"));
  later(() => engine.close());
  const writer = await openSequencer(engine, counting);
  assert.equal((await writer.submit(asking("before"))).kind, "recorded");
  disk.fail();
  const seen = new Set<string>();
  for (let turn = 0; turn < 200 && !seen.has("unknown"); turn += 1) {
    seen.add((await writer.submit(asking("x".repeat(20_000)))).kind);
  }
  assert.deepEqual([...seen].sort(), ["recorded", "unknown"]);
  assert.equal((await writer.submit(asking("after"))).kind, "read-only");
});

test("postgres: an fsync that fails takes the server down, and the mark is there when it comes back", async (t) => {
  const later = laterOf(t);
  const disk = failingDisk(t, later, { mib: 160 });
  if (disk === undefined) return;
  const server = await startPostgres({ parent: disk.folder });
  later(() => server.stop());
  const engine = await opened({ open: openPostgres }, server.url);
  later(() => engine.close());
  const ready = commitOn(EMPTY, 3);
  assert.deepEqual(await engine.append(ready.commit, { size: 0 }), { kind: "ok" });
  disk.fail();
  const failed = /could not fsync file/;
  const { answer, head } = await fill(engine, ready.head, 3_000_000);
  assert.ok(answer.kind === "unknown" && failed.test(saidIn(answer.failure)), JSON.stringify(answer));
  assert.match(saidIn(engine.readOnly()), failed);

  // It comes up and goes down by itself while its disk fails. What was lost while nobody synced it would be told to its
  // recovery, which goes down over it.
  await server.kill();
  disk.heal();
  t.diagnostic(`${disk.hear().length} files had lost a block that nobody had heard of`);
  assert.deepEqual(disk.hear(), []);
  await server.restart();
  await assertWhole(engine, head);
  const other = await opened({ open: openPostgres }, server.url);
  later(() => other.close());
  await assertRefuses(other, failed);
  await assertRefuses(engine, failed);
  await assertUnlocked(other);
});

/** 4 MiB that do not shrink when they are compressed. */
const BALLAST = "string_agg(sha256(int8send(n)), '')";

/** A folder of few MiB that the server may write to, for a tablespace. */
const smallVolume = (t: TestContext, later: Later, mib: number): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-volume-"));
  later(() => rmSync(folder, { force: true, recursive: true }));
  const { gid, uid } = serverUser() ?? { gid: process.getgid?.() ?? 0, uid: process.getuid?.() ?? 0 };
  try {
    const options = `size=${mib}m,mode=700,uid=${uid},gid=${gid}`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "dedalus-volume", folder], { stdio: "pipe" });
  } catch (error) {
    t.diagnostic(`NOT SHOWN, no small volume can be made here: ${String(error)}`);
    return undefined;
  }
  later(() => execFileSync("umount", ["--lazy", folder]));
  return folder;
};

test("postgres: a volume that is full marks every writer, and only an operator with room unlocks", async (t) => {
  const later = laterOf(t);
  const folder = smallVolume(t, later, 24);
  if (folder === undefined) return;
  // A server of its own: one whose volume went away does not come back from a crash.
  const { stop, url } = await startPostgres();
  later(stop);
  await sql(url, `CREATE TABLESPACE small LOCATION ${escapeLiteral(folder)}`);
  await sql(url, "CREATE DATABASE small TABLESPACE small");
  const where = Object.assign(new URL(url), { pathname: "/small" }).href;
  const engine = await opened({ open: openPostgres }, where);
  later(() => engine.close());
  await sql(where, `CREATE TABLE public.ballast AS SELECT ${BALLAST} FROM generate_series(1, 131072) AS n`);
  const full = /No space left on device/;
  const { answer, head } = await fill(engine, EMPTY, 500_000);
  assert.ok(answer.kind === "read-only" && full.test(saidIn(answer.failure)), JSON.stringify(answer));
  assert.ok(head.size > 0);
  assert.deepEqual(await assertWhole(engine, head), head);
  await assertRefuses(engine, full);
  await engine.unlock();
  await assertRefuses(engine, full, ["unlock-failed"]);

  const restarted = await opened({ open: openPostgres }, where);
  later(() => restarted.close());
  await assertRefuses(restarted, full);
  await sql(where, "DROP TABLE public.ballast");
  await assertRefuses(restarted, full);
  await assertUnlocked(restarted);
});
