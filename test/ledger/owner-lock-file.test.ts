// The file of an owner's lock, within one process: what stands in its place, and what asking leaves behind.
//
// Not here: owners that live and end, which are other processes (owner-lock.test.ts).

import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import {
  findEndedOwners,
  holdOwnerLock,
  isOwnerEnded,
  removeOwnerLock,
} from "../../src/ledger/engines/sqlite/owner-lock.ts";
import { openFiles } from "./open-files.ts";
import { ledgers } from "./sqlite-files.ts";

const next = ulids();

test("what is no plain file in the place of a lock proves nothing", async (t) => {
  const ledger = await ledgers(t);
  const [folder, empty] = [next(), next()];
  mkdirSync(`${ledger}-owner-${folder}`);
  writeFileSync(`${ledger}-owner-${empty}`, "");
  assert.equal(isOwnerEnded(ledger, folder), false);
  assert.equal(isOwnerEnded(ledger, empty), true, "the free lock of an owner that is gone");
  assert.deepEqual(findEndedOwners(ledger), [empty]);
  removeOwnerLock(ledger, folder);
  assert.ok(existsSync(`${ledger}-owner-${folder}`));
});

test("a file that cannot hold a lock is an error, and no proof of anything", async (t) => {
  const ledger = await ledgers(t);
  const owner = next();
  const file = `${ledger}-owner-${owner}`;
  writeFileSync(file, "vms: []\n".repeat(200));
  for (const ask of [isOwnerEnded, removeOwnerLock]) assert.throws(() => ask(ledger, owner), { errcode: 26 });
  assert.throws(() => holdOwnerLock(ledger, owner), { errcode: 26 });
  assert.ok(existsSync(file));
  assert.notEqual(openFiles()?.includes(file), true);
});

test("nobody who asked, removed or let go has the file open afterwards", async (t) => {
  const ledger = await ledgers(t);
  const [held, free] = [next(), next()];
  const files = [held, free].map((owner) => `${ledger}-owner-${owner}`);
  const opened = (): readonly number[] | undefined => {
    const all = openFiles();
    // A file that was removed is listed with a word behind its name.
    return all && files.map((file) => all.filter((one) => one.startsWith(file)).length);
  };
  const isLinux = openFiles() !== undefined;
  const release = holdOwnerLock(ledger, held);
  writeFileSync(files[1] ?? assert.fail(), "");
  for (let times = 0; times < 3; times += 1) {
    assert.equal(isOwnerEnded(ledger, held), false);
    assert.equal(isOwnerEnded(ledger, free), true);
  }
  removeOwnerLock(ledger, held);
  removeOwnerLock(ledger, free);
  assert.deepEqual(files.map(existsSync), [true, false]);
  if (isLinux) assert.equal(opened()?.[1], 0);
  release();
  assert.deepEqual(files.map(existsSync), [false, false]);
  if (isLinux) assert.deepEqual(opened(), [0, 0]);
});

test("a lock whose file somebody took away is let go all the same", async (t) => {
  const ledger = await ledgers(t);
  const owner = next();
  const release = holdOwnerLock(ledger, owner);
  rmSync(`${ledger}-owner-${owner}`);
  release();
  holdOwnerLock(ledger, owner)();
});
