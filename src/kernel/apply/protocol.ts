// The protocol of one apply, as data: where it is, and where it goes with what came of the last effect. Pure.
//
//   claim → anchor → look → check → send → dispatched → verdict → look again → conclude → done
//
// The intent is durable before anything else, and in the anchor, so that a ledger that loses it is known to be cut; one
// call, at most; success only if the place's verdict and the look after agree; failed only when it is proven that nothing
// happened. No edge leads back: nothing is ever tried again.
// Not here: the effects themselves (perform-apply.ts), what is granted (decide/apply-step.ts). Keeps P7-E2, P7-F1, P7-F3.

import type { DurableIntent, ProviderVerdict, Reference, Sent } from "../../adapters/actuator.ts";
import type { Observation, Refusal, VmState } from "../../spine/model.ts";
import { type ChangedField, changedFields, changesText } from "../../spine/plan/changed.ts";
import { basisOf } from "../../spine/values/observation.ts";
import { gapText } from "../../spine/words/observation-words.ts";
import type { OutcomeKind } from "../command/request.ts";
import type { Claim } from "./claim.ts";
import { durableIntent } from "./claim.ts";
import { proofOf } from "./postcondition.ts";

export type End = {
  readonly because: string;
  /** Where the world moved: the fields of the VM that are not as they were planned on. */
  readonly changed?: readonly ChangedField[];
  readonly outcome: OutcomeKind;
  readonly reference?: Reference;
};

export type Progress =
  | { readonly at: "claim" }
  | { readonly at: "anchor"; readonly claim: Claim }
  | { readonly at: "look"; readonly claim: Claim }
  | { readonly at: "check"; readonly claim: Claim; readonly seen: VmState }
  | { readonly at: "send"; readonly claim: Claim; readonly intent: DurableIntent }
  | ({ readonly at: "dispatched" } & Underway)
  | ({ readonly at: "verdict" } & Underway)
  | ({ readonly at: "look-after"; readonly verdict: ProviderVerdict } & Omit<Underway, "reference"> &
      Partial<Pick<Underway, "reference">>)
  | { readonly at: "conclude"; readonly claim: Claim; readonly end: End }
  | { readonly at: "done"; readonly end: End; readonly recorded: boolean; readonly claim: Claim }
  /** Nothing was claimed: a refusal, or an answer that was given before. */
  | { readonly at: "not-claimed"; readonly refusals: readonly Refusal[] };

/** `found` says how the reference was come by when the answer was lost; absent when the place gave it. */
type Underway = {
  readonly claim: Claim;
  readonly found?: string;
  readonly intent: DurableIntent;
  readonly reference: Reference;
};

/** One look at one VM, or why there is none. */
export type Seen = Observation | { readonly kind: "failed"; readonly because: string };
export type Claimed = Claim | { readonly refusals: readonly Refusal[] };
/**
 * Judged right before the call: whether somebody froze it, whether what its plan stands on is as it was, whether its
 * intent has an outcome already (a clock that is ahead takes it for left behind), and whether it may still leave.
 */
type Said = { readonly because: string };
export type Check = {
  readonly changed: readonly Said[];
  readonly frozen: Said | undefined;
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

/** `before` is the state that was planned on, where it can be had: it tells what changed, and decides nothing. */
export const afterLook = (
  { claim }: Progress & { readonly at: "look" },
  seen: Seen,
  before: VmState | undefined,
): Progress => {
  if ("kind" in seen) return notSent(claim, `the VM could not be looked at: ${seen.because}`);
  const state = stateIn(claim, seen);
  if (state === undefined)
    return notSent(
      claim,
      `the VM was not seen${seen.gaps.length === 0 ? "" : `: ${seen.gaps.map(gapText).join("; ")}`}`,
    );
  if (basisOf(state) !== claim.step.basis) return moved(claim, state, before);
  return { at: "check", claim, seen: state };
};

const stateIn = ({ step }: Claim, seen: Observation): VmState | undefined =>
  seen.vms.find(({ vmid }) => vmid === step.vmid);

/** Whether the look shows the VM, and not as it was planned on. */
export const hasMoved = ({ claim }: Progress & { readonly at: "look" }, seen: Seen): boolean => {
  const state = "kind" in seen ? undefined : stateIn(claim, seen);
  return state !== undefined && basisOf(state) !== claim.step.basis;
};

const moved = (claim: Claim, after: VmState, before: VmState | undefined): Progress => {
  const because = "the world moved: the VM is not as it was planned on";
  // Another state than the planned one would tell of changes that there were not.
  if (before === undefined || basisOf(before) !== claim.step.basis) return notSent(claim, because);
  const end = { because: `${because} (${changesText(before, after)}); no call was made`, outcome: "failed" } as const;
  return { at: "conclude", claim, end: { ...end, changed: changedFields(before, after) } };
};

export const afterCheck = (
  { claim, seen }: Progress & { readonly at: "check" },
  { changed, frozen, isLate, isOver }: Check,
): Progress => {
  if (frozen !== undefined) return notSent(claim, frozen.because);
  if (isOver) return notSent(claim, "another process has ended the intent");
  const [first] = changed;
  if (first !== undefined) return notSent(claim, `what the plan stands on has changed: ${first.because}`);
  if (isLate) return notSent(claim, `the call did not leave by ${claim.sendBy}`);
  return { at: "send", claim, intent: durableIntent(claim, seen) };
};

export const afterSend = ({ claim, intent }: Progress & { readonly at: "send" }, sent: Sent): Progress => {
  switch (sent.kind) {
    case "failed":
      return conclude(claim, "failed", sent.because);
    case "unknown":
      return conclude(claim, "unknown", sent.because);
    case "refused":
      return { at: "look-after", claim, intent, verdict: { because: sent.because, kind: "failed" } };
    case "found":
      return { at: "dispatched", claim, found: sent.because, intent, reference: sent.reference };
    case "sent":
      return { at: "dispatched", claim, intent, reference: sent.reference };
  }
};

/** The place works on it, whether or not the ledger could take down its name for it. */
export const afterDispatched = (progress: Progress & { readonly at: "dispatched" }): Progress => ({
  ...progress,
  at: "verdict",
});

export const afterVerdict = (progress: Progress & { readonly at: "verdict" }, verdict: ProviderVerdict): Progress => {
  const { claim, found, reference } = progress;
  if (verdict.kind === "unknown") return conclude(claim, "unknown", told(found, verdict.because), reference);
  if (found === undefined || verdict.kind === "done") return { ...progress, at: "look-after", verdict };
  // What was found in a list proves what was done. That nothing else will come of the call it does not prove.
  const because = `it failed, and something else may still come of the call: ${verdict.because}`;
  return conclude(claim, "unknown", told(found, because), reference);
};

const told = (found: string | undefined, because: string): string =>
  found === undefined ? because : `${found}; ${because}`;

export const afterLookAfter = (
  { claim, found, intent, reference, verdict }: Progress & { readonly at: "look-after" },
  seen: Seen,
): Progress => {
  if ("kind" in seen) {
    const because = `the VM could not be looked at afterwards: ${seen.because}`;
    return conclude(claim, "unknown", told(found, because), reference);
  }
  const proof = proofOf(claim.step, intent.seen, seen);
  const after = seen.vms.find(({ vmid }) => vmid === claim.step.vmid);
  if (verdict.kind === "done") {
    if (proof.kind !== "holds") {
      const because = `the place says done, and the look does not: ${proof.because}`;
      return conclude(claim, "unknown", told(found, because), reference);
    }
    // A task that was only found is believed by what it changed; where nothing had to change, it may be an earlier one.
    const isNew = proofOf(claim.step, intent.seen, { ...seen, vms: [intent.seen] }).kind !== "holds";
    return found === undefined || isNew
      ? conclude(claim, "succeeded", told(found, succeededBecause(claim, verdict)), reference)
      : conclude(claim, "unknown", told(found, "it is done, and the VM does not show by whom"), reference);
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
