// When a window of a policy is open: in UTC, by the calendar alone. No clock is read: the instant comes with the
// question. keeps N6
//
// A span holds its first instant and not its last, and a day ends at 24:00, so that spans can meet at midnight.

import type { Instant } from "../model.ts";
import { instantOf, msOf } from "../values/instant.ts";
import { type PolicyWindow, WEEKDAYS } from "./policy.ts";

export const HOURS_PATTERN = "^(?:[01][0-9]|2[0-3]):[0-5][0-9]-(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = WEEKDAYS.length;
/** 1970-01-01 was a Thursday. */
const FIRST_DAY = WEEKDAYS.indexOf("thu");
const WHOLE_DAY = "00:00-24:00";

export type HourSpan = { readonly from: number; readonly until: number }; // milliseconds of the day

/** Of a text of that pattern. */
export const hourSpanOf = (text: string): HourSpan => {
  const timeAt = (at: number): number =>
    (Number(text.slice(at, at + 2)) * 60 + Number(text.slice(at + "08:".length, at + "08:00".length))) * MINUTE_MS;
  return { from: timeAt(0), until: timeAt("08:00-".length) };
};

/** What a window leaves out, filled in. */
export const windowDays = ({ days = WEEKDAYS }: PolicyWindow): readonly string[] => days;
export const windowHours = ({ hours = [WHOLE_DAY] }: PolicyWindow): readonly string[] => hours;

/** In milliseconds since 1970, in order; those that end after `ms`, of the week that follows and a day. */
function* spansAfter(window: PolicyWindow, ms: number): Generator<HourSpan> {
  const [days, spans] = [windowDays(window), windowHours(window).map(hourSpanOf)];
  const today = Math.floor(ms / DAY_MS);
  for (let day = today; day <= today + DAYS_OF_WEEK; day += 1) {
    if (!days.includes(WEEKDAYS[(day + FIRST_DAY) % DAYS_OF_WEEK] ?? "")) continue;
    for (const { from, until } of spans) {
      const span = { from: day * DAY_MS + from, until: day * DAY_MS + until };
      if (ms < span.until) yield span;
    }
  }
}

/** The first instant from this one on at which it is open: this very one where it is. */
export const opensAt = (window: PolicyWindow, at: Instant): Instant => {
  const ms = msOf(at);
  for (const { from } of spansAfter(window, ms)) return from <= ms ? at : instantOf(from);
  throw new RangeError("a window has a day and a span");
};

/** Until when it stays open from this instant on; undefined where that is for longer than a week. */
export const closesAt = (window: PolicyWindow, at: Instant): Instant | undefined => {
  const ms = msOf(at);
  let end = ms;
  for (const { from, until } of spansAfter(window, ms)) {
    if (from > end) return instantOf(end);
    end = until;
  }
  return end - ms > DAYS_OF_WEEK * DAY_MS ? undefined : instantOf(end);
};
