// A backup is whole, verified and its owner's alone; or there is none.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { cannot } from "../cannot.ts";
import { postgresDesk } from "../ledger/postgres-desk.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { coded } from "../spine/world.ts";
import { ANCHOR, codesIn, DATABASE, type Dedalus, moveTo, refusalsIn, withLedger } from "./ledger-desk.ts";
import { withSessions } from "./lost-ledger-desk.ts";

const backUp = (dedalus: Dedalus, to = "kept/backup") => dedalus("ledger", "backup", "--to", to, "--json");

const modesIn = (folder: string): ReadonlySet<number> => {
  const modes = new Set([statSync(folder).mode & 0o777]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    assert.equal(mode, entry.isDirectory() ? 0o700 : 0o600, entry.name);
    modes.add(mode);
  }
  return modes;
};

const isWhole = async (dedalus: Dedalus, folder: string): Promise<void> => {
  const made = await backUp(dedalus);
  assert.equal(made.code, 0, made.out);
  const value = JSON.parse(made.out);
  assert.deepEqual(Object.keys(value).sort(), ["blobs", "folder", "key", "name", "root", "size"]);
  const own = JSON.parse((await dedalus("ledger", "verify", "--json")).out);
  assert.deepEqual([value.size, value.root], [own.size, own.root]);
  const elsewhere = await dedalus("ledger", "verify", "--export", value.folder, "--key", value.key, "--json");
  assert.deepEqual([elsewhere.code, JSON.parse(elsewhere.out).root], [0, value.root], "with the public key alone");
  assert.deepEqual([...modesIn(join(folder, "kept/backup"))].sort(), [0o600, 0o700]);
  assert.equal(existsSync(join(folder, "kept/backup.part")), false);
  assert.deepEqual(codesIn(await backUp(dedalus)), ["file-exists"], "one is never written over another");
  assert.equal((await dedalus("ledger", "checkpoint")).code, 0, "the ledger goes on");
  const { code, out } = await dedalus("ledger", "verify", "--export", "kept/backup", "--json");
  assert.equal(code, 0, out);
};

test("a backup verifies with the public key alone, has the ledger's root, and is readable by its owner alone", () =>
  withSessions(isWhole));

suite("on PostgreSQL", () => {
  const { fresh } = postgresDesk();
  test("a backup is the same", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withLedger(0, async (dedalus, folder) => {
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      moveTo(folder, "  engine: postgres\n  url: { file: url }\n");
      assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
      await isWhole(dedalus, folder);
    });
  });
});

test("the words say how the backup is verified elsewhere, and that the key is not in it", async () => {
  await withLedger(1, async (dedalus) => {
    const { code, out } = await dedalus("ledger", "backup", "--to", "backup/");
    assert.equal(code, 0);
    assert.match(out, /dedalus ledger verify --export backup --key \S+/);
    assert.match(out, /keys\/ledger\.key is not in it/);
  });
});

test("a folder that is not empty, an unfinished one and one that cannot be written are refused before anything is read", async () => {
  await withLedger(1, async (dedalus, folder) => {
    rmSync(join(folder, ANCHOR));
    mkdirSync(join(folder, "kept/backup"), { recursive: true });
    assert.deepEqual(codesIn(await backUp(dedalus)), ["anchor-absent"], "an empty one would do");
    writeFileSync(join(folder, "kept/backup/file"), "");
    assert.deepEqual(codesIn(await backUp(dedalus)), ["file-exists"]);
    mkdirSync(join(folder, "other.part"));
    assert.deepEqual(codesIn(await backUp(dedalus, "other")), ["file-exists"]);
    const { code, out, err } = await backUp(dedalus, "kept/backup/file/in");
    assert.deepEqual([code, codesIn({ code, err, out })], [2, ["file-unwritable"]]);
  });
});

const backedUpAfter = (change: (folder: string, dedalus: Dedalus) => unknown) =>
  withSessions(async (dedalus, folder) => {
    await change(folder, dedalus);
    const made = await backUp(dedalus);
    if (made.code !== 0) {
      assert.equal(existsSync(join(folder, "kept/backup")), false, "a refusal leaves no backup");
      assert.equal(existsSync(join(folder, "kept/backup.part")), false);
    }
    return refusalsIn(made) as Parameters<typeof coded>[1];
  });
cannot("N7", "back up a ledger that lost a blob", {
  neighbour: () => backedUpAfter(() => undefined),
  offence: () => backedUpAfter((folder) => tamper(join(folder, DATABASE), "DELETE FROM blobs")),
});
cannot("N7", "back up a ledger that was altered", {
  neighbour: () => backedUpAfter(() => undefined),
  offence: () =>
    backedUpAfter((folder) =>
      tamper(
        join(folder, DATABASE),
        "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = 1",
      ),
    ),
});
cannot("P7-F1", "back up a ledger that ends with a seal", {
  neighbour: () =>
    backedUpAfter(async (folder, dedalus) => {
      assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
      moveTo(folder, "  engine: sqlite\n  path: copy.db\n");
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
    }),
  offence: async () =>
    coded(
      "backup-sealed",
      await backedUpAfter(async (_, dedalus) => {
        assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
      }),
    ),
});

const backedUpBy = (role: string) =>
  withLedger(1, async (dedalus) => {
    const made = await dedalus("token", "create", "--name", "bob", "--role", role, "--days", "7", "--json");
    assert.equal(made.code, 0, made.out);
    process.env["DEDALUS_TOKEN"] = JSON.parse(made.out).token;
    try {
      return refusalsIn(await backUp(dedalus)) as Parameters<typeof coded>[1];
    } finally {
      delete process.env["DEDALUS_TOKEN"];
    }
  });
for (const role of ["approver", "observer", "agent"])
  cannot("P7-A1", `back up the ledger as ${role}`, {
    neighbour: () => backedUpBy("auditor"),
    offence: async () => coded("role-missing", await backedUpBy(role)),
  });
