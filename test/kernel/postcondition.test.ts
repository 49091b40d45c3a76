// What an observation after the act proves, action by action. Unclear is neither success nor failure.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type PostconditionProof, proofOf } from "../../src/kernel/apply/postcondition.ts";
import type { Action, Observation, PlanStep, VmState } from "../../src/spine/model.ts";
import { actionOf } from "../spine/one-of-each.ts";
import { GiB, judge, observationOf, request, state, VMID, vmidOf } from "../spine/world.ts";

/** A step of this action; what it stands on is of no matter after the act. */
const stepOf = (action: Action, more: Partial<PlanStep> = {}): PlanStep => {
  const { plan } = judge({
    observation: observationOf([state({ status: "stopped" })]),
    entries: [request({ kind: "vm.start" })],
  });
  const step = plan.answers.find((answer) => answer.kind === "step") ?? assert.fail("there is a step");
  return { ...step, action, ...more };
};
const judged = (action: Action, before: VmState, after: VmState | Observation, more: Partial<PlanStep> = {}) =>
  proofOf(stepOf(action, more), before, "vms" in after ? after : observationOf([after])).kind;
type Kind = PostconditionProof["kind"];

const RUNNING = state();
const STOPPED = state({ status: "stopped" });
const PAUSED = state({ paused: true });
/** PVE never says so; nothing must be concluded from it. */
const STOPPED_AND_PAUSED = state({ paused: true, status: "stopped" });

test("power actions hold only in the state that they bring about", () => {
  const rows: readonly (readonly [Action["kind"], running: Kind, stopped: Kind, paused: Kind])[] = [
    ["vm.start", "holds", "fails", "fails"],
    ["vm.resume", "holds", "fails", "fails"],
    ["vm.suspend", "fails", "fails", "holds"],
    ["vm.shutdown", "fails", "holds", "fails"],
    ["vm.stop", "fails", "holds", "fails"],
    ["vm.reset", "holds", "holds", "holds"],
  ];
  for (const [kind, ...expected] of rows) {
    const action = { kind } as Action;
    assert.deepEqual(
      [RUNNING, STOPPED, PAUSED].map((after) => judged(action, RUNNING, after)),
      expected,
      kind,
    );
  }
  assert.equal(judged({ kind: "vm.suspend" }, RUNNING, STOPPED_AND_PAUSED), "fails");
});

test("a VM that was not seen proves nothing, and one that is gone proves only its deletion", () => {
  const unseen = observationOf([], { complete: false, gaps: [{ code: "stated", said: "the node did not answer" }] });
  const doubtful = observationOf([state({ because: { code: "stated", said: "no answer" }, status: "unknown" })]);
  for (const kind of ["vm.start", "vm.stop", "vm.delete", "vm.reset"] as const) {
    assert.equal(judged({ kind }, RUNNING, unseen), "unclear", kind);
    assert.equal(judged({ kind }, RUNNING, doubtful), "unclear", kind);
  }
  assert.equal(judged({ kind: "vm.stop" }, RUNNING, observationOf([])), "fails");
  assert.equal(judged({ kind: "vm.reset" }, RUNNING, observationOf([])), "fails");
  assert.equal(judged({ kind: "vm.delete" }, STOPPED, observationOf([])), "holds");
  assert.equal(judged({ kind: "vm.delete" }, STOPPED, STOPPED), "fails");
});

test("another VM under the same vmid proves nothing of the one that was acted on", () => {
  const before = state({ identity: "uuid a" });
  const stopped = (identity?: string): VmState =>
    state({ status: "stopped", ...(identity === undefined ? {} : { identity }) });
  assert.equal(judged({ kind: "vm.stop" }, before, stopped("uuid a")), "holds");
  assert.equal(judged({ kind: "vm.stop" }, before, stopped("uuid b")), "unclear");
  assert.equal(judged({ kind: "vm.stop" }, before, stopped()), "unclear");
  assert.equal(judged({ kind: "vm.stop" }, RUNNING, stopped("uuid b")), "holds", "no identity was known before");
  assert.equal(judged({ kind: "vm.reset" }, before, state({ identity: "uuid b" })), "unclear");
});

test("a reboot is proven by another boot of a running VM, and by nothing less", () => {
  const reboot = (before: VmState, after: VmState): Kind => judged({ kind: "vm.reboot" }, before, after);
  const booted = (boot: string, more: Partial<VmState> = {}): VmState => state({ boot, ...more });
  assert.equal(reboot(booted("1"), booted("2")), "holds");
  assert.equal(reboot(booted("1"), booted("1")), "fails");
  assert.equal(reboot(booted("1"), booted("2", { status: "stopped" })), "fails");
  assert.equal(reboot(booted("1"), booted("2", { paused: true })), "fails");
  assert.equal(reboot(RUNNING, booted("2")), "unclear");
  assert.equal(reboot(booted("1"), RUNNING), "unclear");
});

test("sizes hold when each that was asked for is active, and nothing else waits", () => {
  const resize = (after: Partial<VmState>): Kind =>
    judged({ cpus: 4, kind: "vm.resize", memory: 2 * GiB }, RUNNING, state(after), { applies: "now" });
  assert.equal(resize({ cpus: 4, maxmem: 2 * GiB }), "holds");
  assert.equal(resize({ cpus: 2, maxmem: 2 * GiB }), "fails");
  assert.equal(resize({ cpus: 4, maxmem: GiB }), "fails");
  assert.equal(resize({ cpus: 4 }), "fails");
  assert.equal(resize({ cpus: 4, maxmem: 2 * GiB, pending: { cpus: 8 } }), "fails", "another size waits");
  assert.equal(resize({ cpus: 4, maxmem: 2 * GiB, pending: { maxmem: GiB } }), "fails", "another size waits");
  assert.equal(resize({ cpus: 2, maxmem: 2 * GiB, pending: { cpus: 4 } }), "fails", "it was to be active at once");
  assert.equal(resize({ cpus: 4, maxmem: 2 * GiB, pending: { cpus: 4 } }), "holds");
});

test("sizes that wait for a restart hold when they wait, or are active with nothing pending", () => {
  const resize = (after: Partial<VmState>): Kind =>
    judged({ cpus: 4, kind: "vm.resize" }, RUNNING, state(after), { applies: "at-restart" });
  assert.equal(resize({ cpus: 2, pending: { cpus: 4 } }), "holds");
  assert.equal(resize({ cpus: 4 }), "holds");
  assert.equal(resize({ cpus: 2 }), "fails");
  assert.equal(resize({ cpus: 4, pending: { cpus: 2 } }), "fails", "what waits will undo it");
  assert.equal(
    resize({ cpus: 2, maxmem: GiB, pending: { cpus: 4, maxmem: 8 * GiB } }),
    "holds",
    "memory was not asked",
  );
});

test("a snapshot that is missing and one that is still there are told apart", () => {
  for (const [kind, names, cause] of [
    ["vm.snapshot.create", [], "after-snapshot-absent"],
    ["vm.snapshot.delete", ["before"], "after-snapshot-present"],
  ] as const) {
    const after = observationOf([state({ snapshots: { names } })]);
    const proof = proofOf(stepOf({ kind, snapshot: "before" }), RUNNING, after);
    assert.ok(proof.kind === "fails");
    assert.deepEqual([proof.end.cause, proof.end.facts], [cause, { snapshot: "before" }]);
  }
});

test("a snapshot is proven by the list of snapshots", () => {
  const shown = (kind: "create" | "delete", names: readonly string[]): Kind =>
    judged({ kind: `vm.snapshot.${kind}`, snapshot: "before" } as Action, RUNNING, state({ snapshots: { names } }));
  assert.equal(shown("create", ["before"]), "holds");
  assert.equal(shown("create", ["other"]), "fails");
  assert.equal(shown("delete", ["other"]), "holds");
  assert.equal(shown("delete", ["before"]), "fails");
  for (const kind of ["create", "delete", "rollback"] as const) {
    const action = { kind: `vm.snapshot.${kind}`, snapshot: "before" } as Action;
    assert.equal(judged(action, RUNNING, RUNNING), "unclear", "the list was not seen");
  }
});

test("a clone is proven by another VM with an identity of its own", () => {
  const before = state({ identity: "uuid a" });
  const to = vmidOf(201);
  const clone = (vms: readonly VmState[], complete = true, from = before): Kind =>
    judged({ kind: "vm.clone", name: "web-02", to } as Action, from, observationOf([from, ...vms], { complete }));
  const made = (identity?: string): VmState =>
    state({ name: "web-02", vmid: to, ...(identity === undefined ? {} : { identity }) });
  assert.equal(clone([made("uuid b")]), "holds");
  assert.equal(clone([made("uuid a")]), "fails");
  assert.equal(clone([made()]), "unclear");
  assert.equal(clone([made("uuid b")], true, RUNNING), "unclear");
  assert.equal(clone([]), "fails");
  assert.equal(clone([], false), "unclear");
  assert.equal(VMID, before.vmid);
});

test("a move to another node is not proven by what is seen of the VM", () => {
  assert.equal(judged(actionOf("vm.migrate"), RUNNING, RUNNING), "unclear");
});
