// The reading side of an adapter: a port without verbs. keeps N3
//
// An adapter's source never mutates, never retries and never discovers; what it could not see becomes a gap or an
// unknown, with the reason. The acting side is another port, and nothing that observes can reach it.

import type { Instant, Observation, Vmid } from "../spine/model.ts";
import type { Gap } from "../spine/observed-codes.ts";

/**
 * What an observation must show beyond what every observation shows; asked for only where an action needs it.
 * `newSnapshot` asks whether the provider takes a snapshot of that name; a name that it forbids comes back as a
 * blocker.
 */
export type Detail = "snapshots" | { readonly newSnapshot: string };

/**
 * Hears why nothing at all was seen: the provider did not answer, or not to us. The observation that follows holds it
 * as a gap.
 */
export type Unanswered = (unseen: Gap) => void;

/** A VM that is asked for; `identity` as its entry demands it. */
export type WantedVm = { readonly identity?: string; readonly vmid: Vmid };

/**
 * One observation; and the provider's own clock as its last answer showed it. A live adapter owes it with everything
 * that it saw, and with a complete observation of nothing: without it the observation is refused
 * (`provider-clock-missing`). Absent where the provider did not answer, and of an adapter that is not live.
 */
export type ClockedObservation = Observation & { readonly providerTime?: Instant };

export interface Source {
  /**
   * Resolves with one observation of the wanted VMs. It may report others; nothing acts on a VM that is not desired.
   * That it is complete speaks of the wanted ones alone: of a vmid that was not asked for it proves nothing, nor that
   * it is free. Where the operator numbers the VMs, each is found by its identity alone and given back under the number
   * it was asked for.
   */
  observe(wanted: readonly WantedVm[], signal: AbortSignal, details?: readonly Detail[]): Promise<ClockedObservation>;
}
