// When something was or will be, as seen from now, in the largest unit that fits: 40 s, 12 min, 3 h, 2 d; the instant stands
// beside it, because what is printed is read later too.

import type { Instant } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { Look } from "./look.ts";

const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

const lengthText = (seconds: number): string => {
  const unit = UNITS.find((one) => seconds >= one.seconds);
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
};

export const ageText = (seconds: number): string => (seconds < 1 ? "just now" : `${lengthText(seconds)} ago`);

/** `2026-11-17 14:03:02Z`: to the second; JSON has the whole of it. */
export const instantText = (instant: Instant): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)}Z`;

type Now = Pick<Look, "now">;

/** `3 min ago`, or `in 57 min` */
export const fromNowText = (instant: Instant, { now }: Now): string => {
  const seconds = Math.trunc((msOf(instant) - msOf(now)) / 1_000);
  return seconds > 0 ? `in ${lengthText(seconds)}` : ageText(-seconds);
};

/** `3 min ago (2026-11-17 14:03:02Z)` */
export const whenText = (instant: Instant, look: Now): string =>
  `${fromNowText(instant, look)} (${instantText(instant)})`;

/** `expires in 57 min (…)`, or `expired 3 min ago (…)` */
export const expiryText = (instant: Instant, look: Now): string =>
  `${instant > look.now ? "expires" : "expired"} ${whenText(instant, look)}`;
