// What the state remembers of an environment's last day or two: its observations, and the newest intent of each VM.
//
// Older ones are in the ledger, and not searched for.

import { recentEntries } from "../../kernel/state/recent.ts";
import { openIntents } from "../../kernel/state/recovery.ts";
import type { IntentState, ObservationState, State } from "../../kernel/state/state.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";

/** Enough to reach back over the observations of single actions. */
const OBSERVATIONS_MAX = 20;

export type ObservationLately = ObservationState & { readonly id: string };

/** The newest first. */
export const observedLately = (state: State, environment: string): readonly ObservationLately[] =>
  Array.from(recentEntries(state.observations))
    .filter(([, one]) => one.environment === environment)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .slice(0, OBSERVATIONS_MAX)
    .map(([id, one]) => ({ ...one, id }));

/** The newest intent of each VM, open or ended. */
export const lastIntents = (state: State, environment: string): ReadonlyMap<Vmid, IntentState> => {
  const last = new Map<Vmid, IntentState>();
  for (const intent of [...Array.from(recentEntries(state.intents), ([, one]) => one), ...openIntents(state)]) {
    if (intent.environment !== environment) continue;
    const known = last.get(intent.vmid);
    if (known === undefined || known.id < intent.id) last.set(intent.vmid, intent);
  }
  return last;
};

/** Of what was seen then, nothing is told of what was applied since. */
export const isSince = ({ endedAt }: IntentState, seenAt: Instant): boolean =>
  endedAt === undefined || endedAt > seenAt;

export const secondsSince = (at: Instant, now: Instant): number =>
  Math.max(0, Math.round((msOf(now) - msOf(at)) / 1_000));
