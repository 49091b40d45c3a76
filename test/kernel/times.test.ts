// Instants in blocks are held against a plain list of them, which is copied whole for each.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  lastTime,
  NO_TIMES,
  type Times,
  timesFrom,
  timesIn,
  withTime,
  youngest,
} from "../../src/kernel/state/times.ts";
import type { Instant } from "../../src/spine/model.ts";
import { instantOf, later } from "../../src/spine/values/instant.ts";

const FROM = instantOf(Date.UTC(2026, 10, 15, 10));

test("those that are added and left out one after another are those of a list", () => {
  const step = fc.record({
    forMs: fc.integer({ max: 90, min: 0 }),
    max: fc.integer({ max: 100, min: 1 }),
    ms: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let list: readonly Instant[] = [];
      let times = NO_TIMES;
      let now = FROM;
      for (const { forMs, max, ms } of steps) {
        now = later(now, ms);
        const since = later(now, -forMs);
        list = [...list.filter((one) => one > since).slice(-max), now];
        times = withTime(youngest(times, since, max), now);
        assert.deepEqual(timesIn(times), list);
        assert.equal(lastTime(times), now);
      }
      assert.deepEqual(timesIn(timesFrom(list)), list);
    }),
  );
});

test("what is added or left out is not in the value that was there before", () => {
  const before = timesFrom(Array.from({ length: 40 }, (_, ms) => later(FROM, ms)));
  const was = timesIn(before);
  const [one, other] = [withTime(before, later(FROM, 50)), withTime(before, later(FROM, 60))];
  const last = (times: Times): readonly unknown[] => [timesIn(times).length, lastTime(times)];
  assert.deepEqual([one, other].map(last), [
    [41, later(FROM, 50)],
    [41, later(FROM, 60)],
  ]);
  assert.deepEqual(timesIn(youngest(before, later(FROM, 34), 100)), was.slice(35));
  assert.deepEqual(timesIn(youngest(before, later(FROM, 39), 100)), []);
  assert.deepEqual(timesIn(before), was);
});
