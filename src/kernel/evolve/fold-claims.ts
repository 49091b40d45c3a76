// When applies were granted, for policies that allow so many an hour: those of the last hour by the process time of
// their records, and no more of each kind than a policy may count. keeps P7-A3
//
// It is kept whether a policy asks for it or not: one that is written later counts what was before it.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Instant } from "../../spine/model.ts";
import { PER_HOUR_MAX } from "../../spine/plan/policy.ts";
import { later } from "../../spine/values/instant.ts";
import type { Requests } from "../command/request.ts";
import { drop, entries, find, get, type PersistentMap, put } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { HOUR_MS } from "../state/spans.ts";
import type { RecentClaims, State } from "../state/state.ts";
import { lastTime, NO_TIMES, timesFrom, timesIn, withTime, youngest } from "../state/times.ts";
import { mapped } from "./void-agreement.ts";

export const claimCounted = (
  { claims: before, plans }: Pick<State, "claims" | "plans">,
  { actor, environment = "", processTime }: LedgerRecord,
  { of }: Requests["apply"],
): PersistentMap<RecentClaims> => {
  const { id, kind } = recall(plans, of.plan)?.requester ?? actor;
  const isOne = id === actor.id;
  const action = of.step.action.kind;
  const key = `${environment}/${action}/${isOne ? id : `${id}/${actor.id}`}`;
  const since = later(processTime, -HOUR_MS);
  const claims = young(before, since);
  const known = get(claims, key);
  const at = withTime(youngest(known?.at ?? NO_TIMES, since, PER_HOUR_MAX - 1), processTime);
  const hands = [{ id, kind }, ...(isOne ? [] : [{ id: actor.id, kind: actor.kind }])];
  return put(claims, key, { action, at, environment, hands });
};

const isOver = ({ at }: RecentClaims, since: Instant): boolean => (lastTime(at) ?? since) <= since;

/** Nobody comes back for what is older, and it would be kept for ever. */
const young = (claims: PersistentMap<RecentClaims>, since: Instant): PersistentMap<RecentClaims> => {
  // Nearly always there is none, and nothing to walk through by name.
  if (find(claims, (one) => isOver(one, since)) === undefined) return claims;
  let kept = claims;
  for (const [key, one] of entries(claims)) if (isOver(one, since)) kept = drop(kept, key);
  return kept;
};

/** Behind an accepted clock, what was stamped ahead of it happened at the latest now, and counts for an hour. */
export const claimsNoLaterThan = (claims: PersistentMap<RecentClaims>, now: Instant): PersistentMap<RecentClaims> =>
  mapped(claims, (one) => ({ ...one, at: timesFrom(timesIn(one.at).map((time) => (time > now ? now : time))) }));
