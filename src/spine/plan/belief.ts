// What we hold of one VM after judging a look: present, missing or unknown. keeps N1
//
// Missing is absence proven by a complete look; a partial look gives unknown, never missing.

import type { Belief, Observation, VmState } from "../model.ts";

const MISSING = { kind: "missing" } as const satisfies Belief;

export const believe = (state: VmState | undefined, look: Pick<Observation, "complete" | "gaps">): Belief => {
  if (state === undefined) return look.complete ? MISSING : { because: notSeen(look.gaps), kind: "unknown" };
  if (state.status === "unknown") return { because: state.because ?? "the source does not know", kind: "unknown" };
  return { kind: "present", state };
};

/** A few gaps are enough to look for; the plan carries all of them once. */
const GAPS_SHOWN_MAX = 3;

const notSeen = (gaps: readonly string[]): string =>
  ["not seen, and the look was not complete", ...gaps.slice(0, GAPS_SHOWN_MAX)].join("; ");
