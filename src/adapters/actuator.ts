// The acting side of an adapter: it performs one durable intent, once, and says what the provider said.
//
// Only the kernel's writer makes a DurableIntent, after the intent's record is durable; nothing else is accepted, and
// no verb exists besides. There is no way to try again: an intent that was sent is never sent a second time (P7-F3).
// Not here: the judgement whether it succeeded (kernel/), observing VMs (source.ts).

import type { Ulid } from "../ledger/record/record.ts";
import type { Diagnostic } from "../spine/diagnostic-codes.ts";
import type { Instant, PlanStep, VmState } from "../spine/model.ts";

export type Intent = {
  readonly environment: string;
  readonly id: Ulid; // of the record that made it durable
  /** What the second observation saw: the provider's optimistic locks (`revision`) are taken from here. */
  readonly seen: VmState;
  /** No call leaves after this instant. */
  readonly sendBy: Instant;
  /** The wait for the provider's verdict ends here. */
  readonly settleBy: Instant;
  readonly step: PlanStep;
};
export type DurableIntent = Intent & { readonly __is: "DurableIntent" };

/** The provider's own name for what it is doing (a task id), to ask for its verdict. */
export type Reference = string;

/**
 * What came between us and the provider, in order: codes with facts, and what the provider said. Nothing is decided by
 * them.
 */
type Told = { readonly diagnostics: readonly Diagnostic[] };

/**
 * What became of the one call. Failed only when it is proven that nothing happened and nothing more will (the provider
 * refused it, or it never left); whatever may have reached the provider is sent or unknown.
 */
export type Sent =
  | { readonly kind: "sent"; readonly reference: Reference }
  | (Told & { readonly kind: "failed" })
  /** The provider said no at once and has no task of it; whether it had begun is told by an observation. */
  | (Told & { readonly kind: "refused" })
  /**
   * The answer was lost, and the provider's own list names one task that was made of the call; the diagnostics say
   * both.
   */
  | (Told & { readonly kind: "found"; readonly reference: Reference })
  | (Told & { readonly kind: "unknown" })
  /** `mayLeave` said no, and nothing has left. */
  | { readonly kind: "withheld" };

/**
 * Whether the call may still leave, judged on what holds now. Asked when everything that the call needs stands (what is
 * read for it, its connection), so that only the call itself comes after it.
 */
export type MayLeave = () => Promise<boolean>;

/** Done and failed are the provider's own words; a verdict that is lost, late or unreadable is unknown. */
export type ProviderVerdict = Told & { readonly kind: "done" | "failed" | "unknown" };

export interface Actuator {
  /**
   * At most one mutating call, never repeated. Resolves as soon as the provider has taken it or not. The signal aborts
   * when the call may no longer leave; one that has left is waited for and searched for in the actuator's own bounded
   * time, which ends well before `settleBy`.
   */
  send(intent: DurableIntent, signal: AbortSignal, mayLeave: MayLeave): Promise<Sent>;
  /** Waits for the provider's verdict and only reads; resolves with unknown when the signal aborts first. */
  verdict(intent: DurableIntent, reference: Reference, signal: AbortSignal): Promise<ProviderVerdict>;
}
