// The notes of an anchor a page at a time: the same as when the whole file is read, and without reading it.

import assert from "node:assert/strict";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noteBytes, noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { anchoredNotes } from "../../src/ledger/anchor/anchored-notes.ts";

const LIMIT = 100;

const note = (size: number, name = "dedalus.example/häuser"): string =>
  `${name}\n${size}\nAAAA\n\n— ${name} c2lnbmF0dXJl\n— witness.example c2lnbmF0dXJl\n`;
const textOf = (from: number, to: number, name?: string): string =>
  Array.from({ length: to - from }, (_, at) => noteText(note(from + at, name))).join("");

const inFolder = async (work: (path: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-notes-"));
  try {
    await work(join(folder, "checkpoints.txt"));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

const assertAsWhole = async (anchored: ReturnType<typeof anchoredNotes>, path: string): Promise<void> => {
  const { notes } = readNotes(path);
  const newestFrom = Math.max(0, notes.length - LIMIT);
  for (const asked of [undefined, 0, 1, 99, 100, 101, 199, 250, notes.length - 1, notes.length, notes.length + 7]) {
    const from = asked ?? newestFrom;
    assert.deepEqual(
      await anchored.page(asked, LIMIT),
      { count: notes.length, from, newest: notes.at(-1), notes: notes.slice(from, from + LIMIT) },
      String(asked),
    );
  }
};

test("every page is what the whole file has there, over pieces, pages and what is appended meanwhile", () =>
  inFolder(async (path) => {
    const anchored = anchoredNotes(path);
    assert.deepEqual(await anchored.page(undefined, LIMIT), { count: 0, from: 0, notes: [] });
    // More than a piece of the file, so that notes and their dashes lie across the end of one.
    writeFileSync(path, textOf(0, 1_234));
    await assertAsWhole(anchored, path);
    for (const to of [1_235, 1_300, 1_301]) {
      appendFileSync(path, textOf(readNotes(path).notes.length, to));
      await assertAsWhole(anchored, path);
    }
    appendFileSync(path, note(1_301).slice(0, -7));
    await assertAsWhole(anchored, path);
    appendFileSync(path, `${note(1_301).slice(-7)}\n`);
    assert.equal((await anchored.page(undefined, LIMIT)).count, 1_302, "a torn note counts once it is whole");
    await assertAsWhole(anchored, path);
  }));

test("a note that is longer than a piece is read whole", () =>
  inFolder(async (path) => {
    writeFileSync(path, `${textOf(0, 3)}${textOf(3, 4, "x".repeat(200_000))}${textOf(4, 250)}`);
    await assertAsWhole(anchoredNotes(path), path);
  }));

test("the newest page reads nothing of what was walked before", () =>
  inFolder(async (path) => {
    writeFileSync(path, textOf(0, 1_000));
    const anchored = anchoredNotes(path);
    const before = await anchored.page(undefined, LIMIT);
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(noteBytes(note(0)) * 500, "x"), 0, undefined, 0);
    closeSync(file);
    assert.deepEqual(await anchored.page(undefined, LIMIT), before, "whoever reads all finds fewer");
    assert.ok(readNotes(path).notes.length < 1_000);
  }));

test("an anchor that was replaced, shortened or rewritten is walked anew", () =>
  inFolder(async (path) => {
    const anchored = anchoredNotes(path);
    for (const change of [
      () => writeFileSync(path, textOf(0, 700)),
      () => truncateSync(path, Buffer.byteLength(textOf(0, 300))),
      () => writeFileSync(path, textOf(0, 400, "other.example")),
      () => {
        rmSync(path);
        writeFileSync(path, textOf(0, 350));
      },
    ]) {
      change();
      await assertAsWhole(anchored, path);
    }
  }));
