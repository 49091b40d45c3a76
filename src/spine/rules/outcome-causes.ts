// Why an intent ended as it did: every cause there is, and the outcome that it stands for. keeps P7-E2: failed is only
// what proves that nothing happened, and whatever leaves a doubt is unknown.
//
// `endedBy` is the only way to make an end, so that none lacks a fact that its words name; the sentences are in
// words/steps/outcome-words.ts. What came between us and the provider comes beside the cause, as diagnostics, and what
// the system said in its own words.

import type { Facts, OutcomeEnd, OutcomeKind } from "../model.ts";
import type { Doubt } from "../observed-codes.ts";
import type { OUTCOME_WORDS } from "../words/steps/outcome-words.ts";
import type { NamesIn } from "../words/template.ts";

export const OUTCOME_CAUSES = {
  // Decided before the call left.
  "anchor-behind": "failed",
  "anchor-unwritable": "failed",
  frozen: "failed",
  "grounds-changed": "failed",
  "intent-ended": "failed",
  "ledger-unreadable": "failed",
  "owner-lock-lost": "failed",
  "performer-ending": "failed",
  "send-late": "failed",
  "vm-changed": "failed",
  "vm-not-observed": "failed",
  "vm-not-shown": "failed",

  // What became of the call, as the provider told it and as an observation shows.
  "call-refused": "failed",
  "call-unanswered": "unknown",
  "found-failed": "unknown",
  "found-unattributed": "unknown",
  "provider-done": "succeeded",
  "provider-done-alone": "succeeded",
  "provider-failed": "failed",
  "provider-failed-changed": "unknown",
  "verdict-unknown": "unknown",

  // The provider says done, and the observation afterwards does not show it.
  "after-boot-same": "unknown",
  "after-boot-unseen": "unknown",
  "after-clone-absent": "unknown",
  "after-clone-same": "unknown",
  "after-clone-unseen": "unknown",
  "after-identity-other": "unknown",
  "after-identity-unseen": "unknown",
  "after-node-unseen": "unknown",
  "after-parent-other": "unknown",
  "after-ram-unseen": "unknown",
  "after-sizes-other": "unknown",
  "after-snapshot-absent": "unknown",
  "after-snapshot-present": "unknown",
  "after-snapshots-unseen": "unknown",
  "after-status-other": "unknown",
  "after-unobserved": "unknown",
  "after-vm-gone": "unknown",
  "after-vm-present": "unknown",
  "after-vm-unknown": "unknown",

  // Nobody is left to tell.
  "ledger-restored": "unknown",
  "owner-ended": "unknown",
  "owner-unlocked": "unknown",
  "past-settle-by": "unknown",
} as const satisfies Readonly<Record<string, OutcomeKind>>;

export type OutcomeCause = keyof typeof OUTCOME_CAUSES;

export const isOutcomeCause = (value: unknown): value is OutcomeCause =>
  typeof value === "string" && Object.hasOwn(OUTCOME_CAUSES, value);

type Needed<C extends OutcomeCause> = NamesIn<(typeof OUTCOME_WORDS)[C]>;
type About<C extends OutcomeCause> = Omit<OutcomeEnd, "cause" | "facts" | "outcome"> &
  ([Needed<C>] extends [never] ? { readonly facts?: Facts } : { readonly facts: { [K in Needed<C>]: Facts[string] } });

/** What an observation states of a VM that it does not know comes along with its code. */
export const endedByDoubt = (cause: "after-vm-unknown", { code, diagnostic, facts, said }: Doubt): OutcomeEnd =>
  endedBy(cause, {
    ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
    facts: { ...facts, doubt: code },
    ...(said === undefined ? {} : { said }),
  });

export const endedBy = <C extends OutcomeCause>(cause: C, about: About<C>): OutcomeEnd => {
  const { changed, diagnostics = [], facts, refusal, said } = about as Partial<OutcomeEnd>;
  return {
    cause,
    ...(changed === undefined ? {} : { changed }),
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    ...(facts === undefined ? {} : { facts }),
    outcome: OUTCOME_CAUSES[cause],
    ...(refusal === undefined ? {} : { refusal }),
    ...(said === undefined || said === "" ? {} : { said }),
  };
};
