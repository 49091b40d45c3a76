// An engine that heeds seals: which it sees, wherever it reads them, and which records it takes after one.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Commit, Engine } from "../../src/ledger/engine.ts";
import { UNSEAL } from "../../src/ledger/record/copy-marks.ts";
import type { Draft, Sealed } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { heedful, readSeal } from "../../src/ledger/write/sealed.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chained, draft, linesOf } from "./drafts.ts";
import { ledgersFor } from "./holding.ts";
import { gathered } from "./lines.ts";

const ledgerOf = ledgersFor({ after });
const COPY = sha256("a copy");
const sealing = (seq: number, copy = COPY): Draft =>
  draft(seq, { body: { request: { copy }, result: { kind: "done" } }, kind: "ledger.seal" });
const undoing = (seq: number, copy = COPY): Draft =>
  draft(seq, { body: { door: "local", request: { copy }, result: { kind: "done" } }, kind: UNSEAL });

/** A ledger, its size, and the commit of one record on top of it. */
const taking = async (sealed: readonly Sealed[]) => {
  const engine = await ledgerOf(linesOf(sealed));
  const next = async (one: Draft): Promise<Commit> => {
    const { hash: prev, size: seq } = await engine.head();
    return { blobs: new Map(), keys: [], lines: [seal(one, { prev, seq }).line] };
  };
  const size = async (): Promise<number> => (await engine.head()).size;
  return { engine, next, size };
};
const NO_MARKS = { begun: undefined, finishedAt: undefined };
const sealedAt = (seq: number): readonly Sealed[] =>
  chained([...Array.from({ length: seq }, (_, at) => draft(at)), sealing(seq)]);

const READERS: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  follow: async (engine) => {
    const { size } = await engine.head();
    const enough = new AbortController();
    let seen = 0;
    for await (const _ of engine.follow(0, enough.signal)) {
      seen += 1;
      if (seen === size) enough.abort();
    }
  },
  pages: (engine) => gathered(engine.pages(0, 99)),
  read: (engine) => gathered(engine.read(0, 99)),
};

test("after a seal that it has read, however it read it, an engine takes nothing but what undoes that seal", async () => {
  for (const seq of [0, 2]) {
    for (const [how, read] of Object.entries(READERS)) {
      const { engine, next, size } = await taking(sealedAt(seq));
      const heeding = heedful(engine, NO_MARKS, undefined);
      await read(heeding);
      const append = async (one: Draft) => (await heeding.append(await next(one), { size: await size() })).kind;
      const answer = await heeding.append(await next(draft(seq + 1)), { size: seq + 1 });
      assert.deepEqual(answer, { failure: { cause: "sealed", facts: { seq } }, kind: "read-only" }, how);
      assert.equal(await append(undoing(seq + 1, sha256("another"))), "read-only");
      const empty = await heeding.append({ blobs: new Map(), keys: [], lines: [] }, { size: seq + 1 });
      assert.equal(empty.kind, "read-only");
      assert.equal(await append(undoing(seq + 1)), "ok");
      assert.equal(await append(draft(seq + 2)), "ok", "it is not the last record any more");
    }
  }
});

test("a seal that it wrote itself is heeded, and one that it was opened with", async () => {
  const own = await taking([]);
  const heeding = heedful(own.engine, NO_MARKS, undefined);
  assert.equal((await heeding.append(await own.next(sealing(0)), { size: 0 })).kind, "ok");
  assert.equal((await heeding.append(await own.next(draft(1)), { size: 1 })).kind, "read-only");
  const { engine, next } = await taking(sealedAt(1));
  const atOpen = await readSeal(engine, NO_MARKS);
  assert.equal(atOpen?.seq, 1);
  assert.equal((await heedful(engine, NO_MARKS, atOpen).append(await next(draft(2)), { size: 2 })).kind, "read-only");
});

test("a seal that names no copy is undone by nothing, and no seal by what has no door", async () => {
  for (const [sealed, body] of [
    [{}, { door: "local", request: {}, result: { kind: "done" } }],
    [{ copy: COPY }, { request: { copy: COPY }, result: { kind: "done" } }],
  ] as const) {
    const first = draft(0, { body: { request: sealed, result: { kind: "done" } }, kind: "ledger.seal" });
    const { engine, next } = await taking(chained([first]));
    const heeding = heedful(engine, NO_MARKS, await readSeal(engine, NO_MARKS));
    assert.equal((await heeding.append(await next(draft(1, { body, kind: UNSEAL })), { size: 1 })).kind, "read-only");
  }
});

test("a seal that was not written is not heeded", async () => {
  const { engine, next } = await taking([]);
  const heeding = heedful(engine, NO_MARKS, undefined);
  const late = await next(sealing(0));
  assert.equal((await engine.append(await next(draft(0)), { size: 0 })).kind, "ok", "another writer is first");
  assert.equal((await heeding.append(late, { size: 0 })).kind, "conflict");
  assert.equal((await heeding.append(await next(draft(1)), { size: 1 })).kind, "ok");
});

test("the seal after which a copy goes on is a record like any other, and the last seal counts, not one read later", async () => {
  const marks = { begun: COPY, finishedAt: 1 };
  const { engine, next, size } = await taking(sealedAt(1));
  assert.equal(await readSeal(engine, marks), undefined);
  const heeding = heedful(engine, marks, undefined);
  await gathered(heeding.read(0, 99));
  const append = async (one: Draft) => (await heeding.append(await next(one), { size: await size() })).kind;
  assert.equal(await append(draft(2)), "ok");
  assert.equal(await append(sealing(3, sha256("the next"))), "ok");
  await gathered(heeding.read(0, 2));
  assert.equal(await append(draft(4)), "read-only");
  assert.equal((await readSeal(engine, marks))?.seq, 3);
  const older = await taking(chained([sealing(0), undoing(1), sealing(2)]));
  const rereading = heedful(older.engine, NO_MARKS, undefined);
  await gathered(rereading.read(0, 99));
  await gathered(rereading.read(0, 1));
  assert.equal((await rereading.append(await older.next(draft(3)), { size: 3 })).kind, "read-only");
});

test("a ledger of no record has no seal, nor one whose last record is none", async () => {
  assert.equal(await readSeal(await ledgerOf([]), NO_MARKS), undefined);
  assert.equal(await readSeal(await ledgerOf(linesOf(chained([sealing(0), draft(1)]))), NO_MARKS), undefined);
});
