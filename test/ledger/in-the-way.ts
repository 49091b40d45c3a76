// What may stand at a name that is to be new, and whether it still does.

import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const THEIRS = "# somebody wrote this\n";

/** Each puts one thing there; what a link leads to stands beside it. */
export const IN_THE_WAY = {
  "a file": (path: string) => writeFileSync(path, THEIRS),
  "a folder": (path: string) => mkdirSync(path),
  "a link that leads nowhere": (path: string) => symlinkSync(`${path}-absent`, path),
  "a link to a file": (path: string) => {
    writeFileSync(`${path}-linked`, THEIRS);
    symlinkSync(`${path}-linked`, path);
  },
} as const;

export const leftAsPut = (kind: string, path: string): void => {
  const entry = lstatSync(path);
  assert.equal(existsSync(`${path}-absent`), false, "nothing was written through the link");
  if (kind === "a folder") assert.deepEqual(readdirSync(path), []);
  else if (kind === "a file") assert.deepEqual([entry.isFile(), readFileSync(path, "utf8")], [true, THEIRS]);
  else {
    const to = kind === "a link to a file" ? `${path}-linked` : `${path}-absent`;
    assert.equal(readlinkSync(path), to);
    if (existsSync(to)) assert.equal(readFileSync(to, "utf8"), THEIRS);
  }
};

export const inNewFolder = (work: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-new-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
