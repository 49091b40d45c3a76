// Long reads of a service that lives long: in a thread of their own, one at a time, few waiting, and over when whoever
// asked has left. What they answer is what a process with one request answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GENESIS } from "../../src/ledger/record/record.ts";
import { isRefused } from "../../src/service/answer.ts";
import { walksOf } from "../../src/service/apart/walks.ts";
import type { Configuration } from "../../src/service/ports.ts";
import type { StartThread, Thread, ThreadSaid } from "../../src/service/thread-task.ts";
import { soon, until } from "./bound.ts";
import { codes, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const filled = async (at: Serving): Promise<number> => {
  const service = at.open();
  await readyToApply(service);
  const { record } = ok(await service.observe(OPERATOR, { environment: "home" }));
  await service.close();
  return record?.seq ?? assert.fail("it is recorded");
};

const gathered = async <T>(pieces: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};

test("verify, replay, the state after a record and an export are the same from a thread as from where they are asked", async (t) => {
  const at = await serving(t);
  const seq = await filled(at);
  const [long, short] = [at.open("long"), at.open("one-request")];
  assert.deepEqual(ok(await long.verify(OPERATOR, {})), ok(await short.verify(OPERATOR, {})));
  assert.deepEqual(ok(await long.replay(OPERATOR, {})), ok(await short.replay(OPERATOR, {})));
  assert.deepEqual(ok(await long.stateAfter(OPERATOR, { at: seq })), ok(await short.stateAfter(OPERATOR, { at: seq })));
  assert.deepEqual(codes(await long.stateAfter(OPERATOR, { at: seq + 1 })), ["usage"]);
  const shown = { plan: "latest", step: { number: 1 }, words: "as-shown" } as const;
  assert.deepEqual(ok(await long.explain(OPERATOR, shown)).value, ok(await short.explain(OPERATOR, shown)).value);
  assert.deepEqual(codes(await long.explain(OPERATOR, { ...shown, plan: "nothing" })), ["usage"]);
  const [one, other] = [ok(await long.export(OPERATOR, {})).value, ok(await short.export(OPERATOR, {})).value];
  assert.equal(one.key, other.key);
  const [sent, expected] = [await gathered(one.pieces), await gathered(other.pieces)];
  assert.equal(sent.at(-1)?.kind, "end");
  assert.deepEqual(
    sent.map((piece) => (piece.kind === "bytes" ? { ...piece, bytes: Buffer.from(piece.bytes) } : piece)),
    expected.map((piece) => (piece.kind === "bytes" ? { ...piece, bytes: Buffer.from(piece.bytes) } : piece)),
  );
});

test("whoever waits hears how a walk goes on, and the service goes on meanwhile", async (t) => {
  const at = await serving(t);
  await filled(at);
  const service = at.open();
  const heard: string[] = [];
  const walk = service.verify(OPERATOR, {}, ({ at: what }) => void heard.push(what));
  let turns = 0;
  let isOver = false;
  void walk.then(() => {
    isOver = true;
  });
  while (!isOver) {
    ok(await service.status(OPERATOR, {}));
    turns += 1;
    await new Promise((resume) => setImmediate(resume));
  }
  assert.ok(turns > 1, "a thread takes longer to start than a read");
  ok(await walk);
  assert.ok(heard.includes("verifying"), heard.join());
});

test("a walk whose caller leaves is over, and the next has its turn", async (t) => {
  const at = await serving(t);
  await filled(at);
  const service = at.open();
  const leaves = new AbortController();
  const walk = service.replay({ ...OPERATOR, signal: leaves.signal }, {});
  const next = service.replay(OPERATOR, {});
  leaves.abort();
  await assert.rejects(soon("the end of a walk", walk), { name: "AbortError" });
  ok(await soon("the next walk", next));
});

test("an export that nobody takes to its end gives its turn back when its receiver leaves", async (t) => {
  const at = await serving(t);
  await filled(at);
  const service = at.open();
  const { pieces } = ok(await service.export(OPERATOR, {})).value;
  const waits = service.replay(OPERATOR, {});
  for await (const piece of pieces) {
    assert.equal(piece.kind, "bytes");
    break;
  }
  ok(await soon("the walk after it", waits));
});

test("closing a service ends its walks, and says so", async (t) => {
  const at = await serving(t);
  await filled(at);
  const service = at.open();
  const walks = [service.replay(OPERATOR, {}), service.verify(OPERATOR, {})];
  ok(await service.status(OPERATOR, {}));
  await soon("the end", service.close());
  for (const walk of walks) assert.ok(["", "service-ending"].includes(codes(await walk).join()));
});

const EQUAL = { foreign: 0, records: 0, result: "equal" } as const;

/** Threads that a test answers for. */
const puppets = () => {
  const started: { readonly end: (said?: ThreadSaid) => void; readonly isStopped: () => boolean }[] = [];
  const start: StartThread = () => {
    const { promise, resolve } = Promise.withResolvers<ThreadSaid | undefined>();
    let isStopped = false;
    started.push({ end: resolve, isStopped: () => isStopped });
    const thread: Thread = {
      next: () => promise,
      stop: async () => {
        isStopped = true;
        resolve(undefined);
      },
      tell: () => undefined,
    };
    return thread;
  };
  return { start, started };
};

test("walks run one at a time; those that would wait behind too many are refused, and their number is told", async () => {
  const { start, started } = puppets();
  const { close, walk } = walksOf(start, {} as Configuration, () => undefined);
  const answers = Array.from({ length: 10 }, () => walk({ kind: "verify" }, () => undefined));
  const refused = await soon("a refusal", Promise.race(answers));
  assert.ok(isRefused(refused));
  assert.deepEqual(
    refused.refusals.map(({ code, facts }) => [code, facts]),
    [["walks-waiting", { waiting: 8 }]],
  );
  assert.equal(started.length, 1, "the others have no thread");
  started[0]?.end({
    answer: { head: { hash: GENESIS, size: 0 }, kind: "ok", replayed: false, value: EQUAL },
    kind: "answer",
  });
  await until("the next turn", () => started.length === 2);
  assert.equal(started[0]?.isStopped(), true);
  assert.equal(started[1]?.isStopped(), false);
  await soon("the end of all", close());
  const ends = await Promise.all(answers);
  assert.equal(ends.filter(({ kind }) => kind === "ok").length, 1);
});

test("an export of which nobody takes a piece gives its turn back when its caller leaves, before it would be cut off", async () => {
  const { start, started } = puppets();
  const { close, export: exportAll, walk } = walksOf(start, {} as Configuration, () => undefined);
  const caller = new AbortController();
  const exporting = exportAll(() => undefined, caller.signal);
  const next = walk({ kind: "verify" }, () => undefined);
  await until("the export", () => started.length === 1);
  const head = { hash: GENESIS, size: 0 };
  started[0]?.end({ answer: { head, kind: "ok", replayed: false, value: { key: "" } }, kind: "exporting" });
  assert.equal((await soon("the answer", exporting)).kind, "ok");
  caller.abort();
  // Turns of the loop, and no clock: the half minute of a stalled receiver has not passed.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resume) => setImmediate(resume));
  assert.equal(started.length, 2, "the next has its turn");
  await soon("the end of all", close());
  assert.ok(isRefused(await next));
});
