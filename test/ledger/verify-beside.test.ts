// What stands beside the lines: blobs and tiles, marks of a copy, and the order and the number of what is found.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import type { Engine, KeyUse } from "../../src/ledger/engine.ts";
import { BLOBS_FOLDER } from "../../src/ledger/files/export-names.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { begunMark, finishedMark } from "../../src/ledger/record/copy-marks.ts";
import type { Sealed } from "../../src/ledger/record/record.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { type AuditFinding, auditEngine, auditExport } from "../../src/ledger/verify/verify-ledger.ts";
import { auditLedger } from "../../src/ledger/verify/verify-whole.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chained, draft, linesOf } from "./drafts.ts";
import { exportLedger } from "./export-whole.ts";
import { ledgersFor } from "./holding.ts";
import { digestOf } from "./lines.ts";
import { ledgerFolderFor } from "./moving.ts";
import { SIGNER } from "./saved-state-desk.ts";

const ledgerOf = ledgersFor({ after });
const quiet = (): void => undefined;
const OPTIONS = { checkpoints: [], onProgress: quiet };
const short = (findings: readonly AuditFinding[]) => findings.map(({ cause, seq, what }) => [seq, what, cause]);

const [ONE, TWO, THREE] = ["one", "two", "three"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
const BLOBS = new Map([ONE, TWO, THREE].map((blob) => [digestOf(blob), blob]));
/** Record 1 names two blobs, record 3 one. */
const CHAIN = chained([
  draft(0),
  draft(1, { blobs: [digestOf(ONE), digestOf(TWO)] }),
  draft(2),
  draft(3, { blobs: [digestOf(THREE)] }),
]);
const LINES = linesOf(CHAIN);
const usesOf = (sealed: readonly Sealed[]) => sealed.map(({ record }) => keyUseOf(record));
const ENGINE = await ledgerOf(LINES, { blobs: BLOBS, keys: usesOf(CHAIN) });

const found = async (engine: Engine) => {
  const { blobs, findings, findingsCount, records } = await auditEngine(engine, OPTIONS);
  assert.equal(findings.length, Math.min(100, findingsCount));
  return { blobs, findings: short(findings), records };
};

const ALTERED = new Map(BLOBS).set(digestOf(THREE), ONE);
/** The same ledger, but for what it gives for the third blob. */
const giving = (engine: Engine, third: (digest: Sha256) => Uint8Array): Engine => ({
  ...engine,
  blob: async (digest) => (digest === digestOf(THREE) ? third(digest) : engine.blob(digest)),
});

test("every blob that a record names is looked at, and each that is missing, other or damaged is told by its record", async () => {
  assert.deepEqual(await found(ENGINE), { blobs: 3, findings: [], records: 4 });
  const without = new Map([...BLOBS].filter(([digest]) => digest !== digestOf(TWO)));
  assert.deepEqual((await found(await ledgerOf(LINES, { blobs: without }))).findings, [
    [1, "blob-missing", "blob-missing"],
  ]);
  assert.deepEqual(await found(giving(ENGINE, () => ONE)), {
    blobs: 3,
    findings: [[3, "blob-differs", "blob-differs"]],
    records: 4,
  });
  assert.deepEqual(await found(await ledgerOf(LINES, { blobs: ALTERED })), {
    blobs: 3,
    findings: [[3, "blob-differs", "blob-altered"]],
    records: 4,
  });
  const damaged = giving(ENGINE, (digest) => {
    throw new LedgerDamage(2, { cause: "blob-differs", facts: { digest } });
  });
  assert.deepEqual((await found(damaged)).findings, [[2, "blob-differs", "blob-differs"]]);
  const buggy: Engine = { ...ENGINE, blob: async () => assert.fail("a bug") };
  await assert.rejects(auditEngine(buggy, OPTIONS), /a bug/);
});

test("lines that cannot be read end the walk with a finding where it stood; a bug rises", async () => {
  const failing = (error: Error): Engine => ({
    ...ENGINE,
    read: async function* (from) {
      yield* ENGINE.read(from, 2);
      throw error;
    },
  });
  const beside = new LedgerDamage(undefined, { cause: "head-unreadable", facts: {} });
  assert.deepEqual(await found(failing(beside)), {
    blobs: 2,
    findings: [[2, "damaged", "head-unreadable"]],
    records: 2,
  });
  const there = new LedgerDamage(3, { cause: "line-missing", facts: {} });
  assert.deepEqual((await found(failing(there))).findings, [[3, "damaged", "line-missing"]]);
  await assert.rejects(auditEngine(failing(new TypeError("a bug")), OPTIONS), /a bug/);
});

test("findings come in the order of their records, a hundred at most, and those of no record last", async () => {
  const many = chained(Array.from({ length: 102 }, (_, at) => draft(at, { blobs: [sha256(`${at}`)] })));
  const lines = linesOf(many).with(50, Buffer.from("nonsense"));
  const { findings, findingsCount } = await auditEngine(await ledgerOf(lines), OPTIONS);
  assert.deepEqual([findings.length, findingsCount], [100, 101 + 2]);
  assert.deepEqual(short(findings).slice(49, 53), [
    [49, "blob-missing", "blob-missing"],
    [50, "unreadable", "not-an-object"],
    [51, "broken-link", "link-broken"],
    [51, "blob-missing", "blob-missing"],
  ]);
  const uses = await auditLedger(await ledgerOf(linesOf(many)), OPTIONS);
  assert.deepEqual([uses.findings.length, uses.findingsCount], [100, 204]);
});

/** An export of that ledger in a folder, and what is found in it. */
const exportFor = async (t: TestContext) => {
  const folder = join(ledgerFolderFor(t).folder, "out");
  await exportLedger(ENGINE, SIGNER, folder, quiet);
  return { at: (...names: readonly string[]) => join(folder, ...names), folder };
};
const inExport = async (folder: string) => {
  const { blobs, findings, findingsCount } = await auditExport(folder, OPTIONS);
  assert.equal(findings.length, findingsCount);
  return { blobs, findings: short(findings) };
};

test("in an export every file of a blob must be one and hold its bytes, whether a record names it or not", async (t) => {
  const { at, folder } = await exportFor(t);
  assert.deepEqual(await inExport(folder), { blobs: 3, findings: [] });
  mkdirSync(at(BLOBS_FOLDER, "folder"));
  assert.deepEqual(await inExport(folder), { blobs: 3, findings: [[undefined, "blob-differs", "blob-file-altered"]] });
  rmSync(at(BLOBS_FOLDER, "folder"), { recursive: true });
  writeFileSync(at(BLOBS_FOLDER, digestOf(THREE)), "other");
  assert.deepEqual((await inExport(folder)).findings, [[undefined, "blob-differs", "blob-file-altered"]]);
  rmSync(at(BLOBS_FOLDER, digestOf(THREE)));
  assert.deepEqual(await inExport(folder), { blobs: 3, findings: [[3, "blob-missing", "blob-missing"]] });
  rmSync(at(BLOBS_FOLDER), { recursive: true });
  assert.deepEqual((await inExport(folder)).findings.length, 3);
  const open = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed between the list and the observation
    }
  });
  assert.deepEqual(
    open.filter((one) => one.startsWith(folder)),
    [],
  );
});

test("a blob of more than one piece is read to its end", async (t) => {
  const { at, folder } = await exportFor(t);
  const large = Buffer.alloc(300_000, "large");
  writeFileSync(at(BLOBS_FOLDER, digestOf(large)), large);
  assert.deepEqual(await inExport(folder), { blobs: 3, findings: [] });
  writeFileSync(at(BLOBS_FOLDER, digestOf(large)), large.fill("x", 299_999));
  assert.equal((await inExport(folder)).findings.length, 1);
});

test("in an export a tile that is not there, is another or is no file is told, after what is told of records", async (t) => {
  const { at, folder } = await exportFor(t);
  const tile = "tile/0/000.p/4";
  writeFileSync(at(tile), "other");
  assert.deepEqual((await inExport(folder)).findings, [[undefined, "tile-differs", "tile-differs"]]);
  rmSync(at(tile));
  rmSync(at(BLOBS_FOLDER, digestOf(ONE)));
  assert.deepEqual((await inExport(folder)).findings, [
    [1, "blob-missing", "blob-missing"],
    [undefined, "tile-differs", "file-missing"],
  ]);
  mkdirSync(at(tile));
  assert.deepEqual((await inExport(folder)).findings.at(-1), [undefined, "tile-differs", "tile-differs"]);
});

const COPY = sha256("a copy");
const sealOf = (seq: number, copy = COPY) =>
  draft(seq, { body: { request: { copy }, result: { kind: "done" } }, kind: "ledger.seal" });

/** What is found of the marks beside a ledger whose last record is the seal for that copy. */
const marked = async (records: number, marks: readonly KeyUse[]) => {
  const sealed = chained([...Array.from({ length: records }, (_, at) => draft(at)), sealOf(records)]);
  const keys = [...usesOf(sealed), ...marks];
  const { findings } = await auditLedger(await ledgerOf(linesOf(sealed), { keys }), OPTIONS);
  return findings.map(({ facts, seq, what }) => [seq, what, facts]);
};
const stray = (seq: number, mark: string) => [seq, "use-stray", { mark }];

test("marks are those of one copy: begun at its first record, and finished by the seal that names it", async () => {
  const [other, begun, finished] = [sha256("another"), begunMark(COPY), finishedMark(COPY, 2)];
  assert.deepEqual(await marked(2, []), []);
  assert.deepEqual(await marked(2, [begun]), []);
  assert.deepEqual(await marked(2, [begun, finished]), []);
  assert.deepEqual(await marked(0, [finishedMark(COPY, 0)]), [], "a copy of nothing has its seal alone");
  assert.deepEqual(await marked(2, [finished]), [stray(2, "finished")], "it was not begun");
  assert.deepEqual(await marked(2, [{ ...begun, seq: 1 }]), [stray(1, "begun")]);
  assert.deepEqual(await marked(2, [begun, finishedMark(COPY, 1)]), [stray(1, "finished")], "no seal is there");
  assert.deepEqual(await marked(2, [begun, finishedMark(COPY, 9)]), [stray(9, "finished")], "nothing is there");
  assert.deepEqual(await marked(2, [begunMark(other), finished]), [stray(2, "finished")], "another was begun");
  assert.deepEqual(await marked(2, [begunMark(other), finishedMark(other, 2)]), [stray(2, "finished")]);
  assert.deepEqual(await marked(0, [finishedMark(other, 0)]), [stray(0, "finished")]);
  assert.deepEqual(await marked(0, [begunMark(other), finishedMark(COPY, 0)]), [stray(0, "finished")]);
});

test("keys are not judged where a line is broken, and are where a blob is", async () => {
  const broken = await ledgerOf(LINES.with(2, Buffer.from("nonsense")), { blobs: BLOBS });
  const { findings } = await auditLedger(broken, OPTIONS);
  assert.deepEqual(short(findings), [
    [2, "unreadable", "not-an-object"],
    [3, "broken-link", "link-broken"],
  ]);
  const keys = usesOf(CHAIN).slice(1);
  const without = new Map([...BLOBS].filter(([digest]) => digest !== digestOf(THREE)));
  for (const [engine, finding, cause] of [
    [giving(await ledgerOf(LINES, { blobs: BLOBS, keys }), () => ONE), "blob-differs", "blob-differs"],
    [await ledgerOf(LINES, { blobs: ALTERED, keys }), "blob-differs", "blob-altered"],
    [await ledgerOf(LINES, { blobs: without, keys }), "blob-missing", "blob-missing"],
  ] as const) {
    const audit = await auditLedger(engine, OPTIONS);
    assert.deepEqual(short(audit.findings), [
      [0, "use-missing", "key-unlisted"],
      [3, finding, cause],
    ]);
    assert.deepEqual([audit.findingsCount, audit.records, audit.blobs], [2, 4, 3]);
  }
});
