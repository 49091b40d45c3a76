// Damaged SQLite files: refused, or reported with the seq, never a crash. What SQLite itself cannot see is left to the
// chain and the anchor, and said here as a claim of its own.

import assert from "node:assert/strict";
import { copyFile, readFile, truncate, writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { Engine, Head } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { linkFlaw, recordHash } from "../../src/ledger/record/seal.ts";
import { LedgerDamage } from "../../src/ledger/verify/damage.ts";
import { assertChain, commitOn, digestOf, EMPTY, gathered } from "./lines.ts";
import { copyFiles, edit, engineAt, grow, ledgers, tamper } from "./sqlite-files.ts";

const PAGE = 4_096;

/** A closed ledger of one file, its lines and its head. */
const closed = async (t: Parameters<typeof ledgers>[0], commits: number, note: string) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const head = (await grow(engine, commits, { note })).at(-1);
  assert.ok(head);
  const lines = await gathered(engine.read(0, head.size));
  await engine.close();
  return { head, lines, where };
};

/** The lines before the damage, and the damage. */
const readUntilDamage = async (engine: Engine, from: number, to: number) => {
  let given = 0;
  try {
    for await (const line of engine.read(from, to)) given += line.length > 0 ? 1 : 0;
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, String(error));
    return { flaw: error.flaw, given, seq: error.seq };
  }
  return { flaw: undefined, given, seq: undefined };
};

test("sqlite: a line that is gone is damage at its seq, in whichever range it is looked for", async (t) => {
  const { where } = await closed(t, 5, "");
  tamper(where, "DELETE FROM lines WHERE seq IN (7, 8)");
  const engine = await engineAt(t, where);
  const flaw = { cause: "line-missing", facts: {} };
  assert.deepEqual(await readUntilDamage(engine, 0, 15), { flaw, given: 7, seq: 7 });
  assert.deepEqual(await readUntilDamage(engine, 7, 8), { flaw, given: 0, seq: 7 });
  assert.deepEqual(await readUntilDamage(engine, 8, 99), { flaw, given: 0, seq: 8 });
  assert.deepEqual(await readUntilDamage(engine, 9, 99), { flaw: undefined, given: 6, seq: undefined });
  assert.deepEqual(await readUntilDamage(engine, 15, 99), { flaw: undefined, given: 0, seq: undefined });
});

test("sqlite: a page that is overwritten is damage at the first line it held", async (t) => {
  const { lines, where } = await closed(t, 40, "x".repeat(300));
  const bytes = await readFile(where);
  const pageOf = (seq: number): number => Math.floor(bytes.indexOf(lines[seq] ?? "no line") / PAGE);
  const page = pageOf(60);
  const first = lines.findIndex((_, seq) => pageOf(seq) === page);
  assert.ok(first > 0 && page > 0);
  await edit(where, (whole) => whole.fill(0xff, page * PAGE, (page + 1) * PAGE));
  const engine = await engineAt(t, where);
  const { flaw, given, seq } = await readUntilDamage(engine, 0, 120);
  assert.deepEqual({ given, seq }, { given: first, seq: first });
  assert.equal(flaw?.cause, "page-damaged");
});

test("sqlite: a blob whose bytes changed is damage, not content", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const bytes = Buffer.from("an observation");
  const blobs = new Map([[digestOf(bytes), bytes]]);
  await engine.append({ ...commitOn(EMPTY, 1).commit, blobs }, { size: 0 });
  tamper(where, "UPDATE blobs SET bytes = x'6f'");
  await assert.rejects(engine.blob(digestOf(bytes)), LedgerDamage);
});

test("sqlite: a database that lost its end is refused or damage", async (t) => {
  const { lines, where } = await closed(t, 40, "x".repeat(300));
  const { length } = await readFile(where);
  for (const kept of [length - PAGE, length / 2, PAGE, 100, 50]) {
    const cut = `${where}.${kept}`;
    await copyFile(where, cut);
    await truncate(cut, kept);
    const result = await openSqlite(cut, { mode: "write" });
    if (result.kind === "refused") assert.equal(result.refusal.cause, "not-sqlite");
    else {
      t.after(() => result.engine.close());
      assert.notEqual((await readUntilDamage(result.engine, 0, lines.length)).seq, undefined);
    }
  }
});

/** What a reader with an anchor sees; "silent" is what must never be. */
const seen = async (where: string, anchored: Head, lines: readonly Uint8Array[]): Promise<string> => {
  const result = await openSqlite(where, { mode: "read" });
  if (result.kind === "refused") return "refused";
  const { engine } = result;
  try {
    const said = await engine.head();
    let head = EMPTY;
    for await (const line of engine.read(0, said.size)) {
      const read = readRecord(line);
      if (read.kind === "finding" || linkFlaw(head, read.record) !== undefined) return "chain";
      head = { hash: recordHash(line), size: head.size + 1 };
    }
    if (head.hash !== anchored.hash || said.hash !== anchored.hash) return "anchor";
    const same = (await gathered(engine.read(0, said.size))).every(
      (line, at) => Buffer.compare(line, lines[at] ?? line) === 0,
    );
    return same ? "unharmed" : "silent";
  } catch (error) {
    assert.ok(error instanceof LedgerDamage, `${String(error)} is no LedgerDamage`);
    return "damage";
  } finally {
    await engine.close();
  }
};

test("sqlite: a flipped bit anywhere in the database is refused, damage, or seen by chain or anchor, or harmless", async (t) => {
  const { head, lines, where } = await closed(t, 10, "x".repeat(200));
  const whole = await readFile(where);
  const fates = new Map<string, number>();
  for (let round = 0; round < 300; round += 1) {
    // The first bytes of a page are its structure; every other round aims there.
    const page = (round * 7) % (whole.length / PAGE);
    const at = page * PAGE + (round % 2 === 0 ? (round * 5) % 100 : (round * 613) % PAGE);
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (round % 8));
    const copy = `${where}.flipped`;
    await writeFile(copy, flipped);
    const fate = await seen(copy, head, lines);
    assert.notEqual(fate, "silent", `byte ${at}`);
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
  }
  for (const fate of ["refused", "damage", "chain"]) assert.ok(fates.has(fate), `no flip was seen as ${fate}`);
});

test("sqlite: a damaged end of the log shortens the ledger to an earlier commit, for the anchor to see", async (t) => {
  const where = await ledgers(t);
  const engine = await engineAt(t, where);
  const heads = [EMPTY, ...(await grow(engine, 12))];
  const last = heads.at(-1);
  assert.ok(last);
  const log = (await readFile(`${where}-wal`)).length;
  const damages: readonly ((bytes: Buffer) => Uint8Array | undefined)[] = [
    (bytes) => bytes.subarray(0, log - 1),
    (bytes) => bytes.subarray(0, log - 3 * PAGE),
    (bytes) => void bytes.writeUInt8(bytes.readUInt8(log - 100) ^ 1, log - 100),
    (bytes) => void bytes.writeUInt8(bytes.readUInt8(log / 2) ^ 128, log / 2),
  ];
  for (const [at, change] of damages.entries()) {
    const copy = `${where}.${at}`;
    await copyFiles(where, copy);
    const unharmed = await openSqlite(copy, { mode: "read" });
    assert.ok(unharmed.kind === "open");
    assert.deepEqual(await unharmed.engine.head(), last);
    await unharmed.engine.close();

    await copyFiles(where, copy);
    await edit(`${copy}-wal`, change);
    const shortened = await engineAt(t, copy);
    const head = await assertChain(shortened);
    assert.ok(head.size < last.size, "shorter than the anchor says");
    assert.deepEqual(
      heads.find(({ size }) => size === head.size),
      head,
    );
  }
});
