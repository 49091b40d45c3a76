// The sequencer on a real sqlite ledger: group commit, lanes, keys, two writers on one file, a full queue.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { now } from "../../src/clock.ts";
import type { Appended, Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite.ts";
import type { Draft } from "../../src/ledger/record.ts";
import { sequencer } from "../../src/ledger/sequencer.ts";
import type { Answer, Decider, Submission } from "../../src/ledger/submission.ts";
import { sha256 } from "../../src/spine/hash.ts";
import { assertChain, nextUlid } from "./lines.ts";

type Count = { readonly note: string };
const INSTANCE = nextUlid();

/** Counts what was noted; each record says how many there were before it, so a stale decision would show. */
const counting: Decider<Count, number> = {
  decide: (before, { note }, floor): Draft => {
    const at = now();
    return {
      actor: { id: "tester", kind: "person", roles: [] },
      auditId: nextUlid(),
      body: { before, note },
      configHash: sha256("config"),
      correlationId: INSTANCE,
      eventTime: at,
      idempotencyKey: nextUlid(),
      instance: INSTANCE,
      kind: "test.counted",
      processTime: floor !== undefined && floor > at ? floor : at,
    };
  },
  evolve: (before) => before + 1,
  initial: 0,
};

const asking = (note: string, more: Partial<Submission<Count>> = {}): Submission<Count> => ({
  caller: "tester",
  command: { note },
  key: nextUlid(),
  lane: "mutation",
  request: sha256(note),
  ...more,
});

const onLedger = async <T>(work: (open: () => Promise<Engine>) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-sequencer-"));
  const engines: Engine[] = [];
  try {
    return await work(async () => {
      const opened = await openSqlite(join(folder, "ledger.db"), { mode: "write" });
      assert.ok(opened.kind === "open", JSON.stringify(opened));
      engines.push(opened.engine);
      return opened.engine;
    });
  } finally {
    for (const engine of engines) await engine.close();
    rmSync(folder, { force: true, recursive: true });
  }
};

/** The same engine, with every append counted and, where asked, its answer changed after it was done. */
const watched = (engine: Engine, change: (done: Appended, turn: number) => Appended = (done) => done) => {
  const lines: number[] = [];
  const append: Engine["append"] = async (commit, expect) => {
    lines.push(commit.lines.length);
    return change(await engine.append(commit, expect), lines.length);
  };
  return { engine: { ...engine, append }, lines };
};

const bodies = (answers: readonly Answer[]): readonly unknown[] =>
  answers.map((answer) => (answer.kind === "recorded" ? answer.record.body["before"] : answer.kind));

test("what arrives together is committed together, each decided on what the one before left", async () => {
  await onLedger(async (open) => {
    const { engine, lines } = watched(await open());
    const writer = await sequencer(engine, counting);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => writer.submit(asking(`n${at}`))));
    assert.deepEqual(
      bodies(answers),
      Array.from({ length: 300 }, (_, at) => at),
    );
    assert.deepEqual(lines, [256, 44]);
    assert.equal(writer.state(), 300);
    assert.equal((await assertChain(engine)).size, 300);
  });
});

test("mutations do not wait behind telemetry", async () => {
  await onLedger(async (open) => {
    const writer = await sequencer(await open(), counting);
    const order: string[] = [];
    const ask = (note: string, lane: Submission<Count>["lane"]) =>
      writer.submit(asking(note, { lane })).then(() => order.push(note));
    await Promise.all([ask("t1", "telemetry"), ask("t2", "telemetry"), ask("m1", "mutation")]);
    assert.deepEqual(order, ["m1", "t1", "t2"]);
  });
});

test("two writers on one ledger decide again when the other was first, and fork nothing", async () => {
  await onLedger(async (open) => {
    const [one, two] = [await sequencer(await open(), counting), await sequencer(await open(), counting)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two).submit(asking(`n${at}`))),
    );
    assert.deepEqual(
      answers
        .map((answer) => (answer.kind === "recorded" ? answer.record.body["before"] : -1))
        .sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 100 }, (_, at) => at),
    );
    assert.equal((await assertChain(await open())).size, 100);
  });
});

test("a sequencer starts from what the ledger holds", async () => {
  await onLedger(async (open) => {
    const first = await sequencer(await open(), counting);
    await first.submit(asking("a"));
    await first.close();
    const second = await sequencer(await open(), counting);
    assert.equal(second.state(), 1);
    assert.deepEqual(bodies([await second.submit(asking("b"))]), [1]);
  });
});

test("the same key and request give the stored answer, marked as replayed, in one batch and later", async () => {
  await onLedger(async (open) => {
    const writer = await sequencer(await open(), counting);
    const ask = asking("once");
    const [first, second] = await Promise.all([writer.submit(ask), writer.submit(ask)]);
    const third = await writer.submit(ask);
    assert.ok(first?.kind === "recorded" && second?.kind === "recorded" && third.kind === "recorded");
    assert.deepEqual([first.replayed, second.replayed, third.replayed], [false, true, true]);
    assert.deepEqual([second.record, third.record], [first.record, first.record]);
    assert.equal(writer.state(), 1);
  });
});

test("the same key with another request is told so, and writes nothing", async () => {
  await onLedger(async (open) => {
    const writer = await sequencer(await open(), counting);
    const ask = asking("once");
    await writer.submit(ask);
    assert.deepEqual(await writer.submit({ ...asking("other"), key: ask.key }), { kind: "key-reused", seq: 0 });
    assert.equal(writer.state(), 1);
  });
});

test("another caller's use of the same key is another key", async () => {
  await onLedger(async (open) => {
    const writer = await sequencer(await open(), counting);
    const ask = asking("once");
    await writer.submit(ask);
    assert.deepEqual(bodies([await writer.submit({ ...ask, caller: "somebody else" })]), [1]);
  });
});

test("a lost reply is resolved by reading: a commit that is there is answered, and not sent again", async () => {
  await onLedger(async (open) => {
    const { engine, lines } = watched(await open(), (done, turn) =>
      turn === 1 ? { because: "cut", kind: "unknown" } : done,
    );
    const writer = await sequencer(engine, counting);
    assert.deepEqual(bodies([await writer.submit(asking("a"))]), [0]);
    assert.deepEqual(lines, [1]);
    assert.deepEqual(bodies([await writer.submit(asking("b"))]), [1]);
    assert.equal((await assertChain(engine)).size, 2);
  });
});

test("a lost commit is unknown to its caller, and the same key may be asked again", async () => {
  await onLedger(async (open) => {
    const real = await open();
    let turn = 0;
    const append: Engine["append"] = async (commit, expect) => {
      turn += 1;
      return turn === 1 ? { because: "cut", kind: "unknown" } : real.append(commit, expect);
    };
    const writer = await sequencer({ ...real, append }, counting);
    const ask = asking("a");
    assert.equal((await writer.submit(ask)).kind, "unknown");
    assert.deepEqual(bodies([await writer.submit(ask)]), [0]);
    assert.equal((await assertChain(real)).size, 1);
  });
});

test("process times never go back, whatever the clock does", async () => {
  await onLedger(async (open) => {
    const engine = await open();
    const ahead: Decider<Count, number> = {
      ...counting,
      decide: (before, command, floor) => {
        const draft = counting.decide(before, command, floor);
        return before === 0 ? { ...draft, processTime: "2999-01-01T00:00:00.000Z" as Draft["processTime"] } : draft;
      },
    };
    const writer = await sequencer(engine, ahead);
    await writer.submit(asking("ahead"));
    const answer = await writer.submit(asking("after"));
    assert.ok(answer.kind === "recorded");
    assert.equal(answer.record.processTime, "2999-01-01T00:00:00.000Z");
  });
});

test("a full queue refuses, and one that is just not full does not", async () => {
  const kinds = async (count: number): Promise<readonly string[]> =>
    onLedger(async (open) => {
      const writer = await sequencer(await open(), counting, 4);
      const answers = await Promise.all(Array.from({ length: count }, (_, at) => writer.submit(asking(`n${at}`))));
      return answers.map(({ kind }) => kind);
    });
  assert.deepEqual(await kinds(4), Array(4).fill("recorded"));
  assert.deepEqual(await kinds(5), [...Array(4).fill("recorded"), "overloaded"]);
});

test("a closed sequencer answers what it took and takes nothing more", async () => {
  await onLedger(async (open) => {
    const writer = await sequencer(await open(), counting);
    const taken = writer.submit(asking("taken"));
    await writer.close();
    assert.equal((await taken).kind, "recorded");
    assert.equal((await writer.submit(asking("late"))).kind, "read-only");
  });
});
