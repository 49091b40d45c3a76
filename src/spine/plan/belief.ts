// What we hold of one VM after judging an observation: present, missing or unknown. keeps N1
//
// Missing is absence proven by a complete observation; a partial one gives unknown, never missing.

import type { Belief, Observation, VmState } from "../model.ts";
import { doubt } from "../observed-codes.ts";

const MISSING = { kind: "missing" } as const satisfies Belief;
const NOT_SEEN: Belief = { because: doubt("not-seen"), kind: "unknown" };

export const believe = (state: VmState | undefined, observation: Pick<Observation, "complete">): Belief => {
  if (state === undefined) return observation.complete ? MISSING : NOT_SEEN;
  if (state.status === "unknown") return { because: state.because ?? doubt("not-told"), kind: "unknown" };
  return { kind: "present", state };
};
