// Windows of a policy: when they open and close, at the edges of hours, days and weeks, and held against the platform's
// own calendar.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Instant } from "../../src/spine/model.ts";
import { type PolicyWindow, WEEKDAYS } from "../../src/spine/plan/policy.ts";
import { closesAt, opensAt } from "../../src/spine/plan/policy-window.ts";
import { instantOf } from "../../src/spine/values/instant.ts";

const at = (text: string): Instant => text as Instant;
const OFFICE: PolicyWindow = { days: ["mon", "tue", "wed", "thu", "fri"], hours: ["08:00-18:00"] };

test("a window is open from its first instant to before its last, and says when it opens again", () => {
  // 2026-11-16 is a Monday.
  assert.equal(opensAt(OFFICE, at("2026-11-16T07:59:59.999Z")), "2026-11-16T08:00:00.000Z");
  assert.equal(opensAt(OFFICE, at("2026-11-16T08:00:00.000Z")), "2026-11-16T08:00:00.000Z");
  assert.equal(opensAt(OFFICE, at("2026-11-16T17:59:59.999Z")), "2026-11-16T17:59:59.999Z");
  assert.equal(opensAt(OFFICE, at("2026-11-16T18:00:00.000Z")), "2026-11-17T08:00:00.000Z");
  assert.equal(opensAt(OFFICE, at("2026-11-20T18:00:00.000Z")), "2026-11-23T08:00:00.000Z");
  assert.equal(opensAt(OFFICE, at("2026-11-15T00:00:00.000Z")), "2026-11-16T08:00:00.000Z");
  assert.equal(closesAt(OFFICE, at("2026-11-16T08:00:00.000Z")), "2026-11-16T18:00:00.000Z");
});

test("a week later, a new year and a leap day are days like any other", () => {
  const mondays: PolicyWindow = { days: ["mon"] };
  assert.equal(opensAt(mondays, at("2026-11-17T00:00:00.000Z")), "2026-11-23T00:00:00.000Z");
  assert.equal(closesAt(mondays, at("2026-11-16T12:00:00.000Z")), "2026-11-17T00:00:00.000Z");
  assert.equal(opensAt({ days: ["fri"] }, at("2026-12-31T23:59:59.999Z")), "2027-01-01T00:00:00.000Z");
  assert.equal(opensAt({ days: ["tue"] }, at("2028-02-28T23:00:00.000Z")), "2028-02-29T00:00:00.000Z");
});

test("spans that meet at midnight are one, and a window that never closes has no end", () => {
  const night: PolicyWindow = { hours: ["00:00-06:00", "22:00-24:00"] };
  assert.equal(closesAt(night, at("2026-11-16T23:00:00.000Z")), "2026-11-17T06:00:00.000Z");
  assert.equal(opensAt(night, at("2026-11-16T06:00:00.000Z")), "2026-11-16T22:00:00.000Z");
  assert.equal(closesAt({ hours: ["00:00-24:00"] }, at("2026-11-16T23:00:00.000Z")), undefined);
  assert.equal(closesAt({ days: [...WEEKDAYS] }, at("2026-11-16T00:00:00.000Z")), undefined);
  const allButSunday: PolicyWindow = { days: WEEKDAYS.slice(0, 6) };
  assert.equal(closesAt(allButSunday, at("2026-11-16T00:00:00.000Z")), "2026-11-22T00:00:00.000Z");
});

const MINUTE_MS = 60_000;
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const window: fc.Arbitrary<PolicyWindow> = fc.record(
  {
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    hours: fc
      .uniqueArray(fc.integer({ max: 1_440, min: 0 }), { maxLength: 6, minLength: 2 })
      .map((times) => times.sort((a, b) => a - b))
      .map((times) => times.slice(0, times.length - (times.length % 2)))
      .map((times) =>
        times.flatMap((from, no) => (no % 2 === 0 ? [`${clock(from)}-${clock(times[no + 1] ?? 0)}`] : [])),
      ),
  },
  { requiredKeys: [] },
);
/** By the platform's own calendar. */
const isOpen = ({ days = WEEKDAYS, hours = ["00:00-24:00"] }: PolicyWindow, ms: number): boolean => {
  const date = new Date(ms);
  const time = `${date.toISOString().slice(11, 16)}`;
  const day = WEEKDAYS[(date.getUTCDay() + 6) % 7] ?? "mon";
  return days.includes(day) && hours.some((span) => span.slice(0, 5) <= time && time < span.slice(6));
};

test("at every minute a window is open or closed as the calendar says, and opens and closes when that changes", () => {
  fc.assert(
    fc.property(window, fc.integer({ max: 40_000_000, min: 25_000_000 }), (given, minute) => {
      const ms = minute * MINUTE_MS;
      const opens = opensAt(given, instantOf(ms));
      assert.equal(opens === instantOf(ms), isOpen(given, ms));
      assert.ok(isOpen(given, Date.parse(opens)));
      if (opens !== instantOf(ms)) assert.ok(!isOpen(given, Date.parse(opens) - 1));
      const closes = closesAt(given, opens);
      if (closes === undefined) return;
      assert.ok(isOpen(given, Date.parse(closes) - 1));
      assert.ok(!isOpen(given, Date.parse(closes)));
    }),
    { numRuns: 500 },
  );
});
