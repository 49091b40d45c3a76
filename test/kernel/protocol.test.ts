// Edges of the protocol that a whole apply reaches only by chance.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableIntent } from "../../src/adapters/actuator.ts";
import type { Claim } from "../../src/kernel/apply/claim.ts";
import {
  type ApplyProgress,
  afterObserve,
  afterObserveAfter,
  afterSend,
  hasMoved,
} from "../../src/kernel/apply/protocol.ts";
import type { Diagnostic } from "../../src/spine/diagnostic-codes.ts";
import type { Action, PlanStep, VmState } from "../../src/spine/model.ts";
import { judge, observationOf, request, state } from "../spine/world.ts";

const stepOn = (action: Action, seen: VmState): PlanStep => {
  const [answer] = judge({ observation: observationOf([seen]), entries: [request(action)] }).plan.answers;
  assert.ok(answer?.kind === "step", JSON.stringify(answer));
  return answer;
};

const LISTED: readonly Diagnostic[] = [{ code: "answer-lost" }, { code: "task-listed" }];

const endedAs = (action: Action, seen: VmState, after: VmState, found?: readonly Diagnostic[]): string => {
  const step = stepOn(action, seen);
  const progress = {
    at: "observe-after",
    claim: { step } as Claim,
    ...(found === undefined ? {} : { found }),
    intent: { seen, step } as DurableIntent,
    reference: "UPID:…",
    verdict: { diagnostics: [{ code: "task-done" }], kind: "done" },
  } as ApplyProgress & { readonly at: "observe-after" };
  const next = afterObserveAfter(progress, observationOf([after]));
  assert.ok(next.at === "conclude");
  return next.end.outcome;
};

test("a task that was only found proves nothing where the VM looks as it did before", () => {
  const reset = { kind: "vm.reset" } as const;
  assert.equal(endedAs(reset, state(), state(), LISTED), "unknown");
  assert.equal(endedAs(reset, state(), state()), "succeeded");
  const back = { kind: "vm.snapshot.rollback", snapshot: "before" } as const;
  const there = state({ snapshots: { names: ["before"], parent: "before", withRam: [] }, status: "stopped" });
  assert.equal(endedAs(back, there, there, LISTED), "unknown");
  assert.equal(endedAs(back, there, there), "succeeded");
  const running = { ...there, status: "running" } as const;
  assert.equal(endedAs(back, running, there, LISTED), "succeeded");
});

const refusedAs = (action: Action, seen: VmState, after: VmState): string => {
  const step = stepOn(action, seen);
  const progress = { at: "send", claim: { step } as Claim, intent: { seen, step } as DurableIntent } as const;
  const next = afterSend(progress, {
    diagnostics: [{ code: "call-refused", facts: { httpStatus: 500 } }],
    kind: "refused",
  });
  assert.ok(next.at === "observe-after", "a provider that says no at once is believed by an observation alone");
  const last = afterObserveAfter(next, observationOf([after]));
  assert.ok(last.at === "conclude");
  assert.equal(last.end.reference, undefined);
  return last.end.outcome;
};

test("a provider that said no at once and has no task of it has failed, if the VM is untouched", () => {
  const resize = { cpus: 4, kind: "vm.resize" } as const;
  const seen = state({ cpus: 2, revision: "a" });
  assert.equal(refusedAs(resize, seen, seen), "failed");
  assert.equal(refusedAs(resize, seen, { ...seen, revision: "b" }), "unknown");
  const busy = { ...seen, blockers: [{ actions: "all", code: "task-at-work", facts: { task: "backup" } }] } as const;
  assert.equal(refusedAs(resize, seen, busy), "unknown");
});

test("a VM that the provider moved to another node is the one that was planned on", () => {
  const before = state({ node: "pve1", status: "stopped" });
  const progress = { at: "observe", claim: { step: stepOn({ kind: "vm.start" }, before) } as Claim } as const;
  const elsewhere = { ...before, node: "pve2" };
  assert.equal(hasMoved(progress, observationOf([elsewhere])), false);
  assert.deepEqual(afterObserve(progress, observationOf([elsewhere]), before), {
    at: "check",
    claim: progress.claim,
    seen: elsewhere,
  });
  assert.equal(hasMoved(progress, observationOf([{ ...elsewhere, name: "another" }])), true);
});

test("a world that moved says what changed, by the state that was planned on and by no other", () => {
  const before = state({ status: "stopped", tags: ["web"] });
  const step = stepOn({ kind: "vm.start" }, before);
  const progress = { at: "observe", claim: { step } as Claim } as const;
  const seen = observationOf([{ ...before, status: "running", tags: ["web", "x"] }]);
  const ended = (planned: VmState | undefined) => {
    const next = afterObserve(progress, seen, planned);
    assert.ok(next.at === "conclude");
    return [next.end.outcome, next.end.cause, next.end.changed];
  };
  assert.equal(hasMoved(progress, seen), true);
  assert.equal(hasMoved(progress, observationOf([before])), false);
  assert.equal(hasMoved(progress, observationOf([])), false);
  assert.equal(hasMoved(progress, { kind: "failed", said: "no answer" }), false);
  assert.deepEqual(ended(before), [
    "failed",
    "vm-changed",
    [
      { field: "status", now: "running", was: "stopped" },
      { field: "tags", now: ["web", "x"], was: ["web"] },
    ],
  ]);
  const plain = ["failed", "vm-changed", undefined];
  assert.deepEqual(ended(undefined), plain);
  assert.deepEqual(
    ended({ ...before, name: "another" }),
    plain,
    "a state that the step does not stand on tells nothing",
  );
});
