// Whether the anchor is still the file that was read or opened: taken away, replaced and shortened are told, grown is
// the same.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { appendNote, noteBytes, openAnchor, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { isSamePlace, locateAnchor } from "../../src/ledger/anchor/anchor-place.ts";

const NOTE = "dedalus/test\n1\nAAAA\n\n— dedalus/test AAAA\n";

const CHANGES: Readonly<Record<string, { readonly change: (path: string) => void; readonly isSame: boolean }>> = {
  "nothing was done to": { change: () => undefined, isSame: true },
  "others appended to": { change: (path) => appendNote(path, NOTE), isSame: true },
  "was taken away": { change: (path) => renameSync(path, `${path}.away`), isSame: false },
  "was shortened": { change: (path) => truncateSync(path, 1), isSame: false },
  "was replaced by a copy": {
    change: (path) => {
      renameSync(path, `${path}.away`);
      copyFileSync(`${path}.away`, path);
    },
    isSame: false,
  },
};

const inFolder = (work: (path: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-place-"));
  try {
    const path = join(folder, "checkpoints.txt");
    appendNote(path, NOTE);
    work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

for (const [what, { change, isSame }] of Object.entries(CHANGES)) {
  test(`an anchor that ${what} is ${isSame ? "the same" : "another"}, for whoever read it and whoever writes it`, () => {
    inFolder((path) => {
      const [was, file] = [locateAnchor(path), openAnchor(path, noteBytes(NOTE))];
      change(path);
      assert.deepEqual([isSamePlace(was, locateAnchor(path), true), file.isInPlace()], [isSame, isSame]);
      file.close();
    });
  });
}

test("an anchor that was not whole is another as soon as anything is done to it", () => {
  inFolder((path) => {
    truncateSync(path, 0);
    const was = locateAnchor(path);
    assert.equal(isSamePlace(was, locateAnchor(path), false), true);
    appendNote(path, NOTE);
    assert.equal(isSamePlace(was, locateAnchor(path), false), false);
  });
});

test("a place is the same by its disk and number, and then by its size or the time of its last change", () => {
  const was = { changedMs: 5, dev: 1, ino: 2, size: 3 };
  const verdicts = (now: object): readonly boolean[] =>
    [true, false].map((wasWhole) => isSamePlace(was, { ...was, ...now }, wasWhole));
  assert.deepEqual(verdicts({}), [true, true]);
  assert.deepEqual(verdicts({ size: 4 }), [true, false]);
  assert.deepEqual(verdicts({ changedMs: 6 }), [true, false]);
  assert.deepEqual(verdicts({ size: 2 }), [false, false]);
  assert.deepEqual(verdicts({ dev: 2 }), [false, false]);
  assert.deepEqual(verdicts({ ino: 3 }), [false, false]);
  for (const wasWhole of [true, false]) {
    assert.equal(isSamePlace(undefined, undefined, wasWhole), true);
    assert.equal(isSamePlace(undefined, was, wasWhole), false);
    assert.equal(isSamePlace(was, undefined, wasWhole), false);
  }
});

test("a path that the system was never asked about is a bug, and no absence", () => {
  assert.throws(() => locateAnchor("a\0b"), { code: "ERR_INVALID_ARG_VALUE" });
  assert.equal(locateAnchor("/nowhere/anchor"), undefined);
});

test("a closed anchor takes no note, is not in place, and is closed once", () => {
  inFolder((path) => {
    const file = openAnchor(path, noteBytes(NOTE));
    file.close();
    // Its number is another file's now.
    const other = openAnchor(path, noteBytes(NOTE));
    file.close();
    assert.equal(file.isInPlace(), false);
    assert.throws(() => file.append(NOTE));
    other.append(NOTE);
    other.close();
    assert.equal(readNotes(path).notes.length, 2);
  });
});
