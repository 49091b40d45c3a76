// When applies were granted, for policies that allow so many an hour: those of the last hour by the process time of
// their records, and no more of each kind than a policy may count. keeps P7-A3
//
// It is kept whether a policy asks for it or not: one that is written later counts what was before it.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Instant } from "../../spine/model.ts";
import { PER_HOUR_MAX } from "../../spine/plan/policy.ts";
import { later } from "../../spine/values/instant.ts";
import type { Requests } from "../command/request.ts";
import { drop, entries, get, type PersistentMap, put } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { HOUR_MS } from "../state/spans.ts";
import type { RecentClaims, State } from "../state/state.ts";
import { mapped } from "./void-agreement.ts";

export const claimCounted = (state: State, record: LedgerRecord, { of }: Requests["apply"]): State => {
  const { actor, environment = "", processTime } = record;
  const { id, kind } = recall(state.plans, of.plan)?.requester ?? actor;
  const hands = [{ id, kind }, ...(id === actor.id ? [] : [{ id: actor.id, kind: actor.kind }])];
  const action = of.step.action.kind;
  const key = [environment, action, ...hands.map((hand) => hand.id)].join("/");
  const since = later(processTime, -HOUR_MS);
  const claims = young(state.claims, since);
  const at = [...youngest(get(claims, key)?.at ?? [], since), processTime];
  return { ...state, claims: put(claims, key, { action, at, environment, hands }) };
};

/** Times ascend, as records do: those after an instant are the last ones, and one less than a policy may count. */
const youngest = (times: readonly Instant[], since: Instant): readonly Instant[] => {
  let from = Math.max(0, times.length + 1 - PER_HOUR_MAX);
  while (from < times.length && (times[from] ?? since) <= since) from += 1;
  return times.slice(from);
};

/** Nobody comes back for what is older, and it would be kept for ever. */
const young = (claims: PersistentMap<RecentClaims>, since: Instant): PersistentMap<RecentClaims> => {
  let kept = claims;
  for (const [key, { at }] of entries(claims)) if (at.every((one) => one <= since)) kept = drop(kept, key);
  return kept;
};

/** Behind an accepted clock, what was stamped ahead of it happened at the latest now, and counts for an hour. */
export const claimsNoLaterThan = (claims: PersistentMap<RecentClaims>, now: Instant): PersistentMap<RecentClaims> =>
  mapped(claims, (one) => ({ ...one, at: one.at.map((time) => (time > now ? now : time)) }));
