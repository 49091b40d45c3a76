// A disk that is really full under the anchor: nothing is recorded that could not be anchored, and no note is left
// torn.
//
// A small file system of its own needs a mount; where that is not allowed, test/ledger/anchor.test.ts shows the same on
// a disk that takes less than it is given.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { appendNote, noteBytes, openAnchor, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { ANCHOR, codesIn, withLedger } from "./ledger-desk.ts";

const PAGE_BYTES = 4_096;

/** So many pages at this folder; undefined where nothing may be mounted. */
const mounted = (t: TestContext, folder: string, pages: number): boolean => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${pages * PAGE_BYTES}`, "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch (error) {
    t.diagnostic(`no small file system here: ${String(error)}`);
    return false;
  }
};
const unmounted = (folder: string): void => void execFileSync("umount", ["--lazy", folder]);

const note = (size: number): string => `dedalus.example/home\n${size}\nAAAA\n\n— dedalus.example/home c2lnbmF0dXJl\n`;

test("a note that a full disk takes a part of is said not to stand, and no part of it stays", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-full-"));
  try {
    if (!mounted(t, folder, 1)) return;
    try {
      const path = join(folder, "anchor");
      appendNote(path, note(0));
      const file = openAnchor(path, noteBytes(note(0)));
      let taken = 1;
      assert.throws(() => {
        for (; taken < PAGE_BYTES; taken += 1) file.append(note(taken));
      });
      file.close();
      const { notes, torn } = readNotes(path);
      assert.deepEqual([notes.length, torn], [taken, ""]);
      assert.ok(PAGE_BYTES - statSync(path).size < noteBytes(note(taken)), "INVALID: the disk was not full");
    } finally {
      unmounted(folder);
    }
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});

test("P7-F1 while the disk of the anchor is full nothing but a brake is recorded, and with room everything goes on", async (t) => {
  await withLedger(0, async (dedalus, folder) => {
    const disk = join(folder, "anchor");
    mkdirSync(disk);
    if (!mounted(t, disk, 2)) return;
    try {
      const recorded = async (): Promise<number> => JSON.parse((await dedalus("status", "--json")).out).size;
      assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
      const before = await recorded();
      writeFileSync(join(disk, "ballast"), new Uint8Array(PAGE_BYTES));
      for (const words of [
        ["unfreeze", "--reason", "two"],
        ["observe", "--env", "home"],
        ["ledger", "checkpoint"],
      ]) {
        const refused = await dedalus(...words, "--json");
        assert.deepEqual([refused.code, codesIn(refused)], [2, ["anchor-unwritable"]], refused.out);
        assert.match(refused.out, /the disk is full/);
      }
      assert.equal(await recorded(), before);
      // What stops a call never waits for a disk: it is recorded, and what could not be kept is told beside it.
      const braked = await dedalus("freeze", "--reason", "smoke", "--json");
      assert.equal(braked.code, 0, braked.err);
      assert.match(JSON.stringify(JSON.parse(braked.out).beside), /"code":"anchor-unwritable"/);
      assert.match((await dedalus("status")).out, /smoke/);
      rmSync(join(disk, "ballast"));
      assert.equal((await dedalus("freeze", "--reason", "two")).code, 0);
      assert.equal((await dedalus("ledger", "verify")).code, 0);
      assert.equal(readNotes(join(folder, ANCHOR)).torn, "");
    } finally {
      unmounted(disk);
    }
  });
});

test("P7-F1 where the disk of the anchor is full from the start, there is no first record", async (t) => {
  await withLedger(0, async (dedalus, folder) => {
    const disk = join(folder, "anchor");
    mkdirSync(disk);
    if (!mounted(t, disk, 1)) return;
    try {
      writeFileSync(join(disk, "ballast"), new Uint8Array(PAGE_BYTES));
      const refused = await dedalus("freeze", "--reason", "one", "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [2, ["anchor-unwritable"]], refused.out);
      rmSync(join(disk, "ballast"));
      rmSync(join(folder, ANCHOR), { force: true });
      assert.equal((await dedalus("status", "--json")).out.includes('"size":0'), true);
    } finally {
      unmounted(disk);
    }
  });
});
