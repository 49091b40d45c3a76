// The only reader of clocks.

import type { Instant } from "./spine/model.ts";

/** Wall-clock time in UTC with milliseconds. It decides nothing about order. */
export const now = (): Instant => new Date().toISOString() as Instant;

/** Milliseconds of the same clock. */
export const nowMs = (): number => Date.now();

/**
 * Milliseconds that never step back, also while the process is paused. By the clock of the process itself: for
 * `performance` Node loads everything that measures.
 */
export const monotonicMs = (): number => {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1_000 + nanos / 1_000_000;
};
