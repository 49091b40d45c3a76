// A file that cannot be looked at is not one that is not there: links in a circle, a folder that may not be searched,
// and what is no file are told by their cause, by every reader that would tell an absence as a loss.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import { readAnchor } from "../../src/ledger/anchor/anchor-fit.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readOnlyMarkOf } from "../../src/ledger/engines/sqlite/sqlite-read-only.ts";
import { isOpenAt } from "../../src/ledger/files/held-files.ts";
import { isThere } from "../../src/ledger/files/text-file.ts";
import { makeKeyFile, readKeyFile } from "../../src/ledger/tree/key-file.ts";
import { readSecret } from "../../src/secrets.ts";

const folderFor = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-not-absent-"));
  t.after(() => {
    execFileSync("chmod", ["-R", "u+rwx", folder]);
    rmSync(folder, { force: true, recursive: true });
  });
  return folder;
};

const circle = (path: string): string => {
  symlinkSync(path, path);
  return path;
};

const NOBODY = 65_534;

/** As somebody who is not root, whom modes keep out; root goes back to being root. */
const unprivileged = async <T>(work: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

/** A file in a folder that its owner may not search. */
const locked = (t: TestContext, make: (path: string) => void): string => {
  const folder = join(folderFor(t), "locked");
  chmodSync(join(folder, ".."), 0o755);
  mkdirSync(folder);
  const path = join(folder, "file");
  make(path);
  if (process.getuid?.() === 0) for (const one of [folder, path]) chownSync(one, NOBODY, NOBODY);
  chmodSync(folder, 0o000);
  return path;
};

const ledgerRead = async (path: string) => {
  const opened = await openSqlite(path, { mode: "read" });
  if (opened.kind === "open") {
    await opened.engine.close();
    return "open";
  }
  return `${opened.refusal.code} ${opened.refusal.cause}`;
};

const anchorRead = (path: string): string => {
  const read = readAnchor(path, "");
  if (read.kind === "bad") return `${read.loss.code} ${read.loss.cause} ${read.loss.facts["said"] ?? ""}`.trim();
  return read.kind === "none" ? read.code : read.kind;
};

const keyRead = (path: string): string => {
  const read = readKeyFile(path);
  return read.kind === "ok" ? "ok" : read.cause;
};

test("links in a circle are no absence", async (t) => {
  const folder = folderFor(t);
  const loop = circle(join(folder, "loop"));
  const inLoop = join(loop, "file");
  for (const path of [loop, inLoop]) {
    assert.equal(anchorRead(path), "anchor-unreadable system-said ELOOP");
    assert.equal(await ledgerRead(path), "ledger-unusable system-said");
    assert.equal(keyRead(path), "ELOOP");
    assert.throws(() => readNotes(path), { code: "ELOOP" });
    assert.equal(isThere(path), true);
    const secret = readSecret({ file: path }, folder);
    assert.equal(secret.kind === "refused" && secret.refusal.cause, "unreadable");
    assert.equal(isOpenAt(path), false);
  }
  circle(join(folder, "ledger-read-only"));
  assert.equal(readOnlyMarkOf(join(folder, "ledger")).holding()?.cause, "mark-unreadable");
});

test("what is not there is absent", async (t) => {
  const folder = folderFor(t);
  const [path, deeper] = [join(folder, "none"), join(folder, "none/file")];
  assert.deepEqual([anchorRead(path), anchorRead(deeper)], ["anchor-absent", "anchor-unmounted"]);
  assert.deepEqual(
    [await ledgerRead(path), await ledgerRead(deeper)],
    ["ledger-absent no-file", "ledger-absent no-folder"],
  );
  assert.deepEqual([keyRead(path), isThere(path)], ["absent", false]);
  assert.deepEqual(readNotes(path).notes, []);
  const secret = readSecret({ file: path }, folder);
  assert.equal(secret.kind === "refused" && secret.refusal.cause, "no-file");
  assert.equal(readOnlyMarkOf(path).holding(), undefined);
});

test("a path below a file is told so, and as no loss", async (t) => {
  const file = join(folderFor(t), "plain");
  writeFileSync(file, "");
  const path = join(file, "file");
  assert.equal(anchorRead(path), "anchor-unreadable not-a-folder");
  assert.equal(await ledgerRead(path), "ledger-unusable system-said");
  assert.deepEqual([keyRead(path), isThere(path)], ["ENOTDIR", false]);
});

test("a folder that may not be searched is no absence", async (t) => {
  const plain = locked(t, (path) => writeFileSync(path, "", { mode: 0o600 }));
  const key = locked(t, makeKeyFile);
  await unprivileged(async () => {
    assert.equal(anchorRead(plain), "anchor-unreadable system-said EACCES");
    assert.equal(await ledgerRead(plain), "ledger-unusable denied");
    assert.equal(keyRead(key), "EACCES");
    assert.throws(() => readNotes(plain), { code: "EACCES" });
    const secret = readSecret({ file: plain }, "/");
    assert.equal(secret.kind === "refused" && secret.refusal.cause, "unreadable");
    assert.deepEqual([isThere(plain), isOpenAt(plain)], [true, false]);
  });
  chmodSync(join(key, ".."), 0o700);
  chmodSync(key, 0o000);
  await unprivileged(async () => assert.equal(keyRead(key), "EACCES", "the key itself may not be read"));
  chmodSync(key, 0o600);
  await unprivileged(async () => assert.equal(keyRead(key), "ok"));
});

test("sqlite opens a plain file or makes one, and nothing else, at the ledger or beside it", async (t) => {
  const folder = folderFor(t);
  const path = join(folder, "ledger.db");
  const opened = await openSqlite(path, { mode: "write" });
  assert.ok(opened.kind === "open");
  await opened.engine.close();
  assert.equal(await ledgerRead(path), "open");
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    rmSync(path + suffix, { force: true });
    execFileSync("mkfifo", [path + suffix]);
    const before = readdirSync(folder);
    for (const mode of ["read", "write"] as const) {
      const refused = await openSqlite(path, { mode });
      assert.ok(refused.kind === "refused");
      const { cause, code, facts } = refused.refusal;
      assert.deepEqual([code, cause, facts["name"]], ["ledger-unusable", "not-plain", path + suffix]);
    }
    assert.deepEqual(readdirSync(folder), before);
    rmSync(path + suffix);
  }
  assert.equal(await ledgerRead(path), "open");
  rmSync(path);
  execFileSync("mkfifo", [path]);
  symlinkSync(path, join(folder, "linked.db"));
  for (const one of [path, join(folder, "linked.db"), "/dev/null"])
    assert.equal(await ledgerRead(one), "ledger-unusable not-plain", one);
});
