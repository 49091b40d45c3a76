// Instants as seconds, and the place's clock as its answers show it. No clock is read here.

import type { Instant } from "../../spine/model.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HTTP_DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Days since 1970 of a Gregorian date; years begin in March, so that leap days come last. */
const daysOf = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
};

const DAY = 86_400;
const secondsOf = (days: number, hours: string, minutes: string, seconds: string): number =>
  days * DAY + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);

export const secondsOfInstant = (instant: Instant): number =>
  secondsOf(
    daysOf(Number(instant.slice(0, 4)), Number(instant.slice(5, 7)), Number(instant.slice(8, 10))),
    instant.slice(11, 13),
    instant.slice(14, 16),
    instant.slice(17, 23),
  );

/** Of the Date header of an answer; undefined when there is none that can be read. */
export const secondsOfDate = (header: string | undefined): number | undefined => {
  const [, day, month = "", year, hours = "", minutes = "", seconds = ""] = HTTP_DATE.exec(header ?? "") ?? [];
  const at = MONTHS.indexOf(month) + 1;
  if (at === 0) return undefined;
  return secondsOf(daysOf(Number(year), at, Number(day)), hours, minutes, seconds);
};
