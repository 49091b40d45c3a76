// Lanes: bounds of their own, the order inside a batch, and that nobody who waits starves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMIT_BYTES_MAX, COMMIT_LINES_MAX } from "../../src/ledger/engine.ts";
import { LANE_BOUNDS, type LaneBounds, lanesWith } from "../../src/ledger/write/lanes.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { Lane } from "../../src/ledger/write/submission.ts";
import { asking, bodies, counting, onLedger } from "./counting.ts";

const LANES = Object.keys(LANE_BOUNDS) as readonly Lane[];
const small = (max: number, callerMax = max): Readonly<Record<Lane, LaneBounds>> => {
  const row = { callerMax, max, share: 1 };
  return { brake: row, mutation: row, outcome: row, telemetry: row };
};

const queued = (bounds = LANE_BOUNDS) => {
  const lanes = lanesWith<unknown>(bounds);
  return {
    add: (note: string, lane: Lane, caller = "tester") =>
      lanes.add({ answer: () => undefined, submission: asking(note, { caller, lane }) }),
    lanes,
  };
};
const laneOf = (one: { readonly submission: { readonly lane: Lane } }): Lane => one.submission.lane;

for (const full of LANES) {
  test(`a full lane of ${full} refuses what goes into it, and nothing else`, () => {
    const { add } = queued(small(2));
    assert.deepEqual([add("a", full), add("b", full), add("c", full)], [true, true, false]);
    for (const other of LANES) if (other !== full) assert.ok(add("one", other), `${other} is not full`);
  });
}

test("one caller does not keep the others from the brake", () => {
  const { add } = queued(small(3, 2));
  assert.deepEqual([add("a", "brake"), add("b", "brake"), add("c", "brake")], [true, true, false]);
  assert.ok(add("d", "brake", "somebody else"));
  assert.equal(add("e", "brake", "somebody else"), false, "the lane itself has its bound");
});

test("the bounds are those that were measured for: few brakes of one caller, room for everything in flight", () => {
  assert.deepEqual(LANE_BOUNDS, {
    brake: { callerMax: 64, max: 1_024, share: 64 },
    mutation: { callerMax: 8_192, max: 8_192, share: 64 },
    outcome: { callerMax: 8_192, max: 8_192, share: 64 },
    telemetry: { callerMax: 8_192, max: 8_192, share: 16 },
  });
});

test("one caller's place is free again once it was taken, and nobody is left after everybody was drained", () => {
  const { add, lanes } = queued(small(3, 1));
  for (const lane of ["telemetry", "brake"] as const) assert.deepEqual([add("a", lane), add("b", lane)], [true, false]);
  assert.equal(lanes.take().length, 2);
  for (const lane of ["telemetry", "brake"] as const) assert.ok(add("c", lane));
  assert.deepEqual(lanes.drain().map(laneOf), ["brake", "telemetry"]);
  assert.deepEqual([lanes.take(), lanes.drain()], [[], []]);
});

test("a batch is in the order of the lanes, and of arrival inside each", () => {
  const { add, lanes } = queued();
  for (const lane of ["telemetry", "mutation", "outcome", "brake"] as const) {
    add("first", lane);
    add("second", lane);
  }
  assert.deepEqual(
    lanes.take().map(({ submission }) => submission.lane),
    ["brake", "brake", "outcome", "outcome", "mutation", "mutation", "telemetry", "telemetry"],
  );
});

test("however much waits before it, each lane has its share of a batch", () => {
  const { add, lanes } = queued();
  for (const lane of LANES) {
    for (let at = 0; at < LANE_BOUNDS[lane].max; at += 1) add(`${at}`, lane, `caller ${at}`);
  }
  const taken = lanes.take().map(laneOf);
  assert.equal(taken.length, COMMIT_LINES_MAX);
  const has = Object.fromEntries(LANES.map((lane) => [lane, taken.filter((one) => one === lane).length]));
  assert.deepEqual(has, { brake: COMMIT_LINES_MAX - 144, mutation: 64, outcome: 64, telemetry: 16 });
  assert.ok(
    LANES.reduce((sum, lane) => sum + LANE_BOUNDS[lane].share, 0) <= COMMIT_LINES_MAX - LANES.length,
    "the shares fit one batch",
  );
});

test("a lane that was passed over goes first in the next batch, and only then", () => {
  const { add, lanes } = queued();
  add("m1", "mutation");
  add("m2", "mutation");
  add("t1", "telemetry");
  const taken = lanes.take();
  // The bytes were used up by the first.
  lanes.putBack(taken.slice(1));
  assert.deepEqual(lanes.take().map(laneOf), ["telemetry", "mutation"]);
  lanes.putBack([]);
  add("t2", "telemetry");
  add("m3", "mutation");
  assert.deepEqual(lanes.take().map(laneOf), ["mutation", "telemetry"]);
});

test("of a lane that was passed over one goes first, and none of a lane that was not in the batch", () => {
  const { add, lanes } = queued();
  for (const note of ["m1", "m2"]) add(note, "mutation");
  for (const note of ["t1", "t2"]) add(note, "telemetry");
  lanes.putBack(lanes.take().slice(1));
  for (const lane of ["brake", "outcome"] as const) add("new", lane);
  assert.deepEqual(lanes.take().map(laneOf), ["telemetry", "brake", "outcome", "mutation", "telemetry"]);
});

test("a batch with one that goes first is no larger than any other", () => {
  const { add, lanes } = queued();
  add("t1", "telemetry");
  for (let at = 0; at < 2 * COMMIT_LINES_MAX; at += 1) add(`m${at}`, "mutation");
  lanes.putBack(lanes.take().slice(1));
  const taken = lanes.take();
  assert.deepEqual([taken.length, laneOf(taken[0] ?? assert.fail())], [COMMIT_LINES_MAX, "telemetry"]);
});

test("when another writer was first, nobody was passed over", () => {
  const { add, lanes } = queued();
  for (const note of ["m1", "m2"]) add(note, "mutation");
  add("t1", "telemetry");
  const taken = lanes.take();
  lanes.putBack(taken);
  assert.deepEqual(lanes.take(), taken);
  // The bytes were used up by the first, and then another writer was: who was passed over still goes first.
  lanes.putBack(taken.slice(1));
  lanes.putBack(lanes.take());
  assert.deepEqual(lanes.take().map(laneOf), ["telemetry", "mutation"]);
});

test("telemetry is written although changes never cease to use up the bytes of a commit", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting);
    const large = "x".repeat(60_000);
    const perCommit = Math.floor(COMMIT_BYTES_MAX / large.length);
    let isOver = false;
    const flooding = async (): Promise<void> => {
      while (!isOver) await writer.submit(asking(large));
    };
    const flood = Array.from({ length: perCommit * 4 }, flooding);
    const [answer] = await Promise.all([writer.submit(asking("pushed", { lane: "telemetry" }))]);
    isOver = true;
    await Promise.all(flood);
    assert.equal(answer?.kind, "recorded");
    const before = bodies(answer === undefined ? [] : [answer])[0];
    assert.ok(Number(before) <= perCommit * 2, `after ${String(before)} changes`);
  });
});

test("a full telemetry lane refuses no change, and a flood of changes no brake and no outcome", async () => {
  await onLedger(async (open) => {
    const writer = await openSequencer(await open(), counting, { bounds: small(4) });
    const flood = (lane: Lane) => Array.from({ length: 6 }, (_, at) => writer.submit(asking(`${at}`, { lane })));
    const answers = await Promise.all([
      ...flood("telemetry"),
      ...flood("mutation"),
      writer.submit(asking("stop", { lane: "brake" })),
      writer.submit(asking("ended", { lane: "outcome" })),
    ]);
    const kinds = answers.map(({ kind }) => kind);
    const filled = [...Array(4).fill("recorded"), "overloaded", "overloaded"];
    assert.deepEqual(kinds, [...filled, ...filled, "recorded", "recorded"]);
  });
});
