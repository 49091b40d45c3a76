// An engine that heeds seals: which it sees, wherever it reads them, and which records it takes after one.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Commit, Engine } from "../../src/ledger/engine.ts";
import { UNSEAL } from "../../src/ledger/record/copy-marks.ts";
import { type Draft, GENESIS, type Sealed } from "../../src/ledger/record/record.ts";
import { recordHash, seal } from "../../src/ledger/record/seal.ts";
import { heedful, sealOf } from "../../src/ledger/write/sealed.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chained, draft, linesOf } from "./drafts.ts";
import { heldEngine } from "./held-engine.ts";
import { gathered } from "./lines.ts";

const COPY = sha256("a copy");
const sealing = (seq: number, copy = COPY): Draft =>
  draft(seq, { body: { request: { copy }, result: { kind: "done" } }, kind: "ledger.seal" });
const undoing = (seq: number, copy = COPY): Draft =>
  draft(seq, { body: { door: "local", request: { copy }, result: { kind: "done" } }, kind: UNSEAL });

/** A ledger that takes everything, and the commit of one record on top of it. */
const taking = (sealed: readonly Sealed[]) => {
  const lines = [...linesOf(sealed)];
  const engine: Engine = {
    ...heldEngine([]),
    append: async (commit) => {
      lines.push(...commit.lines);
      return { kind: "ok" };
    },
    follow: (from) => heldEngine(lines).read(from, lines.length),
    head: () => heldEngine(lines).head(),
    pages: (from, to) => heldEngine(lines).pages(from, to),
    read: (from, to) => heldEngine(lines).read(from, to),
  };
  const next = (one: Draft): Commit => {
    const last = lines.at(-1);
    const prev = last === undefined ? GENESIS : recordHash(last);
    return { blobs: new Map(), keys: [], lines: [seal(one, { prev, seq: lines.length }).line] };
  };
  return { engine, lines, next };
};
const NO_MARKS = { begun: undefined, finishedAt: undefined };
const sealedAt = (seq: number): readonly Sealed[] =>
  chained([...Array.from({ length: seq }, (_, at) => draft(at)), sealing(seq)]);

const READERS: Readonly<Record<string, (engine: Engine) => Promise<unknown>>> = {
  follow: (engine) => gathered(engine.follow(0, new AbortController().signal)),
  pages: (engine) => gathered(engine.pages(0, 99)),
  read: (engine) => gathered(engine.read(0, 99)),
};

test("after a seal that it has read, however it read it, an engine takes nothing but what undoes that seal", async () => {
  for (const seq of [0, 2]) {
    for (const [how, read] of Object.entries(READERS)) {
      const { engine, lines, next } = taking(sealedAt(seq));
      const heeding = heedful(engine, NO_MARKS, undefined);
      await read(heeding);
      const append = async (one: Draft) => (await heeding.append(next(one), { size: lines.length })).kind;
      const answer = await heeding.append(next(draft(seq + 1)), { size: seq + 1 });
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
  const own = taking([]);
  const heeding = heedful(own.engine, NO_MARKS, undefined);
  assert.equal((await heeding.append(own.next(sealing(0)), { size: 0 })).kind, "ok");
  assert.equal((await heeding.append(own.next(draft(1)), { size: 1 })).kind, "read-only");
  const { engine, next } = taking(sealedAt(1));
  const atOpen = await sealOf(engine, NO_MARKS);
  assert.equal(atOpen?.seq, 1);
  assert.equal((await heedful(engine, NO_MARKS, atOpen).append(next(draft(2)), { size: 2 })).kind, "read-only");
});

test("a seal that names no copy is undone by nothing, and no seal by what has no door", async () => {
  for (const [sealed, body] of [
    [{}, { door: "local", request: {}, result: { kind: "done" } }],
    [{ copy: COPY }, { request: { copy: COPY }, result: { kind: "done" } }],
  ] as const) {
    const first = draft(0, { body: { request: sealed, result: { kind: "done" } }, kind: "ledger.seal" });
    const { engine, next } = taking(chained([first]));
    const heeding = heedful(engine, NO_MARKS, await sealOf(engine, NO_MARKS));
    assert.equal((await heeding.append(next(draft(1, { body, kind: UNSEAL })), { size: 1 })).kind, "read-only");
  }
});

test("a seal that was not written is not heeded", async () => {
  const { engine, next } = taking([]);
  let answers = 0;
  const refusing: Engine = {
    ...engine,
    append: async (commit, expect) => {
      answers += 1;
      return answers === 1 ? { kind: "conflict", size: 1 } : engine.append(commit, expect);
    },
  };
  const heeding = heedful(refusing, NO_MARKS, undefined);
  assert.equal((await heeding.append(next(sealing(0)), { size: 0 })).kind, "conflict");
  assert.equal((await heeding.append(next(draft(1)), { size: 1 })).kind, "ok");
});

test("the seal after which a copy goes on is a record like any other, and the last seal counts, not one read later", async () => {
  const marks = { begun: COPY, finishedAt: 1 };
  const { engine, lines, next } = taking(sealedAt(1));
  assert.equal(await sealOf(engine, marks), undefined);
  const heeding = heedful(engine, marks, undefined);
  await gathered(heeding.read(0, 99));
  const append = async (one: Draft) => (await heeding.append(next(one), { size: lines.length })).kind;
  assert.equal(await append(draft(2)), "ok");
  assert.equal(await append(sealing(3, sha256("the next"))), "ok");
  await gathered(heeding.read(0, 2));
  assert.equal(await append(draft(4)), "read-only");
  assert.equal((await sealOf(engine, marks))?.seq, 3);
  const older = taking(chained([sealing(0), undoing(1), sealing(2)]));
  const rereading = heedful(older.engine, NO_MARKS, undefined);
  await gathered(rereading.read(0, 99));
  await gathered(rereading.read(0, 1));
  assert.equal((await rereading.append(older.next(draft(3)), { size: 3 })).kind, "read-only");
});

test("a ledger of no record has no seal, nor one whose last record is none", async () => {
  assert.equal(await sealOf(heldEngine([]), NO_MARKS), undefined);
  assert.equal(await sealOf(heldEngine(linesOf(chained([sealing(0), draft(1)]))), NO_MARKS), undefined);
});
