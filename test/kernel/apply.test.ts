// From a plan to an intent and its outcome: what the decider grants, and to whom.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { VmState } from "../../src/spine/model.ts";
import { observationOf, state as vmState, wantStopped } from "../spine/world.ts";
import { ALICE, apply, approve, BOB, CAROL, codesOf, lastId, looked, planned, ROBO, story } from "./story.ts";

const STOP = { vms: [vmState()], entries: [wantStopped("power-off")] } as const;

test("a low step is applied by a person who confirms it", () => {
  const told = story();
  const { of } = planned(told);
  assert.equal(apply(told, of).kind, "intended");
  assert.equal(told.state().open.size, 1);
});

test("a high step in a single-operator environment needs an approval of its own before the confirmation", () => {
  const told = story();
  const { of } = planned(told, STOP);
  assert.deepEqual(codesOf(apply(told, of)), ["approval-missing"]);
  assert.equal(approve(told, of, ALICE).kind, "approved");
  const result = apply(told, of);
  assert.equal(result.kind, "intended");
  assert.deepEqual(result.kind === "intended" && result.approvedBy, ["alice"]);
});

test("a high step under four eyes is approved by another person and applied through the service", () => {
  const told = story("four-eyes");
  const { of } = planned(told, { ...STOP, by: CAROL });
  const atService = { door: "service" } as const;
  assert.deepEqual(codesOf(approve(told, of, CAROL, atService)), ["approval-own"]);
  assert.deepEqual(codesOf(approve(told, of, BOB)), ["service-needed"]);
  assert.equal(approve(told, of, BOB, atService).kind, "approved");
  assert.deepEqual(codesOf(apply(told, of, CAROL)), ["service-needed"]);
  assert.equal(apply(told, of, CAROL, { door: "service" }).kind, "intended");
});

test("an agent's low step waits for one person, its high step for two", () => {
  const low = story();
  const start = planned(low, { by: ROBO });
  const asAgent = { by: ROBO, door: "service" } as const;
  assert.deepEqual(codesOf(low.ask({ kind: "apply", of: start.of }, asAgent)), ["approval-missing"]);
  approve(low, start.of, BOB);
  assert.equal(low.ask({ kind: "apply", of: start.of }, asAgent).kind, "intended");

  const high = story();
  const stop = planned(high, { ...STOP, by: ROBO });
  approve(high, stop.of, BOB);
  approve(high, stop.of, BOB);
  assert.deepEqual(codesOf(high.ask({ kind: "apply", of: stop.of }, asAgent)), ["approval-missing"]);
  approve(high, stop.of, CAROL);
  const result = high.ask({ kind: "apply", of: stop.of }, asAgent);
  assert.deepEqual(result.kind === "intended" && result.approvedBy, ["bob", "carol"]);
});

test("what cannot be undone needs the VM's name, typed", () => {
  const told = story();
  const { of } = planned(told, { action: { kind: "vm.delete" } });
  approve(told, of, ALICE);
  assert.deepEqual(codesOf(apply(told, of)), ["name-not-typed"]);
  assert.deepEqual(codesOf(apply(told, of, ALICE, { name: "web-1" })), ["name-not-typed"]);
  assert.equal(apply(told, of, ALICE, { name: "web-01" }).kind, "intended");
});

test("an outcome ends the intent; an unknown one blocks the VM until an observation after the settle time", () => {
  const told = story();
  const { of } = planned(told);
  const granted = apply(told, of);
  const intent = lastId(told);
  assert.equal(granted.kind, "intended");
  told.ask(
    { cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", said: "the reply was lost" },
    { by: KERNEL_ACTOR },
  );
  assert.equal(told.state().open.size, 0);
  assert.equal(get(told.state().blocked, "home/101")?.id, intent);

  const again = planned(told);
  assert.deepEqual(codesOf(apply(told, again.of)), ["vm-blocked"]);

  const reconcile = (more: Partial<VmState> = {}) => {
    const observation = observationOf([vmState(more)], { observedAt: told.now() });
    return told.ask({ intent, kind: "reconcile", observation: looked(told, observation) }, { given: { observation } });
  };
  assert.deepEqual(codesOf(reconcile()), ["reconcile-early"]);
  told.pass(11 * 60_000);
  assert.deepEqual(codesOf(reconcile({ status: "unknown" })), ["reconcile-unclear"]);
  assert.deepEqual(codesOf(reconcile({ blockers: [{ actions: "all", code: "locked", facts: { lock: "backup" } }] })), [
    "reconcile-unclear",
  ]);
  assert.equal(reconcile().kind, "done");
  assert.equal(told.state().blocked.size, 0);
  assert.equal(apply(told, planned(told).of).kind, "intended");
});

test("an outcome that comes after a recovery is kept as a late fact and unblocks nothing", () => {
  const told = story();
  const { of } = planned(told);
  apply(told, of);
  const intent = lastId(told);
  const recover = (ground: "owner-ended" | "past-settle-by", instance = told.other) =>
    told.ask({ ground, intent, kind: "recover" }, { by: KERNEL_ACTOR, instance });
  assert.deepEqual(codesOf(recover("past-settle-by")), ["owner-alive"]);
  assert.deepEqual(codesOf(recover("owner-ended", told.instance)), ["owner-alive"]);
  assert.deepEqual(recover("owner-ended"), { kind: "ended", late: false });
  assert.equal(told.state().blocked.size, 1);
  const late = told.ask(
    { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "done" },
    { by: KERNEL_ACTOR },
  );
  assert.deepEqual(late, { kind: "ended", late: true });
  assert.equal(told.state().blocked.size, 1);
});

test("an intent past its settle time is recovered by anybody", () => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.pass(10 * 60_000 + 1);
  const result = told.ask(
    { ground: "past-settle-by", intent, kind: "recover" },
    { by: KERNEL_ACTOR, instance: told.other },
  );
  assert.deepEqual(result, { kind: "ended", late: false });
});

test("a plan is superseded by the next of the same requester and scope, and by nobody else's", () => {
  const told = story();
  const first = planned(told);
  const agents = planned(told, { by: ROBO });
  assert.equal(apply(told, first.of).kind, "intended");
  const told2 = story();
  const older = planned(told2);
  const newer = planned(told2, { vms: [vmState({ revision: "2", status: "stopped" })] });
  assert.deepEqual(codesOf(apply(told2, older.of)), ["plan-closed"]);
  assert.equal(apply(told2, newer.of).kind, "intended");
  assert.notEqual(agents.id, first.id);
});

test("a canceled plan is over", () => {
  const told = story();
  const { id, of } = planned(told);
  assert.equal(told.ask({ kind: "cancel", plan: id, reason: "not today" }).kind, "done");
  assert.deepEqual(codesOf(apply(told, of)), ["plan-closed"]);
  assert.deepEqual(codesOf(told.ask({ kind: "cancel", plan: id, reason: "again" })), ["plan-closed"]);
});

test("a revoked approval does not count, and only its giver revokes it", () => {
  const told = story();
  const { id, of } = planned(told, STOP);
  approve(told, of, BOB);
  const approval = lastId(told);
  const revoke = (by: typeof BOB) =>
    told.ask({ approval, kind: "revoke", plan: id, reason: "changed my mind" }, { by });
  assert.deepEqual(codesOf(revoke(CAROL)), ["approval-unknown"]);
  assert.equal(revoke(BOB).kind, "done");
  assert.deepEqual(codesOf(apply(told, of)), ["approval-missing"]);
});

test("a plan and its approvals end with the observation they stand on", () => {
  const told = story();
  const high = planned(told, STOP);
  approve(told, high.of, BOB);
  told.pass(15 * 60_000);
  assert.deepEqual(codesOf(apply(told, high.of)), ["step-expired"]);
  const low = planned(told);
  told.pass(59 * 60_000);
  assert.equal(apply(told, low.of).kind, "intended");
});
