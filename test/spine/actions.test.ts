// The catalogue of actions: closed, consistent with itself, and judged on every state of a VM.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Tier } from "../../src/spine/model.ts";
import { ACTIONS, higherTier, isActionKind, rowOf, tierOf, unmet } from "../../src/spine/rules/actions.ts";
import { ACTION_KINDS, vmState } from "./arbitraries.ts";
import { judge, observationOf, state, wantRunning } from "./world.ts";

/** From the least agreement to the most. */
const TIERS: readonly Tier[] = ["read", "low", "medium", "high", "irreversible"];

test("nothing that every object inherits is an action", () => {
  for (const word of ["toString", "constructor", "__proto__", "", "vm", undefined, 7, ["vm.start"]])
    assert.ok(!isActionKind(word));
  assert.deepEqual(ACTION_KINDS, Object.keys(ACTIONS));
});

test("a protected VM may be started, resumed and snapshotted, and nothing else", () => {
  assert.deepEqual(
    ACTION_KINDS.filter((kind) => rowOf(kind).onProtected),
    ["vm.start", "vm.resume", "vm.snapshot.create"],
  );
});

test("nothing that interrupts, stops or loses is allowed on a protected VM or in the lowest tier", () => {
  for (const kind of ACTION_KINDS) {
    const { onProtected, power, tier, undo } = rowOf(kind);
    const harms = power === "interrupts" || power === "stops" || undo !== "reversible";
    if (!harms) continue;
    assert.ok(!onProtected, kind);
    assert.notEqual(tier, "low", kind);
  }
});

test("what cannot be undone is the highest tier", () => {
  for (const kind of ACTION_KINDS)
    assert.equal(rowOf(kind).tier === "irreversible", rowOf(kind).undo === "irreversible");
});

test("a precondition is met exactly when status and pause are as the row says", () => {
  fc.assert(
    fc.property(vmState, fc.constantFrom(...ACTION_KINDS), (seen, kind) => {
      const { before } = rowOf(kind);
      const fits =
        (before.status === "any" || before.status === seen.status) &&
        (before.paused === "any" || before.paused === (seen.paused === true));
      assert.equal(unmet(rowOf(kind), seen) === undefined, fits);
    }),
    { numRuns: 300 },
  );
});

test("what is unmet is the status, or whether the guest executes", () => {
  assert.equal(unmet(rowOf("vm.start"), state()), "status");
  assert.equal(unmet(rowOf("vm.shutdown"), state({ paused: true })), "paused");
  assert.equal(unmet(rowOf("vm.resume"), state()), "not-paused");
});

test("of two tiers the higher wins, in either order", () => {
  for (const [low, one] of TIERS.entries()) {
    for (const other of TIERS.slice(low)) {
      assert.equal(higherTier(one, other), other);
      assert.equal(higherTier(other, one), other);
    }
  }
});

test("a resize that waits for a restart is of the tier of one that applies at once: it restarts nothing", () => {
  for (const resize of ["hot", "restart"] as const) {
    const { plan, verdict } = judge({
      observation: observationOf([state({ cpus: 2, resize })]),
      entries: [wantRunning({ cpus: 4 })],
    });
    const [step] = plan.answers;
    assert.ok(step?.kind === "step");
    assert.equal(step.applies, resize === "hot" ? "now" : "at-restart");
    assert.deepEqual(verdict, { kind: "clear", tiers: [{ step: step.hash, tier: "medium" }] });
  }
  assert.equal(tierOf({ action: { kind: "vm.reset" } }, ACTIONS), "high", "a restart by force has its own tier");
});

test("what each action needs before it is what the catalogue promises", () => {
  const needs = (kind: (typeof ACTION_KINDS)[number]): string => {
    const fits = [state({ status: "stopped" }), state(), state({ paused: true })].map(
      (seen) => unmet(rowOf(kind), seen) === undefined,
    );
    return ["stopped", "executing", "paused"].filter((_, at) => fits[at]).join(" ");
  };
  const any = "stopped executing paused";
  assert.deepEqual(Object.fromEntries(ACTION_KINDS.map((kind) => [kind, needs(kind)])), {
    "vm.clone": any,
    "vm.delete": "stopped",
    "vm.migrate": any,
    "vm.reboot": "executing",
    "vm.reset": "executing paused",
    "vm.resize": any,
    "vm.resume": "paused",
    "vm.shutdown": "executing",
    "vm.snapshot.create": any,
    "vm.snapshot.delete": any,
    "vm.snapshot.rollback": any,
    "vm.start": "stopped",
    "vm.stop": "executing paused",
    "vm.suspend": "executing",
  });
});
