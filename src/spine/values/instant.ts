// Arithmetic on instants, by the calendar alone: no clock, no time zone, no leap second. keeps N6
//
// An instant is written with milliseconds in UTC, so two of them compare as texts. Not here: reading a clock
// (clock.ts), reading an instant that somebody wrote (formats/fields.ts).

import type { Instant } from "../model.ts";

const DAY_MS = 86_400_000;
const DAYS_PER_ERA = 146_097; // 400 years
const EPOCH_DAY = 719_468; // 1970-01-01 counted from 0000-03-01, where leap days end a year

const dayOf = (year: number, month: number, day: number): number => {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_DAY;
};

const dateOf = (days: number): string => {
  const shifted = days + EPOCH_DAY;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${TWO[month]}-${TWO[day]}`;
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** Two and three digits, as tables with what follows them: instants are written for nearly every decision. */
const twoAnd = (next: string): readonly string[] => Array.from({ length: 100 }, (_, value) => padded(value, 2) + next);
const TWO = twoAnd("");
const TWO_COLON = twoAnd(":");
const TWO_POINT = twoAnd(".");
const THREE_ZULU: readonly string[] = Array.from({ length: 1_000 }, (_, value) => `${padded(value, 3)}Z`);

const ZERO = "0".charCodeAt(0);

/** The number that these digits of a text write. */
const digitsAt = (text: string, from: number, to: number): number => {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + (text.charCodeAt(at) - ZERO);
  return value;
};

/** Milliseconds since the day began. */
const timeOfDay = (instant: Instant): number =>
  (digitsAt(instant, 11, 13) * 60 + digitsAt(instant, 14, 16)) * 60_000 +
  digitsAt(instant, 17, 19) * 1_000 +
  digitsAt(instant, 20, 23);

/** Milliseconds since 1970. */
export const msOf = (instant: Instant): number =>
  dayOf(digitsAt(instant, 0, 4), digitsAt(instant, 5, 7), digitsAt(instant, 8, 10)) * DAY_MS + timeOfDay(instant);

/** `date` ends with its T; `ms` are since that day began. Short texts first: a long one is put together later again. */
const written = (date: string, ms: number): Instant => {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const time = `${TWO_COLON[hours]}${TWO_COLON[minutes]}${TWO_POINT[Math.floor(ms / 1_000) % 60]}`;
  return `${date}${time}${THREE_ZULU[ms % 1_000]}` as Instant;
};

export const instantOf = (ms: number): Instant => {
  const days = Math.floor(ms / DAY_MS);
  return written(`${dateOf(days)}T`, ms - days * DAY_MS);
};

/** Nearly always within the same day, which then need not be worked out. */
export const later = (instant: Instant, ms: number): Instant => {
  const time = timeOfDay(instant) + ms;
  return time >= 0 && time < DAY_MS
    ? written(instant.slice(0, "2026-11-15T".length), time)
    : instantOf(msOf(instant) + ms);
};
export const latest = (one: Instant, other: Instant | undefined): Instant =>
  other === undefined || one > other ? one : other;
