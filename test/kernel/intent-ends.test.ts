// How an intent goes on and ends, by code, cause and facts: whose word counts, what may be said, and when it is too
// early.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { find } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { SETTLE_MS } from "../../src/kernel/state/spans.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Observation, Refusal, VmState } from "../../src/spine/model.ts";
import { type Doubt, doubt, type Stated } from "../../src/spine/observed-codes.ts";
import { refuse, refuseStated } from "../../src/spine/rules/refusals.ts";
import { later } from "../../src/spine/values/instant.ts";
import { observationOf, VMID, vmidOf, state as vmState } from "../spine/world.ts";
import { accepted, blockedAt, YEAR_MS } from "./clocks.ts";
import { apply, ENDS, lastId, looked, planned, refusalsOf, type Story, story } from "./story.ts";

const claimed = (): { readonly told: Story; readonly intent: Ulid } => {
  const told = story();
  apply(told, planned(told).of);
  return { intent: lastId(told), told };
};
const byKernel = (told: Story, instance = told.instance) => ({ by: KERNEL_ACTOR, instance });
const refusedFor = (result: Result, ...refusals: readonly Refusal[]): void =>
  assert.deepEqual(refusalsOf(result), refusals, JSON.stringify(result));

const absent = (intent: Ulid): Refusal => refuse("intent-unknown", { cause: "absent", facts: { intent } });
const foreign = (intent: Ulid): Refusal => refuse("intent-unknown", { cause: "foreign", facts: { intent } });

test("of an intent that never was nothing is dispatched, ended or recovered", () => {
  const { told } = claimed();
  const intent = told.other;
  refusedFor(told.ask({ intent, kind: "dispatched", reference: "task" }, byKernel(told)), absent(intent));
  refusedFor(told.ask({ ...ENDS.failed, intent, kind: "outcome" }, byKernel(told)), absent(intent));
  refusedFor(told.ask({ ground: "owner-ended", intent, kind: "recover" }, byKernel(told)), absent(intent));
});

test("another process speaks for no intent but its own, and its own may be dispatched after it ended too", () => {
  const { intent, told } = claimed();
  const dispatched = { intent, kind: "dispatched", reference: "task" } as const;
  refusedFor(told.ask(dispatched, byKernel(told, told.other)), foreign(intent));
  refusedFor(told.ask({ ...ENDS.failed, intent, kind: "outcome" }, byKernel(told, told.other)), foreign(intent));
  assert.deepEqual(told.ask({ ...ENDS.failed, intent, kind: "outcome" }, byKernel(told)), {
    kind: "ended",
    late: false,
  });
  assert.deepEqual(told.ask(dispatched, byKernel(told)), { kind: "done" });
  assert.equal(recall(told.state().intents, intent)?.reference, "task");
  refusedFor(told.ask({ ground: "owner-ended", intent, kind: "recover" }, byKernel(told, told.other)), absent(intent));
});

test("what an outcome says, itself or by a diagnostic, is within the bounds of a reason", () => {
  const { intent, told } = claimed();
  const blank = refuse("reason-missing", { cause: "blank" });
  const ends = (more: object) =>
    told.ask({ cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", ...more }, byKernel(told));
  refusedFor(ends({ said: " " }), blank);
  refusedFor(ends({ diagnostics: [{ code: "answer-lost" }, { code: "adapter-failed", said: " " }] }), blank);
  refusedFor(ends({ diagnostics: [{ code: "adapter-failed", said: " " }], said: " " }), blank, blank);
  assert.deepEqual(ends({ diagnostics: [{ code: "adapter-failed", said: "reset" }], said: "no reply" }), {
    kind: "ended",
    late: false,
  });
});

test("an owner is alive until another process proves otherwise, or the settle time is over by a millisecond", () => {
  const { intent, told } = claimed();
  const settleBy = later(told.now(), SETTLE_MS("vm.start"));
  const alive = refuse("owner-alive", { facts: { intent, settleBy }, vmid: VMID });
  const recovers = (ground: RequestOf<"recover">["ground"], instance = told.instance) =>
    told.ask({ ground, intent, kind: "recover" }, byKernel(told, instance));
  refusedFor(recovers("owner-ended"), alive);
  refusedFor(recovers("past-settle-by", told.other), alive);
  told.pass(SETTLE_MS("vm.start"));
  refusedFor(recovers("past-settle-by"), alive);
  told.pass(1);
  refusedFor(recovers("owner-ended"), alive);
  assert.deepEqual(recovers("past-settle-by"), { kind: "ended", late: false });
});

/** An outcome that is unknown, so many milliseconds after its settle time. */
const blockedFor = (ms: number): { readonly told: Story; readonly intent: Ulid } => {
  const { intent, told } = claimed();
  told.ask({ ...ENDS.unknown, intent, kind: "outcome" }, byKernel(told));
  told.pass(SETTLE_MS("vm.start") + ms);
  return { intent, told };
};
const settledAt = ({ told }: { readonly told: Story }, ms: number) => later(told.now(), -ms);
const reconciles = (told: Story, intent: Ulid, observation: Observation, seen?: Ulid, environment = "home"): Result =>
  told.ask(
    { intent, kind: "reconcile", observation: seen ?? looked(told, observation) },
    { environment, given: { observation } },
  );
const shown = (told: Story, ...vms: readonly VmState[]): Observation => observationOf(vms, { observedAt: told.now() });

test("a VM is reconciled by the intent that blocks it, in its own environment", () => {
  const { intent, told } = blockedFor(1);
  const notBlocked = (of: Ulid) => refuse("vm-not-blocked", { cause: "intent", facts: { intent: of } });
  const seen = shown(told, vmState());
  refusedFor(reconciles(told, told.other, seen), notBlocked(told.other));
  refusedFor(reconciles(told, intent, seen, undefined, "away"), notBlocked(intent));
  assert.deepEqual(reconciles(told, intent, seen), { kind: "done" });
  refusedFor(reconciles(told, intent, seen), notBlocked(intent));
});

test("an observation ends nothing before a millisecond after the settle time, nor one without a time of its own", () => {
  const early = blockedFor(0);
  const refused = refuse("reconcile-early", { facts: { settleBy: settledAt(early, 0) }, vmid: VMID });
  refusedFor(reconciles(early.told, early.intent, shown(early.told, vmState())), refused);
  const before = looked(early.told, shown(early.told, vmState()));
  const seen = shown(early.told, vmState());
  early.told.pass(1);
  refusedFor(reconciles(early.told, early.intent, seen, before), refused);
  const { observedAt: _, ...timeless } = shown(early.told, vmState());
  refusedFor(reconciles(early.told, early.intent, timeless), refused);
  assert.deepEqual(reconciles(early.told, early.intent, shown(early.told, vmState())), { kind: "done" });
});

test("what is not clear of the VM itself ends nothing, and what is not clear of another does not matter", () => {
  const { intent, told } = blockedFor(1);
  const unclear = (stated: Doubt | Stated<"locked">): Refusal =>
    refuseStated("reconcile-unclear", stated, { facts: {}, vmid: VMID });
  const other = vmState({ name: "web-02", status: "unknown", vmid: vmidOf(102) });
  refusedFor(reconciles(told, intent, shown(told, vmState({ status: "unknown" }))), unclear(doubt("not-told")));
  const partial = { ...shown(told, other), complete: false };
  refusedFor(reconciles(told, intent, partial), unclear(doubt("not-seen")));
  const [all, one] = [
    { actions: "all", code: "locked", facts: { lock: "backup" } },
    { actions: ["vm.start"], code: "locked", facts: { lock: "backup" } },
  ] as const;
  refusedFor(reconciles(told, intent, shown(told, vmState({ blockers: [one, all] }))), unclear(all));
  assert.deepEqual(reconciles(told, intent, shown(told, vmState({ blockers: [one] }), other)), { kind: "done" });
});

test("an observation that was stamped by a clock ahead ends nothing once the clock was set right", () => {
  const told = story();
  blockedAt(told);
  const { id: intent } = find(told.state().blocked, () => true) ?? assert.fail("it is blocked");
  told.pass(YEAR_MS);
  const seen = looked(told, observationOf([vmState()], { observedAt: told.now() }));
  told.pass(-YEAR_MS);
  assert.deepEqual(accepted(told), []);
  refusedFor(
    told.ask({ intent, kind: "reconcile", observation: seen }),
    refuse("observation-unknown", { cause: "not-live", facts: { observation: seen } }),
  );
});
