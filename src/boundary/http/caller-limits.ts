// How much one caller may ask: so many requests a second with a burst, so many at a time, so many streams. Judged
// before the service is asked anything, so that nobody takes it away from the others.
//
// A caller is a token, or without one an address. What is remembered of a caller is forgotten once it is back at
// rest. Not here: what a caller may ask for, which is the kernel's.

import type { RefusedAnswer } from "../../service/answer.ts";
import { limited } from "./door-refusal.ts";

export type CallerLimits = {
  readonly burst: number;
  readonly concurrent: number;
  readonly perSecond: number;
  readonly streams: number;
};

/** Of whoever shows a token, and of an address without one. */
export const CALLER_LIMITS: { readonly known: CallerLimits; readonly unknown: CallerLimits } = {
  known: { burst: 4_000, concurrent: 128, perSecond: 2_000, streams: 8 },
  unknown: { burst: 100, concurrent: 32, perSecond: 20, streams: 0 },
};

type Use = { atMs: number; left: number; open: number; streams: number };
export type Admission = { readonly leave: () => void } | RefusedAnswer;
export type CallerGate = {
  /** Whoever is let in leaves again, whatever comes of it. */
  readonly enter: (caller: string, limits: CallerLimits, kind?: "request" | "stream") => Admission;
  /** For one who is answered at once, and so is out again; nothing is counted of one who may not. */
  readonly pass: (caller: string, limits: CallerLimits) => boolean;
};

const CALLERS_MAX = 10_000;

export const callerGate = (monotonicMs: () => number): CallerGate => {
  const uses = new Map<string, Use>();
  const refill = (use: Use, { burst, perSecond }: CallerLimits, nowMs: number): void => {
    use.left = Math.min(burst, use.left + ((nowMs - use.atMs) / 1_000) * perSecond);
    use.atMs = nowMs;
  };
  /** Those at rest are as if they had never been here. */
  const forget = (limits: CallerLimits, nowMs: number): void => {
    for (const [name, use] of uses) {
      refill(use, limits, nowMs);
      if (use.open === 0 && use.streams === 0 && use.left >= limits.burst) uses.delete(name);
    }
  };
  const useOf = (caller: string, { burst }: CallerLimits, nowMs: number): Use => {
    const known = uses.get(caller);
    if (known !== undefined) return known;
    const first = { atMs: nowMs, left: burst, open: 0, streams: 0 };
    uses.set(caller, first);
    return first;
  };
  const useNow = (caller: string, limits: CallerLimits): Use => {
    const nowMs = monotonicMs();
    if (uses.size >= CALLERS_MAX) forget(limits, nowMs);
    const use = useOf(caller, limits, nowMs);
    refill(use, limits, nowMs);
    return use;
  };
  const enter: CallerGate["enter"] = (caller, limits, kind = "request") => {
    const use = useNow(caller, limits);
    if (use.left < 1) {
      const seconds = Math.max(1, Math.ceil((1 - use.left) / limits.perSecond));
      return limited({ cause: "rate", facts: { limit: limits.perSecond, seconds } });
    }
    use.left -= 1;
    if (kind === "stream") return enterStream(use, limits);
    if (use.open >= limits.concurrent)
      return limited({ cause: "concurrent", facts: { limit: limits.concurrent, seconds: 1 } });
    use.open += 1;
    return leaving(() => {
      use.open -= 1;
    });
  };
  const pass: CallerGate["pass"] = (caller, limits) => {
    const use = useNow(caller, limits);
    if (use.left < 1 || use.open >= limits.concurrent) return false;
    use.left -= 1;
    return true;
  };
  return { enter, pass };
};

const enterStream = (use: Use, { streams: limit }: CallerLimits): Admission => {
  if (use.streams >= limit) return limited({ cause: "streams", facts: { limit } });
  use.streams += 1;
  return leaving(() => {
    use.streams -= 1;
  });
};

const leaving = (release: () => void): { readonly leave: () => void } => {
  let isIn = true;
  return {
    leave: () => {
      if (isIn) release();
      isIn = false;
    },
  };
};
