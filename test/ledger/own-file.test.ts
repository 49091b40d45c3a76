// What Dedalus makes is its owner's alone, whatever the umask is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeOwn, makeOwnFolder, openOwn } from "../../src/ledger/files/own-file.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Every path below a folder, and its mode in octal. */
const modesBelow = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), `${entry.isDirectory() ? "d" : "-"}${modeOf(path).toString(8)}`];
  });

test("every file and folder of an installation is made for its owner alone, under any umask", () => {
  for (const umask of ["000", "022", "027"]) {
    const parent = mkdtempSync(join(tmpdir(), "dedalus-modes-"));
    try {
      const run = (command: string): void => {
        const { status, stderr } = spawnSync("sh", ["-c", `umask ${umask}; ${command}`], {
          cwd: parent,
          encoding: "utf8",
        });
        assert.equal(status, 0, `${command}: ${stderr}`);
      };
      run(`"${DEDALUS}" init . --operator alice && "${DEDALUS}" ledger checkpoint`);
      run(`"${DEDALUS}" ledger export --out audit && "${DEDALUS}" ledger prove 0`);
      // Files that stand beside a ledger while somebody writes it.
      run(`"${process.execPath}" -e '
        const { openSqlite } = await import(${JSON.stringify(new URL("../../src/ledger/engines/sqlite/sqlite.ts", import.meta.url).href)});
        const locks = await import(${JSON.stringify(new URL("../../src/ledger/engines/sqlite/owner-lock.ts", import.meta.url).href)});
        const { readOnlyMarkOf } = await import(${JSON.stringify(new URL("../../src/ledger/engines/sqlite/sqlite-read-only.ts", import.meta.url).href)});
        await openSqlite("ledger/new.db", { mode: "write" });
        locks.holdOwnerLock("ledger/new.db", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        readOnlyMarkOf("ledger/new.db").close({ cause: "write-failed", facts: { name: "new.db", said: "disk full" } });
        process.kill(process.pid, "SIGKILL");
      ' || true`);
      const modes = modesBelow(parent);
      assert.ok(
        ["ledger/dedalus.db", "anchor/checkpoints.txt", "keys/ledger.key", "0.tlog-proof"].every((file) =>
          modes.some(([path]) => path === file),
        ),
      );
      for (const beside of ["-wal", "-shm", "-read-only", "-owner-01ARZ3NDEKTSV4RRFFQ69G5FAV"])
        assert.ok(
          modes.some(([path]) => path === `ledger/new.db${beside}`),
          `${beside} is not there`,
        );
      assert.deepEqual(
        modes.filter(([, mode]) => mode !== "-600" && mode !== "d700"),
        [],
        `umask ${umask}`,
      );
    } finally {
      rmSync(parent, { recursive: true });
    }
  }
});

test("a umask that takes rights from the owner takes none here, and what is there keeps its mode", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-modes-"));
  const before = process.umask(0o277);
  try {
    makeOwn(join(folder, "made"));
    makeOwnFolder(join(folder, "folder"));
    assert.deepEqual([modeOf(join(folder, "made")), modeOf(join(folder, "folder"))], [0o600, 0o700]);
    process.umask(0);
    writeFileSync(join(folder, "chosen"), "", { mode: 0o640 });
    closeSync(openOwn(join(folder, "chosen"), "a"));
    makeOwn(join(folder, "chosen"));
    assert.equal(modeOf(join(folder, "chosen")), 0o640);
  } finally {
    process.umask(before);
    rmSync(folder, { recursive: true });
  }
});
