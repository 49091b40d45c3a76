// The signing key's file: its owner's alone, made once, never quoted.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeKeyFile, readKeyFile } from "../../src/ledger/tree/key-file.ts";

const inFolder = (work: (path: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-key-"));
  try {
    work(join(folder, "keys/ledger.key"));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

test("a key file is made for its owner alone and read back", () => {
  inFolder((path) => {
    makeKeyFile(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const read = readKeyFile(path);
    assert.ok(read.kind === "ok");
    assert.equal(read.keys.publicKey.asymmetricKeyType, "ed25519");
  });
});

test("a key file is never overwritten", () => {
  inFolder((path) => {
    makeKeyFile(path);
    const before = readFileSync(path, "utf8");
    assert.throws(() => makeKeyFile(path), { code: "EEXIST" });
    assert.equal(readFileSync(path, "utf8"), before);
  });
});

test("a key that others can read is refused, and its owner's is not", () => {
  inFolder((path) => {
    makeKeyFile(path);
    chmodSync(path, 0o640);
    assert.equal(readKeyFile(path).kind, "refused");
    chmodSync(path, 0o600);
    assert.equal(readKeyFile(path).kind, "ok");
  });
});

test("what is no key is refused without a word of it", () => {
  inFolder((path) => {
    assert.equal(readKeyFile(path).kind, "refused");
    makeKeyFile(path);
    writeFileSync(path, "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n");
    const read = readKeyFile(path);
    assert.ok(read.kind === "refused");
    assert.equal(read.cause, "unusable", "nothing of it is quoted");
  });
});
