// The small ways to a file: what stands there, its bytes or its text, and why not, as a closed cause.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileCause } from "../../src/ledger/files/file-cause.ts";
import { statFile, tryStatFile } from "../../src/ledger/files/file-stats.ts";
import { findHeldFiles, isOpenAt, type LedgerFile } from "../../src/ledger/files/held-files.ts";
import { readPieces } from "../../src/ledger/files/pieces.ts";
import { readPlainBytes } from "../../src/ledger/files/plain-file.ts";
import { syncFolder } from "../../src/ledger/files/sync-folder.ts";
import { isThere, readTextFile } from "../../src/ledger/files/text-file.ts";
import { removeOurs } from "../../src/ledger/files/writable.ts";
import { serverUser } from "../../tools/servers/unprivileged.ts";

const folderFor = (t: TestContext): ((...names: readonly string[]) => string) => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return (...names) => join(folder, ...names);
};

/** A file, a folder, a FIFO and links in a circle. */
const kindsIn = (at: ReturnType<typeof folderFor>): void => {
  writeFileSync(at("file"), "bytes");
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("fifo")]);
  symlinkSync("circle", at("circle"));
};

const openBelow = (folder: string): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(folder));
    } catch {
      return []; // closed between the list and the observation
    }
  });

test("a cause is the system's own code where there are words for it, and else none of its", () => {
  assert.equal(fileCause(Object.assign(new Error("no"), { code: "ENOENT" })), "ENOENT");
  assert.equal(fileCause({ code: "EROFS" }), "EROFS");
  for (const error of [{ code: "EWHAT" }, { code: "toString" }, { code: 2 }, {}, null, undefined, "ENOENT"])
    assert.equal(fileCause(error), "other", JSON.stringify(error));
});

test("nothing is there only when the system says so", (t) => {
  const at = folderFor(t);
  kindsIn(at);
  assert.ok(statFile(at("file"))?.isFile());
  assert.ok(statFile(at("folder"))?.isDirectory());
  assert.equal(statFile(at("none")), undefined);
  assert.throws(() => statFile(at("file", "below")), { code: "ENOTDIR" });
  assert.throws(() => statFile(at("circle")), { code: "ELOOP" });
  assert.equal(tryStatFile(at("circle")), undefined);
  assert.deepEqual(
    ["file", "folder", "fifo", "circle", "none", "file/below"].map((name) => isThere(at(name))),
    [true, true, true, true, false, false],
  );
});

test("the bytes of a plain file are read and of nothing else, without waiting", async (t) => {
  const at = folderFor(t);
  kindsIn(at);
  assert.equal(readPlainBytes(at("file")).toString(), "bytes");
  assert.throws(() => readPlainBytes(at("fifo")), { code: "ENOTPLAIN" });
  assert.throws(() => readPlainBytes("/dev/null"), { code: "ENOTPLAIN" });
  assert.throws(() => readPlainBytes(at("folder")), { code: "EISDIR" });
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(at("file"))) pieces.push(Buffer.from(piece));
  assert.deepEqual(pieces, [Buffer.from("bytes")]);
  await assert.rejects(readPieces(at("fifo")).next(), { code: "ENOTPLAIN" });
  syncFolder(at("folder"));
  assert.deepEqual(openBelow(at()), [], "every file was closed again");
});

test("a text is what its bytes say, and bytes that say none are named so", (t) => {
  const at = folderFor(t);
  kindsIn(at);
  const bytes = (...values: readonly number[]) => {
    writeFileSync(at("text"), Uint8Array.from(values));
    return readTextFile(at("text"));
  };
  assert.deepEqual(bytes(0x61), { kind: "text", value: "a" });
  assert.deepEqual(bytes(0xef, 0xbb, 0xbf, 0x61), { kind: "text", value: "\ufeffa" });
  assert.deepEqual(bytes(0x61, 0xff), { kind: "not-utf8" });
  assert.deepEqual(readTextFile(at("none")), { cause: "ENOENT", kind: "unreadable" });
  assert.deepEqual(readTextFile(at("folder")), { cause: "EISDIR", kind: "unreadable" });
  truncateSync(at("text"), 536_870_849);
  assert.deepEqual(readTextFile(at("text")), { bytes: 536_870_849, kind: "too-large", max: 536_870_848 });
});

test("others can read a file when any of its bits for them is set", (t) => {
  const at = folderFor(t);
  writeFileSync(at("file"), "");
  const isOpenWith = (mode: number): boolean => {
    chmodSync(at("file"), mode);
    return isOpenAt(at("file"));
  };
  assert.deepEqual([0o600, 0o700].map(isOpenWith), [false, false]);
  assert.deepEqual([0o601, 0o604, 0o610, 0o640].map(isOpenWith), [true, true, true, true]);
  assert.equal(isOpenAt(at("none")), false);
});

test("files that keep writers out are told by what they hold; marks and what is not there keep nobody out", (t) => {
  const at = folderFor(t);
  const file = (name: string, holds: LedgerFile["holds"] = "records"): LedgerFile => ({ holds, path: at(name) });
  const causes = (...files: readonly LedgerFile[]) =>
    findHeldFiles(files).map(({ cause, facts }) => [cause, facts["file"]]);
  writeFileSync(at("ledger"), "");
  writeFileSync(at("locked"), "", { mode: 0o400 });
  mkdirSync(at("folder"));
  assert.deepEqual(causes(), []);
  assert.deepEqual(causes(file("none"), file("locked")), [], "no ledger");
  assert.deepEqual(causes(file("ledger"), file("none")), []);
  assert.deepEqual(causes(file("ledger"), file("locked", "mark")), []);
  assert.deepEqual(
    causes(file("ledger"), file("locked"), file("locked", "index"), file("folder"), file("folder", "index")),
    [
      ["records-unwritable", at("locked")],
      ["index-unwritable", at("locked")],
      ["records-special", at("folder")],
      ["index-special", at("folder")],
    ],
  );
});

test("a folder and files that this user may not write keep it out", (t) => {
  const user = serverUser();
  if (user === undefined) return t.diagnostic("NOT SHOWN: needs two users, and this is not root");
  const at = folderFor(t);
  chmodSync(at(), 0o755);
  writeFileSync(at("ledger"), "");
  chmodSync(at("ledger"), 0o644);
  const source = new URL("../../src/ledger/files/held-files.ts", import.meta.url).href;
  const script = `
    const { findHeldFiles } = await import(${JSON.stringify(source)});
    const files = [{ holds: "records", path: ${JSON.stringify(at("ledger"))} }];
    process.stdout.write(findHeldFiles(files).map(({ cause }) => cause).join());
  `;
  const causes = (): string => spawnSync(process.execPath, ["-e", script], { encoding: "utf8", ...user }).stdout;
  assert.equal(causes(), "folder,records-unwritable");
  for (const path of [at(), at("ledger")]) chownSync(path, user.uid, user.gid);
  assert.equal(causes(), "");
});

test("what could not be written whole goes, and what was there before stays", (t) => {
  const at = folderFor(t);
  writeFileSync(at("file"), "");
  for (const code of ["EEXIST", "ENOTDIR"]) removeOurs(at("file"), { code });
  assert.ok(isThere(at("file")));
  removeOurs(at("file"), { code: "ENOSPC" });
  assert.ok(!isThere(at("file")));
  removeOurs(at("file"), new Error("without a code, and nothing there"));
});
