// The anchor file: notes one after another; a torn last one is seen, and a note that did not fit leaves nothing behind.

import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  AnchorUnfit,
  appendNote,
  type Disk,
  noteBytes,
  openAnchor,
  readNotes,
} from "../../src/ledger/anchor/anchor.ts";

const note = (size: number): string => `dedalus.example/home\n${size}\nAAAA\n\n— dedalus.example/home c2lnbmF0dXJl\n`;

const inFolder = (work: (path: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anchor-"));
  try {
    work(join(folder, "anchor/checkpoints.txt"));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

/** A disk that takes so many bytes of each note, and says no more than that. */
const fullAfter = (bytes: number): Disk => ({
  pause: () => undefined,
  sync: () => undefined,
  write: (file, whole) => (bytes === 0 ? 0 : writeSync(file, whole.subarray(0, bytes))),
});

test("notes come back as they were appended, in order", () => {
  inFolder((path) => {
    assert.deepEqual(readNotes(path), { notes: [], torn: "" });
    for (const size of [1, 2, 3]) appendNote(path, note(size));
    const file = openAnchor(path, 3 * noteBytes(note(1)));
    for (const size of [4, 5]) file.append(note(size));
    file.close();
    assert.deepEqual(readNotes(path), { notes: [1, 2, 3, 4, 5].map(note), torn: "" });
  });
});

test("a note that was cut short is torn, the ones before it stand, and the next one takes its place", () => {
  const bytes = Buffer.from(note(2));
  for (let length = 1; length < bytes.length; length += 9) {
    inFolder((path) => {
      appendNote(path, note(1));
      appendFileSync(path, bytes.subarray(0, length));
      assert.deepEqual(readNotes(path).notes, [note(1)]);
      const file = openAnchor(path, noteBytes(note(1)));
      file.append(note(3));
      file.close();
      assert.deepEqual(readNotes(path), { notes: [note(1), note(3)], torn: "" });
    });
  }
});

test("what stands behind the last note and is no beginning of one of ours is named, and stays", () => {
  for (const stray of ["nonsense", "dedalus.example/house\n2\n", "dedalus.example/home\nx", "\n"]) {
    inFolder((path) => {
      appendNote(path, note(1));
      appendFileSync(path, stray);
      const before = readFileSync(path);
      const file = openAnchor(path, noteBytes(note(1)));
      assert.throws(() => file.append(note(2)), AnchorUnfit, JSON.stringify(stray));
      file.close();
      assert.deepEqual(readFileSync(path), before);
    });
  }
});

test("a short write is no success: it is said, and the part is taken away again", () => {
  for (const taken of [0, 1, 30, Buffer.byteLength(note(2))]) {
    inFolder((path) => {
      appendNote(path, note(1));
      const file = openAnchor(path, noteBytes(note(1)), fullAfter(taken));
      assert.throws(() => file.append(note(2)), AnchorUnfit, `${taken} bytes`);
      file.close();
      assert.deepEqual(readNotes(path), { notes: [note(1)], torn: "" });
      const mended = openAnchor(path, noteBytes(note(1)));
      mended.append(note(3));
      mended.close();
      assert.deepEqual(readNotes(path), { notes: [note(1), note(3)], torn: "" });
    });
  }
});

test("a part that somebody has written behind is left as it is, for the next reader to name", () => {
  inFolder((path) => {
    appendNote(path, note(1));
    const disk: Disk = {
      pause: () => undefined,
      sync: () => undefined,
      write: (file, whole) => {
        const written = writeSync(file, whole.subarray(0, 30));
        appendFileSync(path, `${note(9)}\n`);
        return written;
      },
    };
    const file = openAnchor(path, noteBytes(note(1)), disk);
    assert.throws(() => file.append(note(2)), AnchorUnfit);
    file.close();
    assert.ok(readFileSync(path, "utf8").endsWith(`${note(9)}\n`));
  });
});

test("a note whose bytes did not reach the disk is no success", () => {
  inFolder((path) => {
    appendNote(path, note(1));
    const disk: Disk = {
      pause: () => undefined,
      sync: () => {
        throw new Error("EIO");
      },
      write: (file, bytes) => writeSync(file, bytes),
    };
    const file = openAnchor(path, noteBytes(note(1)), disk);
    assert.throws(() => file.append(note(2)), /EIO/);
    file.close();
  });
});

test("an anchor that is taken away, replaced or shortened while it is open takes no note", () => {
  const harms: readonly ((path: string) => void)[] = [
    (path) => rmSync(path),
    (path) => rmSync(dirname(path), { recursive: true }),
    (path) => {
      renameSync(path, `${path}.kept`);
      mkdirSync(path);
    },
    (path) => {
      renameSync(path, `${path}.kept`);
      appendNote(path, note(1));
    },
    (path) => truncateSync(path, noteBytes(note(1)) - 1),
  ];
  for (const harm of harms) {
    inFolder((path) => {
      appendNote(path, note(1));
      const file = openAnchor(path, noteBytes(note(1)));
      harm(path);
      assert.throws(() => file.append(note(2)));
      file.close();
    });
  }
});

test("a note that was appended and taken away again is missed by the next append", () => {
  inFolder((path) => {
    appendNote(path, note(1));
    const file = openAnchor(path, noteBytes(note(1)));
    file.append(note(2));
    assert.equal(file.end(), 2 * noteBytes(note(1)));
    truncateSync(path, noteBytes(note(1)));
    assert.throws(() => file.append(note(3)), AnchorUnfit);
    file.close();
  });
});

test("a note that another may still be writing is waited for, and taken away only when it stays as it was", () => {
  const [begun, rest] = [note(2).slice(0, 30), `${note(2).slice(30)}\n`];
  /** What is in the file after an append during which another writes this; or why it was refused. */
  const after = (written: string): readonly string[] | string => {
    let ended: readonly string[] | string = "";
    inFolder((path) => {
      appendNote(path, note(1));
      appendFileSync(path, begun);
      const disk: Disk = {
        pause: () => appendFileSync(path, written),
        sync: () => undefined,
        write: (file, bytes) => writeSync(file, bytes),
      };
      const file = openAnchor(path, noteBytes(note(1)), disk);
      try {
        file.append(note(3));
        const { notes, torn } = readNotes(path);
        assert.equal(torn, "");
        ended = notes;
      } catch (error) {
        assert.ok(error instanceof AnchorUnfit);
        assert.ok(readFileSync(path, "utf8").endsWith(`${begun}${written}`), "nothing was taken away");
        ended = error.failure.cause;
      }
      file.close();
    });
    return ended;
  };
  assert.deepEqual(after(""), [note(1), note(3)]);
  assert.deepEqual(after(rest), [note(1), note(2), note(3)]);
  assert.equal(after("\nA"), "other-writer", "it goes on");
  assert.equal(after(`${rest}${begun}`), "other-writer", "it has ended, and the next one begins in the same way");
});

test("nobody waits where nothing is torn", () => {
  inFolder((path) => {
    appendNote(path, note(1));
    const disk: Disk = {
      pause: () => assert.fail("a pause"),
      sync: () => undefined,
      write: (file, bytes) => writeSync(file, bytes),
    };
    const file = openAnchor(path, noteBytes(note(1)), disk);
    file.append(note(2));
    file.close();
    assert.deepEqual(readNotes(path).notes, [note(1), note(2)]);
  });
});

test("an anchor that is not there is not made by whoever only goes on with it", () => {
  inFolder((path) => assert.throws(() => openAnchor(path, 0), { code: "ENOENT" }));
});

test("what others appended since is stepped over", () => {
  inFolder((path) => {
    appendNote(path, note(1));
    const file = openAnchor(path, noteBytes(note(1)));
    appendNote(path, note(2));
    file.append(note(3));
    file.close();
    assert.deepEqual(readNotes(path).notes, [note(1), note(2), note(3)]);
  });
});
