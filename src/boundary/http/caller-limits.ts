// How much one caller may ask: so many requests a second with a burst, so many at a time, so many streams. Judged
// before the service is asked anything, so that nobody takes it away from the others.
//
// A caller is a token that proved somebody, or without one an address. A token that proved nobody counts against the
// address that it came from, and while that has used up what it may ask, no token that is new here is tried: whoever
// invents one for every request is limited as whoever shows none. What is remembered of a caller is forgotten once it
// is back at rest. Not here: what a caller may ask for, which is the kernel's.

import type { RefusedAnswer } from "../../service/answer.ts";
import { limited } from "./door-refusal.ts";

export type CallerLimits = {
  readonly burst: number;
  readonly concurrent: number;
  readonly perSecond: number;
  readonly streams: number;
};

/** Of whoever shows a token that proves them, and of an address without one. */
export type KnownAndUnknown = { readonly known: CallerLimits; readonly unknown: CallerLimits };

export const CALLER_LIMITS: KnownAndUnknown = {
  known: { burst: 4_000, concurrent: 128, perSecond: 2_000, streams: 8 },
  unknown: { burst: 100, concurrent: 32, perSecond: 20, streams: 0 },
};

type Use = { atMs: number; isProven: boolean; left: number; open: number; streams: number };
type Kind = "request" | "stream";
/** Whom what was shown proved, as far as it came to that. */
export type CredentialProof = "nobody" | "somebody" | "untold";
type Leave = (proof: CredentialProof) => void;
/** Whoever is let in leaves again, whatever comes of it. */
export type Admission = { readonly leave: Leave } | RefusedAnswer;
export type CallerGate = {
  readonly enter: (caller: string, limits: CallerLimits, kind?: Kind) => Admission;
  /** With a token, whose proof comes after; from an address, which answers for one that proves nobody. */
  readonly enterWith: (token: string, address: string, limits: KnownAndUnknown, kind?: Kind) => Admission;
  /** For one who is proven and answered at once, and so is out again; nothing is counted of one who may not. */
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
  const useOf = (caller: string, limits: CallerLimits): Use => {
    const nowMs = monotonicMs();
    if (uses.size >= CALLERS_MAX) forget(limits, nowMs);
    const use = uses.get(caller) ?? { atMs: nowMs, isProven: false, left: limits.burst, open: 0, streams: 0 };
    uses.set(caller, use);
    refill(use, limits, nowMs);
    return use;
  };
  const enter: CallerGate["enter"] = (caller, limits, kind = "request") => {
    const use = useOf(caller, limits);
    const spent = spentRefusal(use, limits);
    if (spent !== undefined) return spent;
    use.left -= 1;
    if (kind === "stream") return enterStream(use, limits);
    if (use.open >= limits.concurrent)
      return limited({ cause: "concurrent", facts: { limit: limits.concurrent, seconds: 1 } });
    use.open += 1;
    return leaving(() => {
      use.open -= 1;
    });
  };
  const enterWith: CallerGate["enterWith"] = (token, address, { known, unknown }, kind) => {
    const isProven = uses.get(token)?.isProven === true;
    const spent = isProven ? undefined : spentRefusal(useOf(address, unknown), unknown);
    if (spent !== undefined) return spent;
    const admission = enter(token, known, kind);
    if ("refusals" in admission) return admission;
    return leaving((proof) => {
      admission.leave(proof);
      const use = uses.get(token);
      if (use !== undefined && proof !== "untold") use.isProven = proof === "somebody";
      if (use?.isProven === true) return;
      charge(useOf(address, unknown), unknown);
      if (use?.open === 0 && use.streams === 0) uses.delete(token);
    });
  };
  const pass: CallerGate["pass"] = (caller, limits) => {
    const use = useOf(caller, limits);
    if (use.left < 1 || use.open >= limits.concurrent) return false;
    use.left -= 1;
    return true;
  };
  return { enter, enterWith, pass };
};

/** Many may be under way before the first of them is found to be nobody's: what they owe is bounded. */
const charge = (use: Use, { burst }: CallerLimits): void => {
  use.left = Math.max(-burst, use.left - 1);
};

const spentRefusal = ({ left }: Use, { perSecond }: CallerLimits): RefusedAnswer | undefined => {
  if (left >= 1) return undefined;
  const seconds = Math.max(1, Math.ceil((1 - left) / perSecond));
  return limited({ cause: "rate", facts: { limit: perSecond, seconds } });
};

const enterStream = (use: Use, { streams: limit }: CallerLimits): Admission => {
  if (use.streams >= limit) return limited({ cause: "streams", facts: { limit } });
  use.streams += 1;
  return leaving(() => {
    use.streams -= 1;
  });
};

const leaving = (release: Leave): { readonly leave: Leave } => {
  let isIn = true;
  return {
    leave: (proof) => {
      if (isIn) release(proof);
      isIn = false;
    },
  };
};
