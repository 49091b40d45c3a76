// A plan that is made again on an unchanged world is the plan that stands: it keeps its id, its end and its approvals.
// Whatever differs makes another plan, which supersedes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { VmState } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { desiredFor, observationOf, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";
import { again } from "./day.ts";
import {
  apply,
  approve,
  BOB,
  codesOf,
  configOf,
  lastId,
  looked,
  planned,
  ROBO,
  type Setting,
  type Story,
  story,
} from "./story.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
const MINUTE_MS = 60_000;

test("a plan made again keeps the id, the end and the approvals of the one that stands", async () => {
  const told = story();
  const observedAt = told.now();
  const first = planned(told, STOP);
  approve(told, first.of, BOB);
  told.pass(5 * MINUTE_MS);
  const second = planned(told, STOP);
  assert.deepEqual(second.result, { endsAt: later(observedAt, 15 * MINUTE_MS), kind: "unchanged", plan: first.id });
  const plan = recall(told.state().plans, first.id) ?? assert.fail("the plan is known");
  assert.deepEqual([plan.closed, plan.approvals.length, plan.observedAt], [undefined, 1, observedAt]);
  assert.equal(told.records.at(-1)?.blobs, undefined, "nothing is stored a second time");
  assert.equal(apply(told, first.of).kind, "intended");
  assert.equal((await again(told)).kind, "equal");
});

test("a plan that is past the end of any of its steps is made anew", () => {
  const told = story();
  const two = {
    vms: [vmState(), vmState({ name: "web-02", status: "stopped", vmid: vmidOf(102) })],
    entries: [wantStopped("power-off"), wantRunning({ name: "web-02", vmid: vmidOf(102) })],
  };
  const first = planned(told, two);
  told.pass(15 * MINUTE_MS - 1);
  assert.equal(planned(told, two).id, first.id, "until that instant it stands");
  told.pass(1);
  const second = planned(told, two);
  assert.ok(second.result.kind === "planned" && second.result.supersedes === first.id);
});

const DIFFERENT: Readonly<Record<string, Setting>> = {
  "another answer": { ...STOP, vms: [vmState({ status: "stopped" })], entries: [wantRunning()] },
  "another desired entry": { ...STOP, entries: [wantStopped("power-off", { cpus: 2 })], vms: [vmState({ cpus: 2 })] },
  "another way to stop": { ...STOP, entries: [wantStopped("shutdown")] },
  "the VM in another state": { ...STOP, vms: [vmState({ revision: "2" })] },
};
for (const [what, setting] of Object.entries(DIFFERENT)) {
  test(`${what} makes another plan, which supersedes the first`, () => {
    const told = story();
    const first = planned(told, STOP);
    approve(told, first.of, BOB);
    const second = planned(told, setting);
    assert.ok(second.result.kind === "planned" && second.result.supersedes === first.id);
    assert.deepEqual(codesOf(approve(told, first.of, BOB)).includes("plan-closed"), true);
  });
}

test("another requester's plan, and another request, are other plans and close nothing", () => {
  const told = story();
  const first = planned(told, STOP);
  const agents = planned(told, { ...STOP, by: ROBO });
  assert.ok(agents.result.kind === "planned" && agents.result.supersedes === undefined);
  const requested = planned(told, { ...STOP, action: { kind: "vm.reset" } });
  assert.ok(requested.result.kind === "planned" && requested.result.supersedes === undefined);
  assert.equal(approve(told, first.of, BOB).kind, "approved");
});

test("a plan that is canceled, denied or tried is not answered again", () => {
  const canceled = story();
  const one = planned(canceled, STOP);
  canceled.ask({ kind: "cancel", plan: one.id, reason: "not today" });
  assert.equal(planned(canceled, STOP).result.kind, "planned");

  const denied = story();
  const two = planned(denied, STOP);
  denied.ask({ kind: "deny", of: two.of, reason: "not today" }, { by: BOB });
  assert.equal(planned(denied, STOP).result.kind, "planned");

  const tried = story();
  const three = planned(tried);
  assert.equal(apply(tried, three.of).kind, "intended");
  const intent = lastId(tried);
  tried.ask({ cause: "call-refused", intent, kind: "outcome", outcome: "failed", said: "no" }, { by: KERNEL_ACTOR });
  const fourth = planned(tried);
  assert.equal(fourth.result.kind, "planned", "the step that failed can be tried again");
  assert.equal(apply(tried, fourth.of).kind, "intended");
});

/** As `planned`, with configurations of their own for looking and for planning, and for plans without a step too. */
const made = (
  told: Story,
  { observing, planning, vms = [vmState({ status: "stopped" })] }: Configured,
): { readonly id: Ulid; readonly result: Result } => {
  const desired = desiredFor([wantRunning()]);
  told.ask(registrationOf(desired, get(told.state().desired, "home")), { given: { desired } });
  const observation = observationOf(vms, { observedAt: told.now() });
  const lookId = looked(told, observation, observing === undefined ? {} : { config: observing });
  const asking = { given: { observation, desired }, ...(planning === undefined ? {} : { config: planning }) };
  const result = told.ask({ kind: "plan", observation: lookId, scope: "all" }, asking);
  return { id: lastId(told), result };
};
type Configured = {
  readonly observing?: RecordedConfig;
  readonly planning?: RecordedConfig;
  readonly vms?: readonly VmState[];
};
const started = (told: Story, config: RecordedConfig): RecordedConfig => {
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  return config;
};

test("a plan from an observation that is not live is not answered by a live one's, nor the other way round", () => {
  const told = story();
  const observing = started(told, configOf("single-operator", false));
  const first = made(told, {});
  const second = made(told, { observing });
  assert.ok(second.result.kind === "planned" && second.result.bars !== undefined);
  assert.equal(second.result.supersedes, first.id);
  const third = made(told, {});
  assert.ok(third.result.kind === "planned" && third.result.bars === undefined);
  assert.equal(third.result.supersedes, second.id);
  assert.deepEqual(made(told, {}).result.kind, "unchanged");
});

test("another configuration makes another plan of the same answers", () => {
  const told = story();
  const planning = started(told, configOf("four-eyes"));
  const first = made(told, {});
  const second = made(told, { planning });
  assert.ok(second.result.kind === "planned" && second.result.supersedes === first.id);
  assert.deepEqual(made(told, { planning }).result.kind, "unchanged");
});

test("a plan without a step has no end, and is made anew", () => {
  const told = story();
  const first = made(told, { vms: [vmState()] });
  const second = made(told, { vms: [vmState()] });
  assert.ok(second.result.kind === "planned" && second.result.supersedes === first.id);
});

test("a plan that is forgotten is made anew", () => {
  const told = story();
  made(told, {});
  told.pass(3 * 24 * 60 * MINUTE_MS);
  assert.equal(made(told, {}).result.kind, "planned");
});

test("the plan that a requester was answered with last is their latest, an unchanged one too, and nobody else's", async () => {
  const told = story();
  const answered = (by: string): Ulid | undefined => recall(told.state().answered, by);
  const first = planned(told, STOP);
  const requested = planned(told, { ...STOP, action: { kind: "vm.reset" } });
  assert.equal(answered("alice"), requested.id);
  assert.equal(planned(told, STOP).result.kind, "unchanged");
  assert.equal(answered("alice"), first.id, "an older plan that stands was the answer");
  const agents = planned(told, { ...STOP, by: ROBO });
  assert.deepEqual([answered("alice"), answered("robo"), answered("bob")], [first.id, agents.id, undefined]);
  told.ask({ kind: "cancel", plan: first.id, reason: "no longer" });
  assert.equal(answered("alice"), first.id, "what became of it makes no other plan the latest");
  assert.equal((await again(told)).kind, "equal");
});
