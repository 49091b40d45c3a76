// Moving a ledger: the same head on both sides, one that goes on, and no crash in between that leaves two or none.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { now } from "../../src/clock.ts";
import { appendNote } from "../../src/ledger/anchor/anchor.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { openChecked } from "../../src/ledger/open.ts";
import { readCopyMarks } from "../../src/ledger/record/copy-marks.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { EMPTY_ROOT } from "../../src/ledger/tree/merkle.ts";
import { type Copied, copyLedger } from "../../src/ledger/write/copy.ts";
import { heedful } from "../../src/ledger/write/sealed.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { coded } from "../spine/world.ts";
import { recordNext } from "./acting.ts";
import { damagedBy } from "./damaged.ts";
import { draft } from "./drafts.ts";
import { assertChain, commitOn, gathered, nextUlid } from "./lines.ts";
import { ACTING, copyingOf, fill, type LedgerFolder, ledgerFolderFor, rootIn } from "./moving.ts";
import { SIGNER } from "./saved-state-desk.ts";

const RECORDS = 7;
const quiet = () => undefined;
const copy = (source: Engine, target: Engine): Promise<Copied> => copyLedger(copyingOf(source, target));

/** An anchor that covers no record yet: without one, no ledger with records is opened. */
const begun = (folder: string): string => {
  appendNote(`${folder}/anchor`, SIGNER.sign({ root: EMPTY_ROOT, size: 0 }));
  return `${folder}/anchor`;
};

/** Opened as every command opens it; the code of the refusal, or "open". */
const openedFor = async ({ folder, open }: LedgerFolder, name: string, mode: "write" | "copy"): Promise<string> => {
  const engine = await open(name);
  const opened = await openChecked(
    { engine, kind: "open" },
    { anchor: begun(folder), mode, onProgress: quiet, vkey: SIGNER.vkey },
  );
  return opened.kind === "open" ? "open" : opened.refusal.code;
};

test("a copy has the same lines, keys, blobs, head and root, and its source is sealed by the last record", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const records = await fill(source, RECORDS);
  const before = await rootIn(source);
  const copied = await copy(source, target);
  assert.ok(copied.kind === "copied", JSON.stringify(copied));
  assert.equal(copied.seal.kind, "ledger.seal");
  assert.match(JSON.stringify(copied.seal.body["request"]), /"to":"sqlite b\.db"/);
  assert.equal(copied.seal.seq, RECORDS);
  assert.deepEqual(await target.head(), await source.head());
  assert.deepEqual(await gathered(target.read(0, 99)), await gathered(source.read(0, 99)));
  assert.equal(await rootIn(target), copied.root);
  assert.equal(await rootIn(target, RECORDS), before);
  for (const { actor, blobs = [], idempotencyKey } of records) {
    assert.deepEqual(await target.lookup(actor.id, idempotencyKey), await source.lookup(actor.id, idempotencyKey));
    for (const digest of blobs) assert.deepEqual(await target.blob(digest), await source.blob(digest));
  }
  await assertChain(target);
  assert.equal(await openedFor(ledgers, "a.db", "write"), "ledger-sealed");
  assert.equal(await openedFor(ledgers, "b.db", "write"), "open");
});

test("a copy is copied again, with the seals of all that came before it in its history", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b, c] = [await ledgers.open("a.db"), await ledgers.open("b.db"), await ledgers.open("c.db")];
  await fill(a, 3);
  assert.equal((await copy(a, b)).kind, "copied");
  const last = await copy(b, c);
  assert.ok(last.kind === "copied", JSON.stringify(last));
  assert.equal(last.head.size, 5);
  assert.equal(await openedFor(ledgers, "b.db", "write"), "ledger-sealed");
  assert.equal(await openedFor(ledgers, "c.db", "write"), "open");
  assert.equal(await rootIn(c, 4), await rootIn(a));
});

/** A real engine whose process dies at its n-th append: before it is sent, or after it is durable. */
const dying = (engine: Engine, after: { left: number }, when: "before" | "after"): Engine => ({
  ...engine,
  append: async (commit, expect) => {
    after.left -= 1;
    if (after.left === 0 && when === "before") throw new Error("killed");
    const result = await engine.append(commit, expect);
    if (after.left === 0) throw new Error("killed");
    return result;
  },
});

test("a crash at any append leaves at most one that goes on, and the same copy again finishes it", async (t) => {
  for (const when of ["before", "after"] as const) {
    for (let at = 1; ; at += 1) {
      const ledgers = ledgerFolderFor(t);
      const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
      await fill(source, RECORDS);
      const countdown = { left: at };
      const result = await copy(dying(source, countdown, when), dying(target, countdown, when)).catch(String);
      const [a, b] = [await openedFor(ledgers, "a.db", "write"), await openedFor(ledgers, "b.db", "write")];
      const isWhole = (await target.head()).size === RECORDS + 1;
      const isEmpty = (await target.head()).size === 0;
      assert.ok(a === "open" ? isEmpty || b === "copy-unfinished" : a === "ledger-sealed", `${when} ${at}: ${a}, ${b}`);
      assert.equal(b === "open" && !isEmpty, isWhole, `${when} ${at}: ${a}, ${b}`);
      const again = await copy(source, target);
      assert.ok(again.kind === "copied", `${when} ${at}: ${JSON.stringify(again)}`);
      assert.deepEqual(await target.head(), await source.head());
      assert.equal((await target.head()).size, RECORDS + 1, "the source is sealed once");
      if (typeof result !== "string") break;
      assert.match(result, /killed/);
      assert.ok(at < 10);
    }
  }
});

test("what is written while the copy runs is copied too, before the seal", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(source, RECORDS);
  let written = 0;
  const note = { kind: "test.noted", request: {}, result: {} };
  const busy: Engine = {
    ...source,
    append: async (commit, expect) => {
      if (written < 2) {
        written += 1;
        assert.equal((await recordNext(source, ACTING, () => note)).kind, "recorded");
      }
      return source.append(commit, expect);
    },
  };
  const copied = await copy(busy, target);
  assert.ok(copied.kind === "copied", JSON.stringify(copied));
  assert.equal(copied.seal.seq, RECORDS + 2);
  assert.deepEqual(await target.head(), await source.head());
});

test("a target that holds something is left alone, and so is a source that was sealed for another", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [a, b, c, d] = [
    await ledgers.open("a.db"),
    await ledgers.open("b.db"),
    await ledgers.open("c.db"),
    await ledgers.open("d.db"),
  ];
  await fill(a, 3);
  await fill(b, 2);
  const occupied = await copy(a, b);
  assert.ok(occupied.kind === "refused");
  assert.equal(occupied.refusal.code, "target-occupied");
  assert.equal((await copy(a, c)).kind, "copied");
  const elsewhere = await copy(a, d);
  assert.ok(elsewhere.kind === "refused");
  assert.equal(elsewhere.refusal.code, "ledger-sealed");
  assert.equal((await d.head()).size, 0);
  const onto = await copy(c, c);
  assert.ok(onto.kind === "refused", "a copy is not its own target");
  assert.equal(onto.refusal.code, "target-occupied");
  assert.equal(await openedFor(ledgers, "c.db", "write"), "open");
});

test("a source with a lost key or blob is not copied, and not sealed", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const source = await ledgers.open("a.db");
  const [first] = await fill(source, 3);
  const blind: Engine = { ...source, blob: async () => undefined };
  await assert.rejects(copy(blind, await ledgers.open("b.db")), damagedBy(0, "blob-missing"));
  const keyless: Engine = {
    ...source,
    lookup: async (caller, key) => (key === first?.idempotencyKey ? undefined : source.lookup(caller, key)),
  };
  await assert.rejects(copy(keyless, await ledgers.open("c.db")), damagedBy(0, "key-unlisted"));
  const strange: Engine = {
    ...source,
    lookup: async (caller, key) => {
      const use = await source.lookup(caller, key);
      return use === undefined || key !== first?.idempotencyKey ? use : { ...use, request: sha256("another") };
    },
  };
  await assert.rejects(copy(strange, await ledgers.open("d.db")), damagedBy(0, "key-of-other-request"));
  assert.equal(await openedFor(ledgers, "a.db", "write"), "open");
});

test("a target that does not give back what it took leaves its source unsealed", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  const [first] = await fill(source, 3);
  const forgetful: Engine = { ...target, blob: async () => undefined };
  await assert.rejects(copy(source, forgetful), damagedBy(0, "blob-missing"));
  const keyless: Engine = {
    ...target,
    lookup: async (caller, key) => (key === first?.idempotencyKey ? undefined : target.lookup(caller, key)),
  };
  await assert.rejects(copy(source, keyless), damagedBy(0, "key-unlisted"));
  assert.equal(await openedFor(ledgers, "a.db", "write"), "open");
  assert.equal(await openedFor(ledgers, "b.db", "write"), "copy-unfinished");
  assert.equal((await copy(source, target)).kind, "copied");
});

test("a writer that was open before the seal writes nothing after it", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const source = await ledgers.open("a.db");
  await fill(source, 3);
  const opened = await openChecked(
    { engine: await ledgers.open("a.db"), kind: "open" },
    { anchor: begun(ledgers.folder), mode: "write", onProgress: quiet, vkey: SIGNER.vkey },
  );
  assert.ok(opened.kind === "open");
  const service = await openSequencer(opened.ledger.engine, {
    decide: (_, key: Ulid, floor) => ({
      draft: draft(0, { auditId: key, idempotencyKey: key, processTime: floor ?? now() }),
    }),
    evolve: () => 0,
    initial: 0,
  });
  const submit = (): Promise<SubmissionAnswer> => {
    const key = nextUlid();
    return service.submit({ caller: "alice", command: key, key, lane: "mutation" });
  };
  assert.equal((await submit()).kind, "recorded");
  assert.equal((await copy(source, await ledgers.open("b.db"))).kind, "copied");
  const size = (await source.head()).size;
  for (let tries = 0; tries < 2; tries += 1) {
    const answer = await submit();
    assert.ok(answer.kind === "read-only", JSON.stringify(answer));
    assert.deepEqual(answer.failure, { cause: "sealed", facts: { seq: 4 } });
  }
  assert.equal((await source.head()).size, size);
  await service.close();
});

test("who reads the seal in a page writes nothing after it", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const source = await ledgers.open("a.db");
  await fill(source, 3);
  const engine = await ledgers.open("a.db");
  const service = heedful(engine, await readCopyMarks(engine), undefined);
  assert.equal((await copy(source, await ledgers.open("b.db"))).kind, "copied");
  const { hash, size } = await service.head();
  const next = commitOn({ hash, size }, 1).commit;
  assert.equal((await gathered(service.pages(0, size))).flat().length, size);
  const answer = await service.append(next, { size });
  assert.ok(answer.kind === "read-only", JSON.stringify(answer));
  assert.deepEqual(answer.failure, { cause: "sealed", facts: { seq: 3 } });
  assert.equal((await source.head()).size, size);
});

/** The refusals of a copy onto a target that is opened so. */
const copiedOnto = async (mode: "read" | "write"): Promise<readonly Refusal[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-copy-"));
  const open = async (name: string, as: "read" | "write"): Promise<Engine> => {
    const opened = await openSqlite(join(folder, name), { mode: as });
    assert.ok(opened.kind === "open");
    return opened.engine;
  };
  const [source, made] = [await open("a.db", "write"), await open("b.db", "write")];
  const target = await open("b.db", mode);
  try {
    await fill(source, 2);
    const copied = await copy(source, target);
    return copied.kind === "refused" ? [copied.refusal] : [];
  } finally {
    for (const engine of [source, made, target]) await engine.close();
    rmSync(folder, { recursive: true });
  }
};

const unwritten = coded("record-unwritten", await copiedOnto("read"));
const written = await copiedOnto("write");
cannot("P7-O1", "seal a ledger whose copy took no record", {
  neighbour: () => written,
  offence: () => unwritten,
});
