// When something was or will be, as seen from now, in the largest unit that fits: 40 s, 12 min, 3 h, 2 d; the instant
// stands beside it, because what is printed is read later too.

import { isInstant } from "../../ledger/record/envelope.ts";
import type { Facts, Instant } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { Cell } from "./table.ts";
import type { TextStyle } from "./text-style.ts";

const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
] as const;

const lengthText = (seconds: number, whole: (units: number) => number): string => {
  const unit = UNITS.find((one) => seconds >= one.seconds);
  return unit === undefined ? `${seconds} s` : `${whole(seconds / unit.seconds)} ${unit.name}`;
};

export const ageText = (seconds: number): string =>
  seconds < 1 ? "just now" : `${lengthText(seconds, Math.floor)} ago`;

/** `2026-11-17 14:03:02Z`: to the second; JSON has the whole of it. */
export const instantText = (instant: Instant): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)}Z`;

type Now = Pick<TextStyle, "now">;

/** `3 min ago`, or `in 57 min`; what was begun for an hour ends in 60 min a moment later. */
export const fromNowText = (instant: Instant, { now }: Now): string => {
  const seconds = Math.trunc((msOf(instant) - msOf(now)) / 1_000);
  return seconds > 0 ? `in ${lengthText(seconds, Math.round)}` : ageText(-seconds);
};

/** `3 min ago (2026-11-17 14:03:02Z)` */
export const whenText = (instant: Instant, style: Now): string =>
  `${fromNowText(instant, style)} (${instantText(instant)})`;

/** In a table: without the instant where there is no room for it. */
export const whenCell = (instant: Instant, style: Now): Cell => ({
  short: fromNowText(instant, style),
  whole: whenText(instant, style),
});

/** `expires in 57 min (…)`, or `expired 3 min ago (…)` */
export const expiryText = (instant: Instant, style: Now): string =>
  `${instant > style.now ? "expires" : "expired"} ${whenText(instant, style)}`;

/** In a sentence: `2026-11-17 14:03:02Z (3 min ago)` */
export const atText = (instant: Instant, style: Now): string =>
  `${instantText(instant)} (${fromNowText(instant, style)})`;

/** The facts that are instants, by their name: a VM whose name looks like one is no instant. */
const INSTANT_FACTS: ReadonlySet<string> = new Set([
  "at",
  "end",
  "expiresAt",
  "processTime",
  "providerTime",
  "sendBy",
  "settleBy",
]);

/** Facts for a sentence that a person reads now. */
export const timedFacts = (facts: Facts, style: Now): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      INSTANT_FACTS.has(name) && isInstant(fact) ? atText(fact, style) : fact,
    ]),
  );
