// Whether a file can be made is found out by making it: what was there stays, what was made for the question is gone.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { probeDisk, probeFile, probeFolder } from "../../src/ledger/files/writable.ts";

const inFolder = (work: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-writable-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

test("a folder that takes a file is left as it was", () => {
  inFolder((folder) => {
    assert.equal(probeFolder(folder), undefined);
    assert.equal(probeFile(join(folder, "new")), undefined);
    assert.equal(probeDisk(folder), undefined);
    assert.deepEqual(readdirSync(folder), []);
  });
});

test("a folder that is not there is the system's own error, and not one of a full disk", () => {
  inFolder((folder) => {
    const absent = join(folder, "absent");
    assert.equal(codeOf(probeFolder(absent)), "ENOENT");
    assert.equal(probeDisk(absent), undefined);
  });
});

test("a file that is there already cannot be made, and stays", () => {
  inFolder((folder) => {
    const path = join(folder, "there");
    writeFileSync(path, "kept");
    assert.equal(codeOf(probeFile(path)), "EEXIST");
    assert.equal(codeOf(probeFile(join(path, "below"))), "ENOTDIR");
    assert.equal(readFileSync(path, "utf8"), "kept");
  });
});
