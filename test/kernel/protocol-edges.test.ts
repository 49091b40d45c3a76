// The protocol of one apply, edge by edge: what each effect came to, and where that leads.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Claim, claimOf, durableIntent } from "../../src/kernel/apply/claim.ts";
import {
  type ApplyProgress,
  afterCheck,
  afterClaim,
  afterObserve,
  afterObserveAfter,
  afterSend,
  afterVerdict,
  type LastCheck,
  type ObservedAgain,
} from "../../src/kernel/apply/protocol.ts";
import type { VmState } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { observationOf, vmidOf, state as vmState } from "../spine/world.ts";
import { ALICE, apply, approve, BOB, planned, type Setting, story } from "./story.ts";

const STOPPED = vmState({ status: "stopped" });

const claimed = (setting: Setting = {}): Claim => {
  const told = story();
  const { of } = planned(told, setting);
  approve(told, of, BOB);
  apply(told, of, ALICE);
  const record = told.records.at(-1) ?? assert.fail("a record");
  return claimOf({ kind: "recorded", record, replayed: false }) ?? assert.fail("a claim");
};
const CLAIM = claimed();
const INTENT = durableIntent(CLAIM, STOPPED);

/** Where it goes, and with which outcome when it ends. */
const to = (progress: ApplyProgress): string =>
  progress.at === "conclude" ? `${progress.end.outcome} ${progress.end.reference ?? "-"}` : progress.at;

test("only a claim goes on, and what was refused ends there", () => {
  assert.equal(to(afterClaim(CLAIM)), "anchor");
  assert.equal(to(afterClaim({ refusals: [] })), "not-claimed");
});

test("a VM that is not seen as it was planned on gets no call", () => {
  const after = (seen: ObservedAgain): string => to(afterObserve({ at: "observe", claim: CLAIM }, seen, undefined));
  assert.equal(after(observationOf([STOPPED])), "check");
  assert.equal(after(observationOf([vmState({ vmid: vmidOf(7) }), STOPPED])), "check");
  assert.equal(after(observationOf([])), "failed -");
  assert.equal(after(observationOf([vmState()])), "failed -");
  assert.equal(after({ kind: "failed", said: "no route to host" }), "failed -");
});

test("right before the call a freeze, a change, an edited file, another's end, a ledger moved, a lost lock and the deadline each stop it", () => {
  const refusal = refuse("overloaded", {});
  const unchanged = { changed: [], displaced: undefined, edited: undefined, frozen: undefined };
  const clear = { ...unchanged, isEnding: false, isLate: false, isOver: false };
  const after = (check: Partial<Extract<LastCheck, { readonly isLate: boolean }>>): string =>
    to(afterCheck({ at: "check", claim: CLAIM, seen: STOPPED }, { ...clear, isOwner: true, ...check }));
  assert.equal(after({}), "send");
  assert.equal(after({ frozen: refusal }), "failed -");
  assert.equal(after({ changed: [refusal] }), "failed -");
  assert.equal(after({ edited: refusal }), "failed -");
  assert.equal(after({ isOver: true }), "failed -");
  assert.equal(after({ displaced: refusal }), "failed -");
  assert.equal(after({ isOwner: false }), "failed -");
  assert.equal(after({ isLate: true }), "failed -");
  assert.equal(after({ isEnding: true }), "failed -");
  assert.equal(
    to(afterCheck({ at: "check", claim: CLAIM, seen: STOPPED }, { unreadable: { said: "EIO" } })),
    "failed -",
  );
});

test("a call that was refused is failed, and one of which nothing is known is unknown", () => {
  const after = (sent: Parameters<typeof afterSend>[1]): string =>
    to(afterSend({ at: "send", claim: CLAIM, intent: INTENT }, sent));
  assert.equal(after({ kind: "sent", reference: "task-1" }), "dispatched");
  assert.equal(after({ diagnostics: [], kind: "failed" }), "failed -");
  assert.equal(after({ diagnostics: [], kind: "unknown" }), "unknown -");
});

test("a verdict that was not heard is unknown, and any other is looked at", () => {
  const at = { at: "verdict", claim: CLAIM, intent: INTENT, reference: "task-1" } as const;
  const after = (kind: "done" | "failed" | "unknown"): string => to(afterVerdict(at, { diagnostics: [], kind }));
  assert.deepEqual(
    [after("done"), after("failed"), after("unknown")],
    ["observe-after", "observe-after", "unknown task-1"],
  );
});

type Verdict = "done" | "failed";
const lookedAfter = (
  kind: Verdict,
  seen: ObservedAgain,
  before: VmState = STOPPED,
  claim: Claim = CLAIM,
): ApplyProgress =>
  afterObserveAfter(
    {
      at: "observe-after",
      claim,
      intent: durableIntent(claim, before),
      reference: "task-1",
      verdict: { diagnostics: [], kind },
    },
    seen,
  );

test("success is a verdict and an observation that agree, and nothing less", () => {
  assert.equal(to(lookedAfter("done", observationOf([vmState()]))), "succeeded task-1");
  assert.equal(to(lookedAfter("done", observationOf([STOPPED]))), "unknown task-1");
  assert.equal(to(lookedAfter("done", observationOf([], { complete: false }))), "unknown task-1");
  assert.equal(to(lookedAfter("done", { kind: "failed", said: "no route to host" })), "unknown task-1");
});

test("a provider that says failed is believed when the VM is seen untouched and the action did not happen", () => {
  assert.equal(to(lookedAfter("failed", observationOf([STOPPED]))), "failed task-1");
  assert.equal(to(lookedAfter("failed", observationOf([vmState()]))), "unknown task-1", "it happened all the same");
  assert.equal(
    to(lookedAfter("failed", observationOf([vmState({ cpus: 4, status: "stopped" })]))),
    "unknown task-1",
    "it changed",
  );
  assert.equal(to(lookedAfter("failed", observationOf([]))), "unknown task-1", "it is gone");
  assert.equal(to(lookedAfter("failed", { kind: "failed", said: "no route to host" })), "unknown task-1");
  assert.equal(
    to(lookedAfter("failed", observationOf([vmState()]), vmState())),
    "unknown task-1",
    "untouched, and as was wanted",
  );
});

test("where the VM showed before what it shows after, the outcome says that the provider's word alone tells", () => {
  const cause = (claim: Claim, before: VmState, after: VmState): string => {
    const progress = lookedAfter("done", observationOf([after]), before, claim);
    return progress.at === "conclude" ? progress.end.cause : "";
  };
  const reset = claimed({ action: { kind: "vm.reset" }, vms: [vmState()] });
  assert.equal(cause(reset, vmState(), vmState()), "provider-done-alone");
  assert.equal(cause(CLAIM, STOPPED, vmState()), "provider-done");
  const at = (parent: string): VmState =>
    vmState({ snapshots: { names: ["a", "b"], parent, withRam: [] }, status: "stopped" });
  const rollback = (before: VmState): Claim =>
    claimed({ action: { kind: "vm.snapshot.rollback", snapshot: "a" }, vms: [before] });
  assert.equal(cause(rollback(at("a")), at("a"), at("a")), "provider-done-alone", "it was there already");
  assert.equal(cause(rollback(at("b")), at("b"), at("a")), "provider-done");
});

test("an answer that was given before is no claim, and neither is a refusal", () => {
  const told = story();
  const { of } = planned(told);
  const refused = told.ask({ kind: "apply", of });
  assert.equal(refused.kind, "refused");
  const last = () => told.records.at(-1) ?? assert.fail("a record");
  assert.equal(claimOf({ kind: "recorded", record: last(), replayed: false }), undefined);
  apply(told, of);
  assert.equal(claimOf({ kind: "recorded", record: last(), replayed: true }), undefined);
  assert.notEqual(claimOf({ kind: "recorded", record: last(), replayed: false }), undefined);
});
