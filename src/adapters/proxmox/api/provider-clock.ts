// The provider's clock, as its answers show it, in seconds; and our own instants in the same. No clock is read here.

import { parseInstant } from "../../../formats/fields.ts";
import type { Instant } from "../../../spine/model.ts";
import { msOf } from "../../../spine/values/instant.ts";

export const secondsOfInstant = (instant: Instant): number => msOf(instant) / 1_000;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HTTP_DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;

/** Of the Date header of an answer; undefined when there is none that can be read. */
export const secondsOfDate = (header: string | undefined): number | undefined => {
  const [, day, name = "", year, time] = HTTP_DATE.exec(header ?? "") ?? [];
  // What is no month becomes one that no calendar has.
  const month = MONTHS.indexOf(name) + 1;
  const instant = parseInstant(`${year}-${String(month).padStart(2, "0")}-${day}T${time}.000Z`);
  return instant === undefined ? undefined : secondsOfInstant(instant);
};
