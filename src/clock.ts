// The only reader of clocks.

import type { Instant } from "./spine/model.ts";

/** Wall-clock time in UTC with milliseconds. It decides nothing about order. */
export const now = (): Instant => new Date().toISOString() as Instant;

/** Milliseconds of the same clock. */
export const nowMs = (): number => Date.now();

/** Milliseconds that never step back, also while the process is paused. */
export const monotonicMs = (): number => performance.now();
