// The anchor file: notes one after another, a torn last one is seen.

import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { appendNote, readNotes } from "../../src/ledger/anchor.ts";

const note = (size: number): string => `dedalus.example/home\n${size}\nAAAA\n\n— dedalus.example/home c2lnbmF0dXJl\n`;

const inFolder = (work: (path: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anchor-"));
  try {
    work(join(folder, "anchor/checkpoints.txt"));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

test("notes come back as they were appended, in order", () => {
  inFolder((path) => {
    assert.deepEqual(readNotes(path), { notes: [], torn: "" });
    for (const size of [1, 2, 3]) appendNote(path, note(size));
    assert.deepEqual(readNotes(path), { notes: [note(1), note(2), note(3)], torn: "" });
  });
});

test("a note that was cut short is torn, and the ones before it stand", () => {
  for (let length = 1; length < note(2).length; length += 1) {
    inFolder((path) => {
      appendNote(path, note(1));
      appendFileSync(path, note(2).slice(0, length));
      assert.deepEqual(readNotes(path), { notes: [note(1)], torn: note(2).slice(0, length) });
    });
  }
});
