// What a break in the account ends: every plan, approval, challenge and observation from before it. Nothing is lost of
// what is open, blocked or frozen. Keeps P7-A2.
//
// For an accepted clock, on which ends were counted wrongly, and for an anchor that was made anew or a ledger that goes
// on from a backup, behind which a call may have left that the ledger does not know any more.

import { EMPTY, entries, mapFrom, type PersistentMap } from "../state/persistent-map.ts";
import type { Recent } from "../state/recent.ts";
import type { PlanState, State } from "../state/state.ts";

export const mapped = <V>(map: PersistentMap<V>, change: (value: V) => V): PersistentMap<V> =>
  mapFrom(Array.from(entries(map), ([key, value]) => [key, change(value)] as const));

const emptied = <V>({ day }: Recent<V>): Recent<V> => ({ day, old: EMPTY, young: EMPTY });

/**
 * Also one that was superseded: a step of it may be claimed, and its call is not made then. Of a canceled one none is.
 */
const voided = (plan: PlanState): PlanState => ({
  ...plan,
  approvals: [],
  closed: plan.closed === undefined || plan.closed === "superseded" ? "voided" : plan.closed,
});

export const voidAgreement = (state: State): State => {
  const { day, old, young } = state.plans;
  return {
    ...state,
    challenges: emptied(state.challenges),
    observations: emptied(state.observations),
    plans: { day, old: mapped(old, voided), young: mapped(young, voided) },
  };
};
