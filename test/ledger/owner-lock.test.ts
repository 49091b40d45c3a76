// Proof that a process is gone, with real processes: a lock that the system frees when its holder ends.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ulids } from "../../src/ids.ts";
import {
  findEndedOwners,
  holdOwnerLock,
  isOwnerEnded,
  removeOwnerLock,
} from "../../src/ledger/engines/sqlite/owner-lock.ts";
import { ledgers } from "./sqlite-files.ts";

const LOCK = new URL("../../src/ledger/engines/sqlite/owner-lock.ts", import.meta.url).href;

/** A process that holds the lock, or waits for it, until it is killed. */
const starting = (ledger: string, instance: string) => {
  const code = `const { holdOwnerLock } = await import(${JSON.stringify(LOCK)});
    holdOwnerLock(${JSON.stringify(ledger)}, ${JSON.stringify(instance)});
    globalThis.gc();
    process.stdout.write("held\\n");
    setTimeout(() => undefined, 600_000);`;
  // Collects the garbage first, so that a lock that hangs on nothing is lost here and not in somebody's apply.
  const words = ["--expose-gc", "--input-type=module", "--eval", code];
  return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
};

const holder = async (ledger: string, instance: string) => {
  const child = starting(ledger, instance);
  await once(child.stdout, "data");
  return child;
};

const files = (ledger: string): readonly string[] =>
  readdirSync(dirname(ledger)).filter((name) => /-owner-/.test(name));

test("a living process is never taken for a dead one, and a killed one is proven dead", async (t) => {
  const ledger = await ledgers(t);
  const [instance, stranger] = [ulids()(), ulids()()];
  const child = await holder(ledger, instance);
  t.after(() => child.kill("SIGKILL"));
  assert.equal(isOwnerEnded(ledger, instance), false);
  assert.equal(isOwnerEnded(ledger, instance), false, "asking does not take the lock away");
  child.kill("SIGSTOP");
  assert.equal(isOwnerEnded(ledger, instance), false, "a paused process is alive");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(isOwnerEnded(ledger, instance), true);
  assert.equal(isOwnerEnded(ledger, instance), true, "the proof stays");
  assert.equal(isOwnerEnded(ledger, stranger), false, "of a lock that is not there nothing is claimed");
});

test("a lock that was let go proves nothing, and leaves no file", async (t) => {
  const ledger = await ledgers(t);
  const instance = ulids()();
  const release = holdOwnerLock(ledger, instance);
  assert.equal(isOwnerEnded(ledger, instance), false);
  release();
  assert.equal(isOwnerEnded(ledger, instance), false);
});

test("the lock of a killed process is found and removed, that of a living one is neither", async (t) => {
  const ledger = await ledgers(t);
  const next = ulids();
  const [dead, living] = [next(), next()];
  const children = [await holder(ledger, dead), await holder(ledger, living)];
  t.after(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  assert.deepEqual(findEndedOwners(ledger), []);
  children[0]?.kill("SIGKILL");
  await once(children[0] ?? assert.fail(), "exit");
  assert.deepEqual(findEndedOwners(ledger), [dead]);
  for (const owner of [dead, living, next()]) removeOwnerLock(ledger, owner);
  assert.deepEqual(files(ledger), [`${basename(ledger)}-owner-${living}`], "nothing is made by asking");
  assert.equal(isOwnerEnded(ledger, living), false);
  children[1]?.kill("SIGKILL");
  await once(children[1] ?? assert.fail(), "exit");
  assert.equal(isOwnerEnded(ledger, living), true, "its lock was on the file that has the name");
});

/** Whether a process has a file open, as Linux tells it; undefined elsewhere. */
const hasOpen = (pid: number, file: string): boolean | undefined => {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return undefined;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return ""; // closed meanwhile
    }
  });
  return targets.includes(file);
};

test("a process that starts while its file is taken for a dead one's ends up with its lock and its file", async (t) => {
  const ledger = await ledgers(t);
  const instance = ulids()();
  const file = `${ledger}-owner-${instance}`;
  // What removeOwnerLock does, stopped in the middle: the lock is had, the file still there.
  const remover = new DatabaseSync(file);
  remover.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  const child = starting(ledger, instance);
  t.after(() => child.kill("SIGKILL"));
  const held = once(child.stdout, "data");
  const pid = child.pid ?? assert.fail();
  while (hasOpen(pid, file) === false) await setImmediate();
  rmSync(file);
  remover.close();
  await held;
  assert.ok(existsSync(file));
  assert.equal(isOwnerEnded(ledger, instance), false);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(isOwnerEnded(ledger, instance), true);
  removeOwnerLock(ledger, instance);
  assert.deepEqual(files(ledger), []);
});

test("processes that start and end while others remove what is free never lose the file that they hold", async (t) => {
  const ledger = await ledgers(t);
  const code = `import { existsSync } from "node:fs";
    const { holdOwnerLock } = await import(${JSON.stringify(LOCK)});
    const { ulids } = await import(${JSON.stringify(new URL("../../src/ids.ts", import.meta.url).href)});
    const next = ulids();
    for (let left = 200; left > 0; left -= 1) {
      const instance = next();
      const release = holdOwnerLock(${JSON.stringify(ledger)}, instance);
      if (!existsSync(${JSON.stringify(ledger)} + "-owner-" + instance)) process.exit(3);
      release();
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: "inherit" });
  t.after(() => child.kill("SIGKILL"));
  const exit = once(child, "exit");
  while (child.exitCode === null && child.signalCode === null) {
    for (const owner of findEndedOwners(ledger)) removeOwnerLock(ledger, owner);
    await setImmediate();
  }
  assert.deepEqual(await exit, [0, null]);
  assert.deepEqual(files(ledger), []);
});
