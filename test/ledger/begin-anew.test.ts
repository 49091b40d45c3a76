// A new anchor takes the place of the one that was found to be lost, and of no other that came meanwhile.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { type AnchorPlace, locateAnchor } from "../../src/ledger/anchor/anchor-place.ts";
import { beginAnew, probeFolderOf } from "../../src/ledger/anchor/begin-anew.ts";

const NOTE = "dedalus/test\n1\nAAAA\n\n— dedalus/test AAAA\n";
const OTHER = noteText(NOTE.replace("\n1\n", "\n2\n"));

const deskFor = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-anew-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const paths = {
    aside: join(folder, "anchor.before-1"),
    path: join(folder, "anchor"),
    savedState: join(folder, "state"),
  };
  const replace = (): void => {
    writeFileSync(`${paths.path}.new`, OTHER);
    renameSync(`${paths.path}.new`, paths.path);
  };
  return { folder, paths, replace };
};

const place = (path: string): NonNullable<AnchorPlace> => locateAnchor(path) ?? assert.fail("a file");

test("where no anchor is, one begins, and the saved state that knew another goes", (t) => {
  const { folder, paths } = deskFor(t);
  assert.equal(beginAnew({ ...paths, lost: undefined }, NOTE), "nothing-kept", "with no saved state either");
  assert.deepEqual(readNotes(paths.path), { notes: [NOTE], torn: "" });
  rmSync(paths.path);
  writeFileSync(paths.savedState, "");
  assert.equal(beginAnew({ ...paths, lost: undefined }, NOTE), "nothing-kept");
  assert.deepEqual(readdirSync(folder), ["anchor"]);
});

test("what is left of the lost one is kept aside as it was", (t) => {
  const { paths } = deskFor(t);
  writeFileSync(paths.path, "what is left");
  assert.equal(beginAnew({ ...paths, lost: place(paths.path) }, NOTE), "kept");
  assert.deepEqual(readNotes(paths.path).notes, [NOTE]);
  assert.equal(readFileSync(paths.aside, "utf8"), "what is left");
});

test("an anchor that another has begun stays, and so does the saved state that knows it", (t) => {
  const { paths, replace } = deskFor(t);
  writeFileSync(paths.savedState, "");
  writeFileSync(paths.path, "what is left");
  const lost = place(paths.path);
  replace();
  for (const was of [undefined, lost]) assert.equal(beginAnew({ ...paths, lost: was }, NOTE), "another");
  assert.equal(readFileSync(paths.path, "utf8"), OTHER);
  assert.ok(existsSync(paths.savedState));
  assert.ok(!existsSync(paths.aside));
});

test("an anchor that another has begun after the last question is given back", (t) => {
  const { paths, replace } = deskFor(t);
  writeFileSync(paths.path, "what is left");
  const found = place(paths.path);
  const lost = {
    ...found,
    get changedMs() {
      replace();
      return found.changedMs;
    },
  };
  assert.equal(beginAnew({ ...paths, lost }, NOTE), "another");
  assert.equal(readFileSync(paths.path, "utf8"), OTHER);
  assert.ok(!existsSync(paths.aside));
});

test("an anchor that another has begun while the old one was put aside stays", (t) => {
  const { paths, replace } = deskFor(t);
  writeFileSync(paths.path, "what is left");
  const found = place(paths.path);
  const lost = {
    ...found,
    get ino() {
      if (existsSync(paths.aside)) replace();
      return found.ino;
    },
  };
  assert.equal(beginAnew({ ...paths, lost }, NOTE), "another");
  assert.equal(readFileSync(paths.path, "utf8"), OTHER);
  assert.equal(readFileSync(paths.aside, "utf8"), "what is left");
});

test("an anchor that cannot be made is the system's own error", (t) => {
  const { folder, paths } = deskFor(t);
  writeFileSync(join(folder, "file"), "");
  const path = join(folder, "file", "sub", "anchor");
  assert.throws(() => beginAnew({ ...paths, lost: undefined, path }, NOTE), { code: "ENOTDIR" });
});

test("whether an anchor can be made is asked of the nearest folder, and nothing is made for it", (t) => {
  const { folder } = deskFor(t);
  mkdirSync(join(folder, "there"));
  writeFileSync(join(folder, "file"), "");
  assert.equal(probeFolderOf(join(folder, "there", "anchor")), undefined);
  assert.equal(probeFolderOf(join(folder, "new", "deep", "anchor")), undefined);
  assert.equal((probeFolderOf(join(folder, "file", "sub", "anchor")) as NodeJS.ErrnoException).code, "ENOTDIR");
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ["file", "there"]);
});
