// Restoring by command, on both engines; and what an altered backup gets: a refusal, and nothing at the target.

import assert from "node:assert/strict";
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { exportSource } from "../../src/ledger/write/export-source.ts";
import { restoreLines } from "../../src/ledger/write/restore-lines.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { open as openPostgres } from "../ledger/open-postgres.ts";
import { postgresDesk, sql } from "../ledger/postgres-desk.ts";
import { coded } from "../spine/world.ts";
import { ANCHOR, codesIn, type Dedalus, edit, KEY, moveTo, refusalsIn, withLedger } from "./ledger-desk.ts";
import { withSessions } from "./lost-ledger-desk.ts";

const LINES = "backup/audit_export.jsonl";
const POSTGRES = "  engine: postgres\n  url: { file: url }\n";

const done = async (dedalus: Dedalus, ...argv: readonly string[]) => {
  const { code, err, out } = await dedalus(...argv);
  assert.equal(code, 0, `${argv.join(" ")}: ${err}${out}`);
  return out;
};
const backUp = (dedalus: Dedalus) => done(dedalus, "ledger", "backup", "--to", "backup");
const restore = (dedalus: Dedalus) =>
  dedalus("ledger", "restore", "--from", "backup/", "--reason", "the disk died", "--json");
const loseLedger = (folder: string): void => rmSync(join(folder, "ledger"), { recursive: true });

const goesOn = async (dedalus: Dedalus, size: number): Promise<void> => {
  const restored = await restore(dedalus);
  assert.equal(restored.code, 0, restored.out);
  const value = JSON.parse(restored.out);
  assert.deepEqual([value.size, value.seq, value.frozen], [size, size, true]);
  const verified = JSON.parse(await done(dedalus, "ledger", "verify", "--json"));
  assert.deepEqual([verified.size, verified.reAnchors.length], [size + 1, 1]);
  await done(dedalus, "replay");
  assert.match(await done(dedalus, "status"), /! frozen {2}everything {2}by alice: the disk died/);
  await done(dedalus, "unfreeze", "--reason", "looked at every VM");
  await done(dedalus, "ledger", "checkpoint");
  await done(dedalus, "ledger", "verify");
  assert.deepEqual(codesIn(await restore(dedalus)), ["target-occupied"]);
};

test("a lost ledger is restored by command, and goes on with a note for every session", async () => {
  await withSessions(async (dedalus, folder) => {
    await backUp(dedalus);
    await done(dedalus, "freeze", "--reason", "four");
    const size = readFileSync(join(folder, LINES), "utf8").split("\n").length - 1;
    loseLedger(folder);
    assert.deepEqual(codesIn(await dedalus("freeze", "--reason", "five", "--json")), ["ledger-cut-short"]);
    await goesOn(dedalus, size);
  });
});

test("the words say what was lost, where the old anchor is and how to go on", async () => {
  await withSessions(async (dedalus, folder) => {
    await backUp(dedalus);
    await done(dedalus, "freeze", "--reason", "four");
    loseLedger(folder);
    const out = await done(dedalus, "ledger", "restore", "--from", "backup", "--reason", "the disk died");
    assert.match(out, /^restored 6 records from backup to sqlite dedalus\.db/m);
    assert.match(out, /gap: 2 records lost, 6 to 7; the anchor covered 8 records \(root [0-9a-f]{12}\)/);
    assert.match(out, /^everything is frozen\./m);
    assert.match(out, /kept as anchor\/checkpoints\.txt\.before-6/);
    assert.match(out, /^ {2}dedalus unfreeze --reason "…"$/m);
  });
});

suite("on PostgreSQL", () => {
  const { fresh } = postgresDesk();
  test("a lost ledger is restored, and one with records is refused by name", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withLedger(0, async (dedalus, folder) => {
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      moveTo(folder, POSTGRES);
      for (const reason of ["one", "two"]) await done(dedalus, "freeze", "--reason", reason);
      await backUp(dedalus);
      await done(dedalus, "freeze", "--reason", "three");
      assert.deepEqual(codesIn(await restore(dedalus)), ["target-occupied"]);
      await sql(where, "DROP SCHEMA dedalus_ledger CASCADE");
      await goesOn(dedalus, 4);
    });
  });

  test("a kill half way leaves nothing that opens, and the same command finishes", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withSessions(async (dedalus, folder) => {
      const { root, size } = JSON.parse(await done(dedalus, "ledger", "backup", "--to", "backup", "--json"));
      const head = JSON.parse(await done(dedalus, "ledger", "verify", "--json")).head;
      const opened = await openPostgres(where);
      assert.ok(opened.kind === "open");
      const source = exportSource(join(folder, "backup"), head);
      const half = { ...source, head: async () => ({ ...head, size: 3 }) };
      const carrying = { onProgress: () => undefined, source: half, target: opened.engine };
      await assert.rejects(restoreLines(carrying, { root, size }), LedgerDamage);
      await opened.engine.close();
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      moveTo(folder, POSTGRES);
      for (const argv of [["status"], ["ledger", "show"], ["ledger", "checkpoint"], ["freeze", "--reason", "no"]])
        assert.deepEqual(codesIn(await dedalus(...argv, "--json")), ["copy-unfinished"], argv.join(" "));
      await goesOn(dedalus, size);
    });
  });

  test("a ledger of one engine is restored on the other", async (t) => {
    const { remove, where } = await fresh();
    t.after(remove);
    await withSessions(async (dedalus, folder) => {
      await backUp(dedalus);
      writeFileSync(join(folder, "url"), where, { mode: 0o600 });
      moveTo(folder, POSTGRES);
      await goesOn(dedalus, 6);
    });
  });
});

/** A backup is changed; whatever is refused leaves nothing at the target, and the anchor as it was. */
const restoredAfter = (change: (folder: string, dedalus: Dedalus) => unknown): Promise<readonly Refusal[]> =>
  withSessions(async (dedalus, folder) => {
    await backUp(dedalus);
    loseLedger(folder);
    await change(folder, dedalus);
    const anchor = readFileSync(join(folder, ANCHOR), "utf8");
    const restored = await restore(dedalus);
    if (restored.code !== 0) {
      assert.equal(existsSync(join(folder, "ledger")), false, "nothing is left at the target");
      assert.equal(readFileSync(join(folder, ANCHOR), "utf8"), anchor);
    }
    return refusalsIn(restored) as readonly Refusal[];
  });

/** Another installation's files in the place of ours. */
const ofAnother = (take: (theirs: string, ours: string) => void) => (ours: string) =>
  withSessions(async (dedalus, theirs) => {
    await backUp(dedalus);
    take(theirs, ours);
  });
const blobIn = (folder: string): string => {
  const [blob = assert.fail("it has blobs")] = readdirSync(join(folder, "backup/blobs"));
  return join(folder, "backup/blobs", blob);
};
const withoutLast = (text: string): string => `${text.split("\n").slice(0, -2).join("\n")}\n`;

const ALTERED: Readonly<Record<string, (folder: string) => unknown>> = {
  "that has another line": (folder) => edit(folder, LINES, (text) => text.replace('"two"', '"twp"')),
  "that has another used key": (folder) =>
    edit(folder, LINES, (text) => text.replace(/"idempotencyKey":"0(.)/, '"idempotencyKey":"1$1')),
  "that lacks its last line": (folder) => edit(folder, LINES, withoutLast),
  "whose last line is torn": (folder) => edit(folder, LINES, (text) => text.slice(0, -20)),
  "that has a line more": (folder) => edit(folder, LINES, (text) => `${text}${text.split("\n").at(-2)}\n`),
  "that has another blob": (folder) => writeFileSync(blobIn(folder), "{}"),
  "that lacks a blob": (folder) => rmSync(blobIn(folder)),
  "that lacks its lines": (folder) => rmSync(join(folder, LINES)),
  "that lacks its checkpoint": (folder) => rmSync(join(folder, "backup/checkpoint")),
  "whose checkpoint has another size": (folder) =>
    edit(folder, "backup/checkpoint", (text) => text.replace("\n6\n", "\n5\n")),
  "of another installation": ofAnother((theirs, ours) => {
    rmSync(join(ours, "backup"), { recursive: true });
    cpSync(join(theirs, "backup"), join(ours, "backup"), { recursive: true });
  }),
  "whose checkpoint another key signed": ofAnother((theirs, ours) =>
    copyFileSync(join(theirs, "backup/checkpoint"), join(ours, "backup/checkpoint")),
  ),
};
for (const [what, change] of Object.entries(ALTERED))
  cannot("N7", `restore a backup ${what}`, {
    neighbour: () => restoredAfter(() => undefined),
    offence: () => restoredAfter(change),
  });

cannot("N7", "restore a backup that is not of the history that the anchor signed", {
  neighbour: () => restoredAfter(() => undefined),
  // The same key, and other records under it.
  offence: () =>
    restoredAfter(async (folder, dedalus) => {
      const kept = readFileSync(join(folder, ANCHOR));
      rmSync(join(folder, "backup"), { recursive: true });
      rmSync(join(folder, "anchor"), { recursive: true });
      for (const reason of ["other", "other", "other"]) await done(dedalus, "freeze", "--reason", reason);
      await backUp(dedalus);
      loseLedger(folder);
      writeFileSync(join(folder, ANCHOR), kept);
    }),
});

test("without the key that signed it no backup is restored, and a folder that is not there is named", async () => {
  await withSessions(async (dedalus, folder) => {
    assert.deepEqual(codesIn(await restore(dedalus)), ["file-unreadable"]);
    await backUp(dedalus);
    loseLedger(folder);
    rmSync(join(folder, KEY));
    assert.deepEqual(codesIn(await restore(dedalus)), ["key-unusable"]);
    assert.equal(existsSync(join(folder, "ledger")), false);
  });
});

const restoredSealed = (isLater: boolean): Promise<readonly Refusal[]> =>
  restoredAfter(async (folder, dedalus) => {
    // An export is the same files, and nobody asks there how it ends.
    rmSync(join(folder, "backup"), { recursive: true });
    rmSync(join(folder, "anchor"), { recursive: true });
    await done(dedalus, "freeze", "--reason", "one");
    await done(dedalus, "ledger", "move", "--to", "copy.db", "--yes");
    if (isLater) {
      moveTo(folder, "  engine: sqlite\n  path: copy.db\n");
      await done(dedalus, "ledger", "checkpoint");
    }
    await done(dedalus, "ledger", "export", "--out", "backup");
    loseLedger(folder);
    moveTo(folder, "  engine: sqlite\n  path: ledger/dedalus.db\n");
  });
cannot("P7-F1", "restore an export that ends with a seal", {
  neighbour: () => restoredSealed(true),
  offence: async () => coded("backup-sealed", await restoredSealed(false)),
});
