// The edges of small parts of the ledger: what a record is about, which use of a key is a mark, what an audit adds up,
// which checkpoint covers a record, and what an export leaves behind.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Engine, KeyUse } from "../../src/ledger/engine.ts";
import { concernsVm } from "../../src/ledger/record/concerns.ts";
import { begunMark, finishedMark, markOf, readCopyMarks } from "../../src/ledger/record/copy-marks.ts";
import { envelopeFlaw } from "../../src/ledger/record/envelope.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { parseNote } from "../../src/ledger/tree/checkpoint.ts";
import { provesConsistency } from "../../src/ledger/tree/merkle-proof.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { readProof } from "../../src/ledger/verify/proof-file.ts";
import { proveRecord } from "../../src/ledger/verify/prove.ts";
import { auditLedger } from "../../src/ledger/verify/verify-whole.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import { findExportObstacle, writeExport } from "../../src/ledger/write/export-folder.ts";
import { exportParts } from "../../src/ledger/write/export-parts.ts";
import { heedful } from "../../src/ledger/write/sealed.ts";
import { writeProblem } from "../../src/service/ledger/new-folder.ts";
import type { Instant, Sha256 } from "../../src/spine/model.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { vmidOf } from "../spine/world.ts";
import { damagedBy } from "./damaged.ts";
import { chain, chained, draft, noteOver, SECRET_KEY } from "./drafts.ts";
import { exportLedger } from "./export-whole.ts";
import { IN_THE_WAY, leftAsPut } from "./in-the-way.ts";
import { commitOn, EMPTY } from "./lines.ts";
import { ACTING, copyingOf, fill, ledgerFolderFor, rootIn } from "./moving.ts";

const SIGNER = signerOf({ publicKey: SECRET_KEY, secretKey: SECRET_KEY });
const quiet = (): void => undefined;
const copy = (source: Engine, target: Engine, acting = ACTING) => copyLedger(copyingOf(source, target, acting));

test("a record is about the VMs that it names as such, wherever, and about no other number", () => {
  const isAbout = (body: { readonly [key: string]: Json }): boolean => {
    const [sealed] = chained([draft(0, { body })]);
    return concernsVm(sealed?.record ?? assert.fail("a record"), vmidOf(101));
  };
  assert.ok(isAbout({ vmid: 101 }));
  assert.ok(isAbout({ a: [{ b: { vmid: 101 } }] }));
  assert.ok(isAbout({ a: [1, { vmid: 101 }, { vmid: 7 }], b: "text" }));
  assert.ok(isAbout({ scope: [7, 101] }));
  assert.ok(isAbout({ vmids: [101] }));
  assert.ok(!isAbout({ vmid: 102 }));
  assert.ok(!isAbout({ vmid: "101" }));
  assert.ok(!isAbout({ ports: [101] }));
  assert.ok(!isAbout({ scope: "101" }));
  assert.ok(!isAbout({ port: 101, scope: "all" }));
  assert.ok(!isAbout({ vmid: null }));
});

test("only a use that no actor can have is the mark of a copy", () => {
  const id = sha256("copy");
  assert.equal(markOf(begunMark(id)), "begun");
  assert.equal(markOf(finishedMark(id, 7)), "finished");
  assert.equal(markOf({ ...begunMark(id), caller: "alice" }), undefined);
  assert.equal(markOf({ ...finishedMark(id, 7), caller: "alice" }), undefined);
  assert.equal(markOf({ ...begunMark(id), key: ACTING.nextId() }), undefined);
});

/** The same engine with other uses of keys in its table. */
const withUses = (engine: Engine, more: readonly KeyUse[]): Engine => ({
  ...engine,
  keys: async function* () {
    yield* engine.keys();
    yield* more;
  },
});
const OPTIONS = { checkpoints: [], onProgress: quiet };

test("the audit of a moved ledger holds, and marks that no seal stands for are strays", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(source, 3);
  assert.equal((await copy(source, target)).kind, "copied");
  assert.equal((await auditLedger(target, OPTIONS)).findingsCount, 0);
  assert.equal((await auditLedger(source, OPTIONS)).findingsCount, 0);
  const strays = async (engine: Engine, ...more: readonly KeyUse[]): Promise<readonly unknown[]> => {
    const { findings, findingsCount } = await auditLedger(withUses(engine, more), OPTIONS);
    assert.equal(findings.length, findingsCount);
    return findings.map(({ seq, what }) => [seq, what]);
  };
  const other = sha256("another copy");
  assert.deepEqual(await strays(source, finishedMark(other, 3)), [[3, "use-stray"]]);
  assert.deepEqual(await strays(target, finishedMark(other, 3)), [[3, "use-stray"]]);
  assert.deepEqual(await strays(source, finishedMark(other, 1)), [[1, "use-stray"]], "no seal is there");
  assert.deepEqual(await strays(source, { ...begunMark(other), seq: 2 }), [[2, "use-stray"]]);
});

test("keys are held against the lines when nothing but a blob is wrong, and not when a line is", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  await fill(engine, 4);
  const stray = { caller: "mallory", key: ACTING.nextId(), request: sha256("x"), seq: 2 };
  const kinds = async (damaged: Partial<Engine>): Promise<readonly string[]> =>
    (await auditLedger({ ...withUses(engine, [stray]), ...damaged }, OPTIONS)).findings.map(({ what }) => what);
  assert.deepEqual(await kinds({}), ["use-stray"]);
  assert.deepEqual(await kinds({ blob: async () => undefined }), ["blob-missing", "use-stray", "blob-missing"]);
  const shifted = async function* (from: number, to: number) {
    for await (const line of engine.read(from, to)) yield Buffer.from(line).fill(" ", 0, 1);
  };
  const found = await kinds({ read: shifted });
  assert.ok(found.length > 0 && !found.includes("use-stray"), found.join());
});

test("a record is proven under the last checkpoint that covers it, or under a new one, and none is past the end", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  await fill(engine, 5);
  const note = async (size: number) => {
    const checkpoint = { origin: SIGNER.origin, root: await rootIn(engine, size), size };
    return { checkpoint, note: SIGNER.sign(checkpoint) };
  };
  const notes = [await note(2), await note(4)];
  const proven = async (seq: number): Promise<readonly unknown[]> => {
    const proof = await proveRecord({ engine, notes }, SIGNER, seq);
    if (proof === undefined) return [];
    const read = readProof(proof.text, SIGNER.vkey);
    assert.ok(read.kind === "proven", JSON.stringify(read));
    assert.equal(read.record.seq, seq);
    return [proof.size, proof.anchored];
  };
  assert.deepEqual(await proven(0), [4, true]);
  assert.deepEqual(await proven(3), [4, true]);
  assert.deepEqual(await proven(4), [5, false]);
  assert.deepEqual(await proven(5), []);
});

test("an export goes into a folder that is not there or is empty, and beside no unfinished one", async (t) => {
  const { folder } = ledgerFolderFor(t);
  const at = (name: string): string => join(folder, name);
  assert.equal(findExportObstacle(at("new")), undefined);
  mkdirSync(at("empty"));
  assert.equal(findExportObstacle(at("empty")), undefined);
  mkdirSync(at("full/inside"), { recursive: true });
  assert.equal(findExportObstacle(at("full")), "not-empty");
  writeFileSync(at("file"), "");
  assert.equal(findExportObstacle(at("file")), "unreadable-folder");
  mkdirSync(at("new.part"));
  assert.equal(findExportObstacle(at("new")), "unfinished");
  symlinkSync(at("absent"), at("dangling"));
  symlinkSync(at("empty"), at("linked"));
  symlinkSync(at("absent"), at("begun.part"));
  assert.equal(findExportObstacle(at("dangling")), "unreadable-folder");
  assert.equal(findExportObstacle(at("linked")), "unreadable-folder");
  assert.equal(findExportObstacle(at("begun")), "unfinished");
});

test("what takes the name of an export while it is written stays, and so does an unfinished one of somebody else", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  const made = commitOn(EMPTY, 3);
  assert.deepEqual(await engine.append(made.commit, { size: 0 }), { kind: "ok" });
  const parts = () => exportParts(engine, SIGNER, { isKept: () => false, onProgress: quiet, size: 3 });
  for (const [kind, put] of Object.entries({
    ...IN_THE_WAY,
    // An empty folder may be the one to write; one that holds something may not.
    "a folder": (path: string) => mkdirSync(join(path, "inside"), { recursive: true }),
  })) {
    const out = join(ledgers.folder, kind.replaceAll(" ", "-"));
    const look = async (): Promise<undefined> => void put(out);
    await assert.rejects(writeExport(out, parts(), look), { syscall: "rename" });
    if (kind === "a folder") assert.deepEqual(readdirSync(out), ["inside"]);
    else leftAsPut(kind, out);
    assert.equal(existsSync(`${out}.part`), false);
    assert.equal(
      writeProblem({ name: "out", path: out }, Object.assign(new Error(), { syscall: "rename" })).code,
      "file-exists",
    );
  }
  const theirs = join(ledgers.folder, "theirs");
  mkdirSync(`${theirs}.part/inside`, { recursive: true });
  await assert.rejects(writeExport(theirs, parts()), { code: "EEXIST" });
  assert.deepEqual(readdirSync(`${theirs}.part`), ["inside"]);
});

test("an export leaves no file open, and tells of every thousand records", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  let head = EMPTY;
  for (let at = 0; at < 5; at += 1) {
    const made = commitOn(head, 256);
    assert.deepEqual(await engine.append(made.commit, { size: head.size }), { kind: "ok" });
    head = made.head;
  }
  const out = join(ledgers.folder, "out");
  const told: number[] = [];
  const exported = await exportLedger(engine, SIGNER, out, (records, of) => told.push(records, of));
  assert.deepEqual(told, [1_024, 1_280]);
  assert.equal(exported.size, 1_280);
  const open = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed between the list and the observation
    }
  });
  assert.deepEqual(
    open.filter((path) => path === ledgers.folder || path.startsWith(out)),
    [],
  );
});

test("an export names the blob that is missing and the one that holds other bytes, and leaves nothing", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const engine = await ledgers.open("a.db");
  await fill(engine, 1);
  const exported = (blob: Engine["blob"]) =>
    exportLedger({ ...engine, blob }, SIGNER, join(ledgers.folder, "out"), quiet);
  await assert.rejects(
    exported(async () => undefined),
    damagedBy(0, "blob-missing"),
  );
  await assert.rejects(
    exported(async () => Buffer.from("other")),
    damagedBy(0, "blob-differs"),
  );
  assert.ok(!existsSync(join(ledgers.folder, "out.part")));
});

test("a ledger of nothing but its seal takes no record after it", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const open = heedful(a, await readCopyMarks(a), undefined);
  assert.equal((await copy(open, b)).kind, "copied");
  const { hash, size } = await a.head();
  assert.equal(size, 1);
  assert.equal((await open.append(commitOn({ hash, size }, 1).commit, { size })).kind, "read-only");
});

test("a seal is stamped no earlier than the record before it, whatever the clock says", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const records = await fill(a, 3);
  const past = { ...ACTING, now: () => "2020-01-01T00:00:00.000Z" as Instant };
  const copied = await copy(a, b, past);
  assert.ok(copied.kind === "copied");
  assert.equal(copied.seal.processTime, records.at(-1)?.processTime);
});

test("another writer that brings a target to the size of the move is not taken for the move", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(a, 3);
  const contested: Engine = {
    ...b,
    append: async (commit, expect) => {
      await b.append(commitOn(EMPTY, 3).commit, { size: 0 });
      return b.append(commit, expect);
    },
  };
  const copied = await copy(a, contested);
  assert.equal(copied.kind === "refused" ? copied.refusal.code : copied.kind, "target-occupied");
});

test("a copy whose head is another than its source's in the end is not called finished", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(a, 3);
  const astray: Engine = {
    ...b,
    head: async () => {
      const { hash, size } = await b.head();
      return { hash: size === 4 ? sha256("another head") : hash, size };
    },
  };
  await assert.rejects(copy(a, astray), damagedBy(3, "copy-head-differs"));
});

test("a tree is not consistent with itself under a root that is no hash", () => {
  const same = (root: Sha256): boolean =>
    provesConsistency({ newer: { root, size: 2 }, older: { root, size: 2 }, proof: [] });
  assert.ok(same(sha256("root")));
  assert.ok(!same("root" as Sha256));
});

test("a signature line has a key's name, and a note no half of a pair", () => {
  const note = noteOver(chain(2));
  assert.equal(parseNote(`${note}— x AAAAAAAA\n`).kind, "note");
  assert.equal(parseNote(`${note}— x+y AAAAAAAA\n`).kind, "bad");
  assert.equal(parseNote(`${note}— x\ud800 AAAAAAAA\n`).kind, "bad");
  assert.equal(parseNote(note.replace(/^/, "\ud800")).kind, "bad");
});

test("a field that no record has is named", () => {
  const [sealed] = chain(1);
  const record: LedgerRecord = sealed?.record ?? assert.fail("a record");
  assert.deepEqual(envelopeFlaw({ ...record, extra: 1 }), { cause: "field-unknown", facts: { field: "extra" } });
  assert.deepEqual(envelopeFlaw({ ...record, environment: undefined }), {
    cause: "field-unknown",
    facts: { field: "environment" },
  });
});
