// The parts of an export and the folder that they become: each blob once, every line or none, and nothing left of a
// failure.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { BLOBS_FOLDER, CHECKPOINT_FILE, LINES_FILE } from "../../src/ledger/files/export-names.ts";
import { isWrittenTo, writeExport } from "../../src/ledger/write/export-folder.ts";
import { type ExportPart, type ExportPiece, exportParts } from "../../src/ledger/write/export-parts.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { damagedBy } from "./damaged.ts";
import { chain, chained, draft, exported, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { digestOf, gathered } from "./lines.ts";
import { ledgerFolderFor } from "./moving.ts";
import { SIGNER } from "./saved-state-desk.ts";

const ledgerOf = ledgersFor({ after });
const quiet = (): void => undefined;
const [ONE, TWO] = [Buffer.from("one"), Buffer.from("two")];
const BLOBS = new Map([ONE, TWO].map((blob) => [digestOf(blob), blob]));
const CHAIN = chained([
  draft(0, { blobs: [digestOf(ONE)] }),
  draft(1, { blobs: [digestOf(TWO), digestOf(ONE)] }),
  draft(2),
]);
const ENGINE = await ledgerOf(linesOf(CHAIN), { blobs: BLOBS });

const bytesOf = (parts: readonly ExportPart[], file: string): Buffer =>
  Buffer.concat(parts.flatMap((part) => (part.kind === "bytes" && part.file === file ? [part.bytes] : [])));

test("a blob that several records name is sent once where the receiver keeps it, and counted as a verification counts it", async () => {
  const kept = new Set<string>();
  const parts: ExportPart[] = [];
  for await (const part of exportParts(ENGINE, SIGNER, {
    isKept: (file) => kept.has(file),
    onProgress: quiet,
    size: 3,
  })) {
    if (part.kind === "bytes") kept.add(part.file);
    parts.push(part);
  }
  const files = parts.flatMap((part) => (part.kind === "bytes" ? [part.file] : []));
  const names = [ONE, TWO].map((blob) => `${BLOBS_FOLDER}/${digestOf(blob)}`);
  assert.deepEqual(
    files.filter((file) => file.startsWith(BLOBS_FOLDER)),
    names,
  );
  assert.deepEqual(bytesOf(parts, LINES_FILE), exported(linesOf(CHAIN)));
  const end = parts.at(-1);
  assert.ok(end?.kind === "end");
  assert.deepEqual([end.blobs, end.size, bytesOf(parts, CHECKPOINT_FILE).toString()], [3, 3, end.note]);
});

test("an export of fewer records is whole by itself, and one of more than there are is damage where they end", async () => {
  const parts = (size: number) =>
    gathered(exportParts(ENGINE, SIGNER, { isKept: () => false, onProgress: quiet, size }));
  assert.deepEqual(bytesOf(await parts(1), LINES_FILE), exported(linesOf(CHAIN.slice(0, 1))));
  await assert.rejects(parts(4), damagedBy(3, "line-missing"));
});

test("lines in several parts are the lines, and every thousand of them is told", async () => {
  const long = linesOf(chain(1_025));
  const told: (readonly number[])[] = [];
  const onProgress = (records: number, of: number): void => void told.push([records, of]);
  const parts = await gathered(
    exportParts(await ledgerOf(long), SIGNER, { isKept: () => false, onProgress, size: 1_025 }),
  );
  assert.ok(bytesOf(parts, LINES_FILE).equals(exported(long)));
  assert.deepEqual(told, [[1_024, 1_025]]);
});

const REFUSAL = refuse("copy-void", { facts: { copy: digestOf(ONE) } });
async function* pieces(...list: readonly ExportPiece[]): AsyncGenerator<ExportPiece> {
  yield* list;
}
const END: ExportPiece = { blobs: 0, kind: "end", note: "note", root: digestOf(ONE), size: 0 };

test("an export has its name once it is whole, in folders that are its owner's alone whatever the umask", async (t) => {
  const at = join(ledgerFolderFor(t).folder, "deep");
  const before = process.umask(0o777);
  try {
    assert.deepEqual(await writeExport(join(at, "out"), pieces(END)), {
      blobs: 0,
      note: "note",
      root: digestOf(ONE),
      size: 0,
    });
  } finally {
    process.umask(before);
  }
  assert.deepEqual(readdirSync(at), ["out"]);
  assert.deepEqual(readdirSync(join(at, "out")).toSorted(), [LINES_FILE, BLOBS_FOLDER].toSorted());
  for (const folder of [at, join(at, "out"), join(at, "out", BLOBS_FOLDER)])
    assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  assert.equal(statSync(join(at, "out", LINES_FILE)).mode & 0o777, 0o600);
});

test("an export that is broken, is found to be, or never ends leaves nothing, and says so", async (t) => {
  const { folder } = ledgerFolderFor(t);
  const out = join(folder, "out");
  const broken = { kind: "broken", refusal: REFUSAL } as const;
  const piece: ExportPiece = { bytes: ONE, file: "tile/0/000", kind: "bytes" };
  let looked = 0;
  const look = async () => {
    looked += 1;
    return broken;
  };
  assert.equal(await writeExport(out, pieces(piece, broken), look), broken);
  assert.deepEqual([looked, readdirSync(folder)], [0, []], "what is broken already is not looked at");
  assert.equal(await writeExport(out, pieces(piece, END), look), broken);
  assert.deepEqual([looked, readdirSync(folder)], [1, []]);
  await assert.rejects(writeExport(out, pieces(piece)), /has an end/);
  await assert.rejects(writeExport(out, pieces(piece, piece, END)), /EEXIST/);
  assert.deepEqual(readdirSync(folder), []);
  const seen: boolean[] = [];
  const written = await writeExport(out, pieces(piece, END), async (part) => {
    seen.push(isWrittenTo(out)("tile/0/000"), isWrittenTo(out)("tile/0/001"), existsSync(join(part, "tile/0/000")));
    return undefined;
  });
  assert.ok(!("kind" in written));
  assert.deepEqual(seen, [true, false, true]);
  assert.deepEqual(readFileSync(join(out, "tile/0/000")), ONE);
});
