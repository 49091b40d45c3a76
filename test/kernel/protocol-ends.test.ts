// How an apply ends, whole: the cause, what came between us and the provider, what was said, and the provider's
// reference.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableIntent } from "../../src/adapters/actuator.ts";
import type { Claim } from "../../src/kernel/apply/claim.ts";
import { type ApplyProgress, afterAnchor, afterObserveAfter, type End } from "../../src/kernel/apply/protocol.ts";
import type { Diagnostic } from "../../src/spine/diagnostic-codes.ts";
import type { PlanStep } from "../../src/spine/model.ts";
import { doubt } from "../../src/spine/observed-codes.ts";
import { judge, observationOf, request, state } from "../spine/world.ts";

const STOPPED = state({ status: "stopped" });
const FOUND: readonly Diagnostic[] = [{ code: "answer-lost" }, { code: "task-listed" }];

const stepToStart = (): PlanStep => {
  const [answer] = judge({ entries: [request({ kind: "vm.start" })], observation: observationOf([STOPPED]) }).plan
    .answers;
  assert.ok(answer?.kind === "step", JSON.stringify(answer));
  return answer;
};
const STEP = stepToStart();
const CLAIM = { step: STEP } as Claim;

const endOf = (progress: ApplyProgress): End => (progress.at === "conclude" ? progress.end : assert.fail(progress.at));

test("an intent that no checkpoint covers ends by why: behind, or unwritable with the reason", () => {
  const at = { at: "anchor", claim: CLAIM } as const;
  assert.deepEqual(afterAnchor(at, undefined), { at: "observe", claim: CLAIM });
  assert.deepEqual(endOf(afterAnchor(at, { kind: "behind" })), { cause: "anchor-behind", outcome: "failed" });
  assert.deepEqual(endOf(afterAnchor(at, { kind: "unwritable", why: { said: "full" } })), {
    cause: "anchor-unwritable",
    outcome: "failed",
    said: "full",
  });
});

const done = (found?: readonly Diagnostic[]): ApplyProgress & { readonly at: "observe-after" } => ({
  at: "observe-after",
  claim: CLAIM,
  ...(found === undefined ? {} : { found }),
  intent: { seen: STOPPED, step: STEP } as DurableIntent,
  reference: "UPID:1",
  verdict: { diagnostics: [{ code: "task-done" }], kind: "done" },
});

test("where nothing was seen afterwards, how the task was found is told, and nothing where its answer came", () => {
  const unseen = { kind: "failed", said: "no answer" } as const;
  const end = { cause: "after-unobserved", outcome: "unknown", reference: "UPID:1", said: "no answer" };
  assert.deepEqual(endOf(afterObserveAfter(done(), unseen)), end);
  assert.deepEqual(endOf(afterObserveAfter(done(FOUND), unseen)), { ...end, diagnostics: FOUND });
});

test("where the VM does not show it, how the task was found comes before what the observation says", () => {
  const end = {
    cause: "after-status-other",
    facts: { expected: "running", status: "stopped" },
    outcome: "unknown",
    reference: "UPID:1",
  };
  assert.deepEqual(endOf(afterObserveAfter(done(), observationOf([STOPPED]))), end);
  assert.deepEqual(endOf(afterObserveAfter(done(FOUND), observationOf([STOPPED]))), { ...end, diagnostics: FOUND });
});

test("what stood in the way of seeing the VM is told behind how the task was found", () => {
  const between: Diagnostic = { code: "adapter-failed", said: "reset" };
  const because = doubt("not-told", { diagnostic: between });
  const hidden = observationOf([state({ because, status: "unknown" })]);
  const end = { cause: "after-vm-unknown", facts: { doubt: "not-told" }, outcome: "unknown", reference: "UPID:1" };
  assert.deepEqual(endOf(afterObserveAfter(done(), hidden)), { ...end, diagnostics: [between] });
  assert.deepEqual(endOf(afterObserveAfter(done(FOUND), hidden)), { ...end, diagnostics: [...FOUND, between] });
});
