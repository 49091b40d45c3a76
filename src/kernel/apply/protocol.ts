// The protocol of one apply, as data: where it is, and where it goes with what came of the last effect. Pure.
//
//   claim → anchor → observe → check → send → dispatched → verdict → observe again → conclude → done
//
// The intent is durable before anything else, and in the anchor, so that a ledger that loses it is known to be cut; one
// call, at most; success only if the provider's verdict and the observation after agree; failed only when it is proven
// that nothing happened. No edge leads back: nothing is ever tried again.
// Not here: the effects themselves (perform-apply.ts), what is granted (decide/apply-step.ts). Keeps P7-E2, P7-F1,
// P7-F3.

import type { DurableIntent, ProviderVerdict, Reference, Sent } from "../../adapters/actuator.ts";
import { type Diagnostic, diagnostic } from "../../spine/diagnostic-codes.ts";
import type { Observation, OutcomeEnd, Refusal, VmState } from "../../spine/model.ts";
import { changesOf } from "../../spine/plan/changed.ts";
import { endedBy } from "../../spine/rules/outcome-causes.ts";
import { basisOf } from "../../spine/values/observation.ts";
import type { Claim } from "./claim.ts";
import { durableIntent } from "./claim.ts";
import { proofOf } from "./postcondition.ts";

export type End = OutcomeEnd & { readonly reference?: Reference };

export type ApplyProgress =
  | { readonly at: "claim" }
  | { readonly at: "anchor"; readonly claim: Claim }
  | { readonly at: "observe"; readonly claim: Claim }
  | { readonly at: "check"; readonly claim: Claim; readonly seen: VmState }
  | { readonly at: "send"; readonly claim: Claim; readonly intent: DurableIntent }
  | ({ readonly at: "dispatched" } & Underway)
  | ({ readonly at: "verdict" } & Underway)
  | ({ readonly at: "observe-after"; readonly verdict: ProviderVerdict } & Omit<Underway, "reference"> &
      Partial<Pick<Underway, "reference">>)
  | { readonly at: "conclude"; readonly claim: Claim; readonly end: End }
  | { readonly at: "done"; readonly end: End; readonly recorded: boolean; readonly claim: Claim }
  /** Nothing was claimed: a refusal, or an answer that was given before. */
  | { readonly at: "not-claimed"; readonly refusals: readonly Refusal[] };

/** `found` tells how the adapter came by the reference when the answer was lost; absent when the provider gave it. */
type Underway = {
  readonly claim: Claim;
  readonly found?: readonly Diagnostic[];
  readonly intent: DurableIntent;
  readonly reference: Reference;
};

/** One observation of one VM, or what was said where there is none. */
export type ObservedAgain = Observation | { readonly kind: "failed"; readonly said: string };
export type Claimed = Claim | { readonly refusals: readonly Refusal[] };
/**
 * Judged right before the call: whether somebody froze it, whether what its plan stands on is as it was, in the ledger
 * and in the files, whether its intent has an outcome already (a clock that is ahead takes it for left behind), whether
 * the ledger is still where it was, whether this process is still known to perform it, and whether it may still leave.
 * Where the ledger cannot be read, none of that is known, and what was said of it is all there is.
 */
export type LastCheck =
  | {
      readonly changed: readonly Refusal[];
      readonly displaced: Refusal | undefined;
      readonly edited: Refusal | undefined;
      readonly frozen: Refusal | undefined;
      readonly isEnding: boolean;
      readonly isLate: boolean;
      readonly isOver: boolean;
      readonly isOwner: boolean;
    }
  | { readonly unreadable: Unreadable };
/** What was not done: a refusal where it is one that is known, what the system said otherwise. */
export type Unreadable = { readonly refusal: Refusal } | { readonly said: string };
/** Why no checkpoint outside the ledger covers an intent. */
export type Unanchored = { readonly kind: "behind" } | { readonly kind: "unwritable"; readonly why: Unreadable };

const conclude = (claim: Claim, end: OutcomeEnd, reference?: Reference): ApplyProgress => ({
  at: "conclude",
  claim,
  end: reference === undefined ? end : { ...end, reference },
});

export const afterClaim = (claimed: Claimed): ApplyProgress =>
  "refusals" in claimed ? { at: "not-claimed", refusals: claimed.refusals } : { at: "anchor", claim: claimed };

/** A call that the ledger could forget is not made. */
export const afterAnchor = (
  { claim }: ApplyProgress & { readonly at: "anchor" },
  unanchored: Unanchored | undefined,
): ApplyProgress => {
  if (unanchored === undefined) return { at: "observe", claim };
  return unanchored.kind === "behind"
    ? conclude(claim, endedBy("anchor-behind", {}))
    : conclude(claim, endedBy("anchor-unwritable", unanchored.why));
};

/** `before` is the state that was planned on, where it can be had: it tells what changed, and decides nothing. */
export const afterObserve = (
  { claim }: ApplyProgress & { readonly at: "observe" },
  seen: ObservedAgain,
  before: VmState | undefined,
): ApplyProgress => {
  if ("kind" in seen) return conclude(claim, endedBy("vm-not-observed", { said: seen.said }));
  const state = stateIn(claim, seen);
  if (state === undefined)
    return conclude(claim, endedBy("vm-not-shown", { facts: { gaps: seen.gaps.map(({ code }) => code) } }));
  if (basisOf(state) !== claim.step.basis) return moved(claim, state, before);
  return { at: "check", claim, seen: state };
};

const stateIn = ({ step }: Claim, seen: Observation): VmState | undefined =>
  seen.vms.find(({ vmid }) => vmid === step.vmid);

/** Whether the observation shows the VM, and not as it was planned on. */
export const hasMoved = ({ claim }: ApplyProgress & { readonly at: "observe" }, seen: ObservedAgain): boolean => {
  const state = "kind" in seen ? undefined : stateIn(claim, seen);
  return state !== undefined && basisOf(state) !== claim.step.basis;
};

const moved = (claim: Claim, after: VmState, before: VmState | undefined): ApplyProgress => {
  // Another state than the planned one would tell of changes that there were not.
  const isPlanned = before !== undefined && basisOf(before) === claim.step.basis;
  return conclude(claim, endedBy("vm-changed", isPlanned ? { changed: changesOf(before, after) } : {}));
};

export const afterCheck = (
  { claim, seen }: ApplyProgress & { readonly at: "check" },
  check: LastCheck,
): ApplyProgress => {
  if ("unreadable" in check) return conclude(claim, endedBy("ledger-unreadable", check.unreadable));
  const { changed, displaced, edited, frozen, isEnding, isLate, isOver, isOwner } = check;
  if (frozen !== undefined) return conclude(claim, endedBy("frozen", { refusal: frozen }));
  if (isOver) return conclude(claim, endedBy("intent-ended", {}));
  const first = changed[0] ?? edited;
  if (first !== undefined) return conclude(claim, endedBy("grounds-changed", { refusal: first }));
  // What is read of a file that was moved away may not be what its operator decides in the one that stands there.
  if (displaced !== undefined) return conclude(claim, endedBy("ledger-unreadable", { refusal: displaced }));
  if (!isOwner) return conclude(claim, endedBy("owner-lock-lost", {}));
  if (isEnding) return conclude(claim, endedBy("performer-ending", {}));
  if (isLate) return conclude(claim, endedBy("send-late", { facts: { sendBy: claim.sendBy } }));
  return { at: "send", claim, intent: durableIntent(claim, seen) };
};

/** `objected` is where a check that kept the call from leaving leads. */
export const afterSend = (
  { claim, intent }: ApplyProgress & { readonly at: "send" },
  sent: Sent,
  objected?: ApplyProgress,
): ApplyProgress => {
  switch (sent.kind) {
    case "withheld":
      return objected ?? conclude(claim, endedBy("call-refused", { diagnostics: [diagnostic("not-sent")] }));
    case "failed":
      return conclude(claim, endedBy("call-refused", { diagnostics: sent.diagnostics }));
    case "unknown":
      return conclude(claim, endedBy("call-unanswered", { diagnostics: sent.diagnostics }));
    case "refused":
      return { at: "observe-after", claim, intent, verdict: { diagnostics: sent.diagnostics, kind: "failed" } };
    case "found":
      return { at: "dispatched", claim, found: sent.diagnostics, intent, reference: sent.reference };
    case "sent":
      return { at: "dispatched", claim, intent, reference: sent.reference };
  }
};

/** The provider works on it, whether or not the ledger could take down its name for it. */
export const afterDispatched = (progress: ApplyProgress & { readonly at: "dispatched" }): ApplyProgress => ({
  ...progress,
  at: "verdict",
});

export const afterVerdict = (
  progress: ApplyProgress & { readonly at: "verdict" },
  verdict: ProviderVerdict,
): ApplyProgress => {
  const { claim, found, reference } = progress;
  const diagnostics = [...(found ?? []), ...verdict.diagnostics];
  if (verdict.kind === "unknown") return conclude(claim, endedBy("verdict-unknown", { diagnostics }), reference);
  if (found === undefined || verdict.kind === "done") return { ...progress, at: "observe-after", verdict };
  // What was found in a list proves what was done. That nothing else will come of the call it does not prove.
  return conclude(claim, endedBy("found-failed", { diagnostics }), reference);
};

export const afterObserveAfter = (
  { claim, found, intent, reference, verdict }: ApplyProgress & { readonly at: "observe-after" },
  seen: ObservedAgain,
): ApplyProgress => {
  if ("kind" in seen) {
    return conclude(claim, endedBy("after-unobserved", { diagnostics: found ?? [], said: seen.said }), reference);
  }
  const proof = proofOf(claim.step, intent.seen, seen);
  const after = seen.vms.find(({ vmid }) => vmid === claim.step.vmid);
  if (verdict.kind === "done") {
    if (proof.kind !== "holds") {
      const diagnostics = [...(found ?? []), ...(proof.end.diagnostics ?? [])];
      return conclude(claim, diagnostics.length === 0 ? proof.end : { ...proof.end, diagnostics }, reference);
    }
    const cause = isShownBefore(claim, intent.seen, seen)
      ? ALONE[found === undefined ? "answered" : "found"]
      : "provider-done";
    const diagnostics = [...(found ?? []), ...verdict.diagnostics];
    return conclude(claim, endedBy(cause, { diagnostics }), reference);
  }
  // A provider that says failed is believed when the VM is as it was before.
  const isUntouched = after !== undefined && basisOf(after) === basisOf(intent.seen) && proof.kind !== "holds";
  const cause = isUntouched ? "provider-failed" : "provider-failed-changed";
  return conclude(claim, endedBy(cause, { diagnostics: verdict.diagnostics }), reference);
};

/**
 * Whether the VM showed before the call what an observation after it is to show: a reset changes nothing that is seen,
 * nor does a rollback to where the VM is. Then the observation proves nothing of this call.
 */
const isShownBefore = (claim: Claim, before: VmState, observation: Observation): boolean =>
  proofOf(claim.step, before, { ...observation, vms: [before] }).kind === "holds";

/** The provider's word alone tells, and the outcome says so; a task that was only found may even be an earlier one. */
const ALONE = { answered: "provider-done-alone", found: "found-unattributed" } as const;

export const afterConclude = (
  { claim, end }: ApplyProgress & { readonly at: "conclude" },
  recorded: boolean,
): ApplyProgress => ({
  at: "done",
  claim,
  end,
  recorded,
});
