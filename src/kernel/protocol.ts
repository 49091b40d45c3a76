// The protocol of one apply, as data: where it is, and where it goes with what came of the last effect. Pure.
//
//   claim → anchor → look → check → send → dispatched → verdict → look again → conclude → done
//
// The intent is durable before anything else, and in the anchor, so that a ledger that loses it is known to be cut; one call, at most; success only if the place's verdict and the look after
// agree; failed only when it is proven that nothing happened. No edge leads back: nothing is ever tried again.
// Not here: the effects themselves (perform.ts), what is granted (decide-apply.ts). Keeps P7-E2, P7-F1, P7-F3.

import type { DurableIntent, ProviderVerdict, Reference, Sent } from "../adapters/actuator.ts";
import type { Observation, Refusal, VmState } from "../spine/model.ts";
import { basisOf } from "../spine/observation.ts";
import type { Claim } from "./claim.ts";
import { durableIntent } from "./claim.ts";
import { proofOf } from "./postcondition.ts";
import type { OutcomeKind } from "./request.ts";

export type End = { readonly because: string; readonly outcome: OutcomeKind; readonly reference?: Reference };

export type Progress =
  | { readonly at: "claim" }
  | { readonly at: "anchor"; readonly claim: Claim }
  | { readonly at: "look"; readonly claim: Claim }
  | { readonly at: "check"; readonly claim: Claim; readonly seen: VmState }
  | { readonly at: "send"; readonly claim: Claim; readonly intent: DurableIntent }
  | { readonly at: "dispatched"; readonly claim: Claim; readonly intent: DurableIntent; readonly reference: Reference }
  | { readonly at: "verdict"; readonly claim: Claim; readonly intent: DurableIntent; readonly reference: Reference }
  | {
      readonly at: "look-after";
      readonly claim: Claim;
      readonly intent: DurableIntent;
      readonly reference: Reference;
      readonly verdict: ProviderVerdict;
    }
  | { readonly at: "conclude"; readonly claim: Claim; readonly end: End }
  | { readonly at: "done"; readonly end: End; readonly recorded: boolean; readonly claim: Claim }
  /** Nothing was claimed: a refusal, or an answer that was given before. */
  | { readonly at: "not-claimed"; readonly refusals: readonly Refusal[] };

/** One look at one VM, or why there is none. */
export type Seen = Observation | { readonly kind: "failed"; readonly because: string };
export type Claimed = Claim | { readonly refusals: readonly Refusal[] };
/**
 * Judged right before the call: whether somebody froze it, whether its intent has an outcome already (a clock that is
 * ahead takes it for left behind), and whether it may still leave.
 */
export type Check = {
  readonly frozen: Pick<Refusal, "because"> | undefined;
  readonly isLate: boolean;
  readonly isOver: boolean;
};

const conclude = (claim: Claim, outcome: OutcomeKind, because: string, reference?: Reference): Progress => ({
  at: "conclude",
  claim,
  end: { because, outcome, ...(reference === undefined ? {} : { reference }) },
});
/** What is decided before the call leaves is proven not to have happened. */
const notSent = (claim: Claim, because: string): Progress => conclude(claim, "failed", `${because}; no call was made`);

export const afterClaim = (claimed: Claimed): Progress =>
  "refusals" in claimed ? { at: "not-claimed", refusals: claimed.refusals } : { at: "anchor", claim: claimed };

/** `unanchored` is why no checkpoint outside the ledger covers the intent; a call that the ledger could forget is not made. */
export const afterAnchor = (
  { claim }: Progress & { readonly at: "anchor" },
  unanchored: string | undefined,
): Progress =>
  unanchored === undefined ? { at: "look", claim } : notSent(claim, `the intent could not be anchored: ${unanchored}`);

export const afterLook = ({ claim }: Progress & { readonly at: "look" }, seen: Seen): Progress => {
  if ("kind" in seen) return notSent(claim, `the VM could not be looked at: ${seen.because}`);
  const state = seen.vms.find(({ vmid }) => vmid === claim.step.vmid);
  if (state === undefined) return notSent(claim, "the world moved: the VM was not seen");
  if (basisOf(state) !== claim.step.basis) return notSent(claim, "the world moved: the VM is not as it was planned on");
  return { at: "check", claim, seen: state };
};

export const afterCheck = (
  { claim, seen }: Progress & { readonly at: "check" },
  { frozen, isLate, isOver }: Check,
): Progress => {
  if (frozen !== undefined) return notSent(claim, frozen.because);
  if (isOver) return notSent(claim, "another process has ended the intent");
  if (isLate) return notSent(claim, `the call did not leave by ${claim.sendBy}`);
  return { at: "send", claim, intent: durableIntent(claim, seen) };
};

export const afterSend = ({ claim, intent }: Progress & { readonly at: "send" }, sent: Sent): Progress => {
  switch (sent.kind) {
    case "failed":
      return conclude(claim, "failed", sent.because);
    case "unknown":
      return conclude(claim, "unknown", sent.because, sent.reference);
    case "sent":
      return { at: "dispatched", claim, intent, reference: sent.reference };
  }
};

/** The place works on it, whether or not the ledger could take down its name for it. */
export const afterDispatched = ({ claim, intent, reference }: Progress & { readonly at: "dispatched" }): Progress => ({
  at: "verdict",
  claim,
  intent,
  reference,
});

export const afterVerdict = (
  { claim, intent, reference }: Progress & { readonly at: "verdict" },
  verdict: ProviderVerdict,
): Progress =>
  verdict.kind === "unknown"
    ? conclude(claim, "unknown", verdict.because, reference)
    : { at: "look-after", claim, intent, reference, verdict };

export const afterLookAfter = (
  { claim, intent, reference, verdict }: Progress & { readonly at: "look-after" },
  seen: Seen,
): Progress => {
  if ("kind" in seen) {
    return conclude(claim, "unknown", `the VM could not be looked at afterwards: ${seen.because}`, reference);
  }
  const proof = proofOf(claim.step, intent.seen, seen);
  const after = seen.vms.find(({ vmid }) => vmid === claim.step.vmid);
  if (verdict.kind === "done") {
    return proof.kind === "holds"
      ? conclude(claim, "succeeded", succeededBecause(claim, verdict), reference)
      : conclude(claim, "unknown", `the place says done, and the look does not: ${proof.because}`, reference);
  }
  // A place that says failed is believed when the VM is as it was before.
  const isUntouched = after !== undefined && basisOf(after) === basisOf(intent.seen) && proof.kind !== "holds";
  return isUntouched
    ? conclude(claim, "failed", verdict.because, reference)
    : conclude(claim, "unknown", `the place says failed (${verdict.because}), and the VM has changed`, reference);
};

const succeededBecause = ({ step }: Claim, { because }: ProviderVerdict): string =>
  step.action.kind === "vm.reset" ? `${because}; the place's word alone tells` : because;

export const afterConclude = ({ claim, end }: Progress & { readonly at: "conclude" }, recorded: boolean): Progress => ({
  at: "done",
  claim,
  end,
  recorded,
});
