// An export as a stream of pieces: what comes, in which order, for whom, and how it ends where the ledger is broken.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKPOINT_FILE, LINES_FILE } from "../../src/ledger/files/export-names.ts";
import { isWrittenTo, writeExport } from "../../src/ledger/write/export-folder.ts";
import type { ExportPiece } from "../../src/ledger/write/export-parts.ts";
import { verifyExportFolder } from "../../src/service/ledger/verify-evidence.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { bearer, codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const piecesOf = async (pieces: AsyncIterable<ExportPiece>): Promise<readonly ExportPiece[]> => {
  const all: ExportPiece[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};
const filesOf = (pieces: readonly ExportPiece[]) =>
  pieces.flatMap((piece) => (piece.kind === "bytes" ? [piece.file] : []));

test("an export comes as files, each blob once, the checkpoint last, and its end after it", async (t) => {
  const at = await serving(t);
  const service = at.open();
  for (const _ of [1, 2]) ok(await service.observe(OPERATOR, { environment: "home" }));
  const { head, value } = ok(await service.export(OPERATOR, {}));
  const pieces = await piecesOf(value.pieces);
  const end = pieces.at(-1);
  assert.ok(end?.kind === "end");
  const records = await at.records();
  assert.deepEqual([end.size, head.size], [records.length, records.length]);
  const files = filesOf(pieces);
  assert.equal(files.at(-1), CHECKPOINT_FILE);
  const blobs = new Set(records.flatMap((record) => record.blobs ?? []));
  assert.deepEqual(
    files.filter((file) => file.startsWith("blobs/")).toSorted(),
    Array.from(blobs, (digest) => `blobs/${digest}`).toSorted(),
  );
  assert.equal(end.blobs, blobs.size);
  assert.ok(files.includes(LINES_FILE));
});

test("what a receiver has is not sent again", async (t) => {
  const { open } = await serving(t);
  const { value } = ok(await open().export(OPERATOR, { isKept: (file) => file.startsWith("blobs/") }));
  const pieces = await piecesOf(value.pieces);
  assert.deepEqual(
    filesOf(pieces).filter((file) => file.startsWith("blobs/")),
    [],
  );
  assert.equal(pieces.at(-1)?.kind, "end");
});

test("the pieces as a folder are what a stranger verifies with the key of the answer, and with no other", async (t) => {
  const at = await serving(t);
  const other = await serving(t);
  const folder = join(at.folder, "audit");
  const { value } = ok(await at.open().export(OPERATOR, { isKept: isWrittenTo(folder) }));
  assert.equal("kind" in (await writeExport(folder, value.pieces)), false);
  const checked = (key: string) =>
    verifyExportFolder({ folder: { name: "audit", path: folder }, owner: { key, kind: "given" } }, () => undefined);
  const held = await checked(value.key);
  assert.ok(held.kind === "ok");
  assert.deepEqual([held.value.refusal, held.value.audit.records], [undefined, (await at.records()).length]);
  const foreign = await checked(ok(await other.open().export(OPERATOR, {})).value.key);
  assert.deepEqual(foreign.kind === "refused" && foreign.refusals.map(({ code }) => code), ["export-unverified"]);
});

test("a folder that does not hold when it is read again never has its name, and nothing is left of it", async (t) => {
  const at = await serving(t);
  const write = async (name: string, refusal: Refusal | undefined) => {
    const folder = join(at.folder, name);
    const { value } = ok(await at.open().export(OPERATOR, { isKept: isWrittenTo(folder) }));
    const seen: boolean[] = [];
    const written = await writeExport(folder, value.pieces, async (part) => {
      seen.push(existsSync(join(part, CHECKPOINT_FILE)), existsSync(folder));
      return refusal === undefined ? undefined : { kind: "broken", refusal };
    });
    assert.deepEqual(seen, [true, false], "it is looked at whole, before it has its name");
    return ["kind" in written, existsSync(folder), existsSync(`${folder}.part`)];
  };
  const refusal = refuse("anchor-empty", { facts: { size: 1 } });
  assert.deepEqual(await write("broken", refusal), [true, false, false]);
  assert.deepEqual(await write("whole", undefined), [false, true, false]);
});

const tokenOf = async ({ open }: Serving, role: "approver" | "auditor") => {
  const service = open();
  const made = await service.createToken(OPERATOR, { days: 1, kind: "person", name: role, roles: [role] });
  await service.close();
  return bearer(ok(made).value.token ?? assert.fail("it is shown once"));
};

test("an auditor has everything handed on, and an approver has not", async (t) => {
  const at = await serving(t);
  const [approver, auditor] = [await tokenOf(at, "approver"), await tokenOf(at, "auditor")];
  const service = at.open();
  assert.deepEqual(codes(await service.export(approver, {})), ["role-missing"]);
  assert.equal((await piecesOf(ok(await service.export(auditor, {})).value.pieces)).at(-1)?.kind, "end");
});

test("an export of a ledger that breaks on the way ends with why, and has no checkpoint", async (t) => {
  const at = await serving(t);
  // A thread of a service that lives long may have read everything by now.
  const { value } = ok(await at.open("one-request").export(OPERATOR, {}));
  tamper(join(at.folder, "ledger/dedalus.db"), "DELETE FROM blobs");
  const pieces = await piecesOf(value.pieces);
  const last = pieces.at(-1);
  assert.ok(last?.kind === "broken");
  assert.equal(last.refusal.code, "ledger-broken");
  assert.equal(filesOf(pieces).includes(CHECKPOINT_FILE), false);
});
