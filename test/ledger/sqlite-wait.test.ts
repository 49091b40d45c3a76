// Waiting for a lock, counted with a clock of the test's own: how often it is tried, and what ends it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { attemptPatiently } from "../../src/ledger/engines/sqlite/sqlite-wait.ts";

const BUSY = Object.assign(new Error("database is locked"), { errcode: 5 });

/** Lets so many waits of 10 ms pass; gives how many did before it was settled. */
const passed = async (t: TestContext, pending: Promise<unknown>, most: number): Promise<number> => {
  let settled = false;
  const end = (): void => {
    settled = true;
  };
  pending.then(end, end);
  for (let waits = 0; waits < most; waits += 1) {
    await new Promise((resume) => setImmediate(resume));
    if (settled) return waits;
    t.mock.timers.tick(10);
  }
  return most;
};

test("a busy database is tried again every 10 ms, 401 times in all, and then its error rises", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let tried = 0;
  const pending = attemptPatiently(() => {
    tried += 1;
    throw BUSY;
  });
  const risen = assert.rejects(pending, BUSY);
  assert.equal(await passed(t, pending, 1_000), 400);
  assert.equal(tried, 401);
  await risen;
});

test("what comes of the last attempt is the answer", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let tried = 0;
  const pending = attemptPatiently(() => {
    tried += 1;
    if (tried < 401) throw BUSY;
    return "had it";
  });
  await passed(t, pending, 1_000);
  assert.equal(await pending, "had it");
});

test("an answer is not waited for, and no other error is tried again", async () => {
  assert.equal(await attemptPatiently(() => "at once"), "at once");
  let tried = 0;
  const full = Object.assign(new Error("disk full"), { errcode: 13 });
  const pending = attemptPatiently(() => {
    tried += 1;
    throw full;
  });
  await assert.rejects(pending, full);
  assert.equal(tried, 1);
});
