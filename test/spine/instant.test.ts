// Instants against the platform's own calendar.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Instant } from "../../src/spine/model.ts";
import { instantOf, later, latest, msOf } from "../../src/spine/values/instant.ts";

const YEAR_9999 = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

test("every millisecond of the common calendar is written and read as the platform does", () => {
  fc.assert(
    fc.property(fc.integer({ max: YEAR_9999, min: 0 }), (ms) => {
      const text = new Date(ms).toISOString();
      assert.equal(instantOf(ms), text);
      assert.equal(msOf(text as Instant), ms);
    }),
    { numRuns: 2_000 },
  );
});

test("leap days and ends of years are where they belong", () => {
  for (const text of ["2024-02-29T23:59:59.999Z", "2000-02-29T00:00:00.000Z", "2100-02-28T23:59:59.999Z"]) {
    const instant = text as Instant;
    assert.equal(later(instant, 1), new Date(Date.parse(text) + 1).toISOString());
    assert.equal(later(later(instant, 1), -1), instant);
    assert.equal(instantOf(Date.parse(text)), text);
  }
});

test("an hour, a minute and a second begin where they begin", () => {
  for (const ms of [3_600_000, 82_800_000, 60_000, 3_540_000, 1_000, 59_000, 999]) {
    assert.equal(instantOf(ms), new Date(ms).toISOString());
    assert.equal(instantOf(ms - 1), new Date(ms - 1).toISOString());
  }
});

test("the latest of two is the one that is later, or the only one", () => {
  const [a, b] = [instantOf(1), instantOf(2)];
  assert.equal(latest(a, b), b);
  assert.equal(latest(b, a), b);
  assert.equal(latest(a, undefined), a);
});
