// An export and its verification: every byte of every file counts, and a stranger's program agrees.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { CHECKPOINT_FILE, LINES_FILE } from "../../src/ledger/files/export-names.ts";
import { readCheckpoint } from "../../src/ledger/tree/checkpoint.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { type Audit, auditEngine, auditExport } from "../../src/ledger/verify/verify-ledger.ts";
import { findExportObstacle } from "../../src/ledger/write/export-folder.ts";
import { damagedBy } from "./damaged.ts";
import { hasPython, runProgram, writeProgram } from "./documented.ts";
import { SECRET_KEY } from "./drafts.ts";
import { exportLedger } from "./export-whole.ts";
import { fill, ledgerFolderFor, rootIn } from "./moving.ts";

const SIGNER = signerOf({ publicKey: SECRET_KEY, secretKey: SECRET_KEY });
const quiet = (): void => undefined;
let folder = "";
let exported = "";
let engine: Engine;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "dedalus-audit-"));
  exported = join(folder, "audit");
  const opened = await openSqlite(join(folder, "a.db"), { mode: "write" });
  assert.ok(opened.kind === "open");
  engine = opened.engine;
  await fill(engine, 2);
  await exportLedger(engine, SIGNER, exported, quiet);
});
after(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted();

/** As the command does: first what the checkpoint says under the key, then everything against it. */
const audited = async (): Promise<Audit | "unsigned"> => {
  const read = readCheckpoint(readFileSync(join(exported, CHECKPOINT_FILE), "utf8"), SIGNER.vkey);
  if (read.kind === "bad") return "unsigned";
  return auditExport(exported, { checkpoints: [read.checkpoint], onProgress: quiet });
};
const holds = async (): Promise<boolean> => {
  const audit = await audited();
  return audit !== "unsigned" && audit.findingsCount === 0;
};

test("an export of a whole ledger has lines, tiles, blobs and a checkpoint, and holds", async () => {
  assert.deepEqual(
    filesIn(exported).map((path) => path.slice(exported.length + 1).replace(/[0-9a-f]{64}/, "HASH")),
    [LINES_FILE, "blobs/HASH", CHECKPOINT_FILE, "tile/0/000.p/2", "tile/entries/000.p/2"],
  );
  const audit = await audited();
  assert.ok(audit !== "unsigned");
  assert.deepEqual(audit.findings, []);
  assert.deepEqual([audit.records, audit.blobs, audit.checkpointsMet], [2, 1, 1]);
  assert.equal(audit.root, await rootIn(engine));
});

test("flipping any single byte of any file of an export is found", async () => {
  let flips = 0;
  for (const path of filesIn(exported)) {
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 1) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, copy);
      assert.ok(!(await holds()), `byte ${at} of ${path}`);
      flips += 1;
    }
    writeFileSync(path, bytes);
  }
  assert.ok(flips > 2_000);
  assert.ok(await holds());
});

test("a file that is missing, cut or longer is found, and the first broken place is named", async () => {
  for (const path of filesIn(exported).filter((one) => !one.endsWith(CHECKPOINT_FILE) && !one.endsWith(LINES_FILE))) {
    renameSync(path, `${path}-away`);
    const audit = await audited();
    assert.ok(audit !== "unsigned" && audit.findingsCount > 0, path);
    renameSync(`${path}-away`, path);
  }
  for (const path of filesIn(exported)) {
    const bytes = readFileSync(path);
    for (const changed of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from("x")])]) {
      writeFileSync(path, changed);
      assert.ok(!(await holds()), path);
    }
    writeFileSync(path, bytes);
  }
  const [blob = ""] = readdirSync(join(exported, "blobs"));
  renameSync(join(exported, "blobs", blob), join(folder, blob));
  const audit = await audited();
  renameSync(join(folder, blob), join(exported, "blobs", blob));
  assert.ok(audit !== "unsigned");
  assert.equal(audit.findings[0]?.what, "blob-missing");
  assert.equal(audit.findings[0]?.seq, 0);
});

test("a full tile and a full bundle count like the partial ones", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const large = join(ledgers.folder, "large");
  const ledger = await ledgers.open("large.db");
  await fill(ledger, 260);
  const { note } = await exportLedger(ledger, SIGNER, large, quiet);
  const read = readCheckpoint(note, SIGNER.vkey);
  assert.ok(read.kind === "checkpoint");
  const audit = () => auditExport(large, { checkpoints: [read.checkpoint], onProgress: quiet });
  assert.equal((await audit()).findingsCount, 0);
  for (const path of ["tile/0/000", "tile/entries/000", "tile/0/001.p/4", "tile/1/000.p/1"]) {
    const bytes = readFileSync(join(large, path));
    bytes[7] = (bytes[7] ?? 0) ^ 1;
    writeFileSync(join(large, path), bytes);
    const { findings } = await audit();
    assert.deepEqual(
      findings.map(({ cause, facts, what }) => [what, cause, facts]),
      [["tile-differs", "tile-differs", { file: path }]],
    );
    bytes[7] = (bytes[7] ?? 0) ^ 1;
    writeFileSync(join(large, path), bytes);
  }
});

test("a ledger whose blob or line is damaged has the seq of it among its findings", async () => {
  const options = { checkpoints: [], onProgress: quiet };
  assert.deepEqual((await auditEngine(engine, options)).findings, []);
  const blind: Engine = { ...engine, blob: async () => undefined };
  assert.deepEqual(
    (await auditEngine(blind, options)).findings.map(({ seq, what }) => [seq, what]),
    [[0, "blob-missing"]],
  );
});

test("nothing is exported into a folder that holds something, or over an unfinished export", async () => {
  assert.equal(findExportObstacle(exported), "not-empty");
  assert.equal(findExportObstacle(join(folder, "other")), undefined);
  assert.equal(findExportObstacle(join(exported, LINES_FILE)), "unreadable-folder");
});

test("an export of a damaged ledger leaves nothing behind", async () => {
  const blind: Engine = { ...engine, blob: async () => undefined };
  await assert.rejects(exportLedger(blind, SIGNER, join(folder, "other"), quiet), damagedBy(0, "blob-missing"));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("other")),
    [],
  );
});

test("the program of docs/RECORDS.md agrees with us about an export", async (t) => {
  if (!hasPython()) return t.diagnostic("there is no python3 here");
  const program = join(folder, "verify.py");
  writeProgram("A verifier in forty lines", program);
  const { code, err, out } = runProgram(program, exported);
  assert.equal(code, 0, err);
  assert.match(out, new RegExp(`^2 records hold, .*root ${await rootIn(engine)}`));
});
