// Edges of the protocol that a whole apply reaches only by chance.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableIntent } from "../../src/adapters/actuator.ts";
import type { Claim } from "../../src/kernel/claim.ts";
import { afterLookAfter, type Progress } from "../../src/kernel/protocol.ts";
import type { Action, PlanStep, VmState } from "../../src/spine/model.ts";
import { judge, look, request, state } from "../spine/world.ts";

const stepOn = (action: Action, seen: VmState): PlanStep => {
  const [answer] = judge({ observation: look([seen]), wishes: [request(action)] }).plan.answers;
  assert.ok(answer?.kind === "step", JSON.stringify(answer));
  return answer;
};

const endedAs = (action: Action, seen: VmState, after: VmState, found?: string): string => {
  const step = stepOn(action, seen);
  const progress = {
    at: "look-after",
    claim: { step } as Claim,
    ...(found === undefined ? {} : { found }),
    intent: { seen, step } as DurableIntent,
    reference: "UPID:…",
    verdict: { because: "OK", kind: "done" },
  } as Progress & { readonly at: "look-after" };
  const next = afterLookAfter(progress, look([after]));
  assert.ok(next.at === "conclude");
  return next.end.outcome;
};

test("a task that was only found proves nothing where the VM looks as it did before", () => {
  const reset = { kind: "vm.reset" } as const;
  assert.equal(endedAs(reset, state(), state(), "found in a list"), "unknown");
  assert.equal(endedAs(reset, state(), state()), "succeeded");
  const back = { kind: "vm.snapshot.rollback", snapshot: "before" } as const;
  const there = state({ snapshots: { names: ["before"], parent: "before", withRam: [] }, status: "stopped" });
  assert.equal(endedAs(back, there, there, "found in a list"), "unknown");
  assert.equal(endedAs(back, there, there), "succeeded");
  const running = { ...there, status: "running" } as const;
  assert.equal(endedAs(back, running, there, "found in a list"), "succeeded");
});
