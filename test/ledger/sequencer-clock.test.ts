// Clocks that jump: the order of the ledger is that of the chain, and its times never run against it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import type { Draft, LedgerRecord } from "../../src/ledger/record/record.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { LedgerDecider } from "../../src/ledger/write/submission.ts";
import { asking, bodies, type Count, counting, onLedger } from "./counting.ts";
import { assertChain, gathered, nextUlid } from "./lines.ts";

/** A clock that says what it is told, in seconds after some midnight. */
const scripted = (script: readonly number[]) => {
  let turn = -1;
  const ms = (): number => Date.UTC(2026, 10, 15) + (script[turn % script.length] ?? 0) * 1_000;
  const stamp = (): Draft["processTime"] => new Date(ms()).toISOString() as Draft["processTime"];
  return { ms, stamp, tick: () => ++turn };
};

/** Stamps what its own clock says, or the floor where the clock is behind it. */
const stampedBy = (clock: ReturnType<typeof scripted>): LedgerDecider<Count, number> => {
  const next = ulids(clock.ms);
  return {
    ...counting,
    decide: (before, command, floor) => {
      clock.tick();
      const at = clock.stamp();
      const processTime = floor !== undefined && floor > at ? floor : at;
      const { draft } = counting.decide(before, command, floor);
      return { draft: { ...draft, auditId: next(), eventTime: at, processTime } };
    },
  };
};

test("clock jumps change no order: seq and prev go on, process times never go back, ids of a process ascend", async () => {
  await onLedger(async (open) => {
    const engine = await open();
    // One clock leaps ahead and falls back by hours; the other is a day behind all along.
    const clocks = [scripted([10, 20, 9_000, 15, 3, 16, 9_001, 0]), scripted([-86_400, -86_399, -90_000])];
    const writers = await Promise.all(clocks.map(async (clock) => openSequencer(await open(), stampedBy(clock))));
    for (let round = 0; round < 24; round += 1) {
      const writer = writers[round % 3 === 2 ? 1 : 0];
      assert.equal((await writer?.submit(asking(`n${round}`, { caller: `w${round % 3 === 2}` })))?.kind, "recorded");
    }
    assert.equal((await assertChain(engine)).size, 24);
    const records: LedgerRecord[] = [];
    for (const line of await gathered(engine.read(0, 24))) {
      const read = readRecord(line);
      assert.ok(read.kind === "record");
      records.push(read.record);
    }
    const times = records.map(({ processTime }) => processTime);
    assert.deepEqual(times, times.toSorted(), "process times never go back");
    assert.ok(
      records.some(({ eventTime }, at) => eventTime < (records[at - 1]?.eventTime ?? eventTime)),
      "INVALID: no clock ever stepped back",
    );
    for (const caller of ["wtrue", "wfalse"]) {
      const ids = records.filter(({ actor }) => actor.id === caller).map(({ auditId }) => auditId);
      assert.ok(ids.length > 7 && new Set(ids).size === ids.length);
      assert.deepEqual(ids, ids.toSorted(), "ids of one process ascend");
    }
  });
});

test("a decision that would be stamped before the floor, or that hides who asked under which key, is not written", async () => {
  await onLedger(async (open) => {
    const engine = await open();
    const first = await openSequencer(engine, counting);
    assert.deepEqual(bodies([await first.submit(asking("a"))]), [0]);
    const broken: readonly ((draft: Draft) => Draft)[] = [
      (draft) => ({ ...draft, processTime: "2020-01-01T00:00:00.000Z" as Draft["processTime"] }),
      (draft) => ({ ...draft, idempotencyKey: nextUlid() }),
      (draft) => ({ ...draft, actor: { ...draft.actor, id: "somebody else" } }),
    ];
    for (const change of [...broken, (draft: Draft) => draft]) {
      const decide: typeof counting.decide = (...given) => ({ draft: change(counting.decide(...given).draft) });
      const writer = await openSequencer(engine, { ...counting, decide });
      const { kind } = await writer.submit(asking("b"));
      assert.equal(kind, broken.includes(change) ? "read-only" : "recorded");
    }
    assert.equal((await assertChain(engine)).size, 2);
  });
});
