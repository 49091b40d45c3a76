// Clocks: whether an observation may be stamped as it is, and the one act that takes a ledger back from the future.
//
// The process time is what everything is counted on; the provider's own clock, which comes with the observation, shows
// when it runs ahead. The head alone never judges: a ledger may rest for a year. An operator accepts the clock as it
// is; what was counted on the wrong one is void (evolve/fold-clock.ts), so that no time is won by it. Keeps N1, P7-A2.

import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { Requests } from "../command/request.ts";
import { refused } from "../command/result.ts";
import { reasonRefusal } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";

/** Two clocks may differ by so much. */
export const CLOCK_AHEAD_MAX_MS = 60_000;

/** Of a live environment alone: what is replayed or pushed carries no apply, and its provider's clock stood still. */
export const providerClockRefusal = (
  { complete, providerTime, vms }: Requests["observe"],
  at: Instant,
): Refusal | undefined => {
  if (providerTime === undefined) {
    if (vms > 0) return refuse("provider-clock-missing", { cause: "absent" });
    // A provider that did not answer shows no clock either; an observation of nothing carries nothing.
    return complete ? refuse("provider-clock-missing", { cause: "absent-complete" }) : undefined;
  }
  const aheadMs = msOf(at) - msOf(providerTime);
  if (Number.isNaN(aheadMs)) return refuse("provider-clock-missing", { cause: "unreadable" });
  return aheadMs <= CLOCK_AHEAD_MAX_MS
    ? undefined
    : refuse("clock-ahead", {
        facts: { aheadSeconds: Math.round(aheadMs / 1_000), processTime: at, providerTime },
      });
};

/** `at` is the head's time when the head is ahead of the clock that the command was stamped by. */
export const decideAcceptClock: Decider<"accept-clock"> = (state, { at: own, request }, at) => {
  const reason = reasonRefusal(request.reason);
  if (reason !== undefined) return refused(reason);
  // A command that waited is stamped before what others have begun since, whose window would then be cut short.
  if (request.size !== state.size)
    return refused(refuse("ledger-moved", { facts: { seen: request.size, size: state.size } }));
  return msOf(at) - msOf(own) > CLOCK_AHEAD_MAX_MS
    ? { result: { head: at, kind: "clock-accepted" } }
    : refused(refuse("clock-not-ahead", { facts: { head: at } }));
};
