// Proof that a process is gone, with real processes: a lock that the system frees when its holder ends.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import { holdOwnerLock, isOwnerEnded } from "../../src/ledger/engines/owner-lock.ts";
import { place } from "./sqlite-files.ts";

const LOCK = new URL("../../src/ledger/engines/owner-lock.ts", import.meta.url).href;

/** A process that holds the lock until it is killed. */
const holder = async (ledger: string, instance: string) => {
  const code = `const { holdOwnerLock } = await import(${JSON.stringify(LOCK)});
    holdOwnerLock(${JSON.stringify(ledger)}, ${JSON.stringify(instance)});
    process.stdout.write("held\\n");
    setTimeout(() => undefined, 600_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
};

test("a living process is never taken for a dead one, and a killed one is proven dead", async (t) => {
  const ledger = await place(t);
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
  const ledger = await place(t);
  const instance = ulids()();
  const release = holdOwnerLock(ledger, instance);
  assert.equal(isOwnerEnded(ledger, instance), false);
  release();
  assert.equal(isOwnerEnded(ledger, instance), false);
});
