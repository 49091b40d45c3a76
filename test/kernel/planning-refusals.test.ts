// Why a plan is not made, or not called off, by code, cause and facts; and what a plan that is made stands on.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import type { DesiredState, Observation, Refusal } from "../../src/spine/model.ts";
import { entryHash } from "../../src/spine/plan/desired-state.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../src/spine/plan/policy.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { later } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { desiredFor, observationOf, VMID, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";
import {
  type Ask,
  apply,
  ENDS,
  lastId,
  looked,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  remembered,
  type Story,
  story,
  tokenRequest,
} from "./story.ts";

const MINUTE_MS = 60_000;
const STOPPED = vmState({ status: "stopped" });
const DESIRED = desiredFor([wantRunning()]);
const refusedFor = (result: Result, ...refusals: readonly Refusal[]): void =>
  assert.deepEqual(refusalsOf(result), refusals, JSON.stringify(result));
const shown = (told: Story, environment = "home"): Observation =>
  observationOf([STOPPED], { environment, observedAt: told.now() });

const plans = (
  told: Story,
  observation: Ulid,
  given: NonNullable<Ask["given"]>,
  more: Partial<RequestOf<"plan">> = {},
  asking: Ask = {},
): Result => told.ask({ kind: "plan", observation, scope: "all", ...more }, { given, ...asking });

test("a plan stands on a known environment, an observation of it, a registration, and the very values of both", () => {
  const told = story();
  const seen = shown(told);
  const id = looked(told, seen);
  const given = { desired: DESIRED, observation: seen };
  refusedFor(plans(told, id, given, {}, { everywhere: true }), refuse("environment-unknown", { cause: "not-named" }));
  refusedFor(
    plans(told, id, given, {}, { environment: "nowhere" }),
    refuse("environment-unknown", { cause: "not-configured", facts: { environment: "nowhere" } }),
  );
  const unknown = (observation: Ulid) => refuse("observation-unknown", { cause: "absent", facts: { observation } });
  refusedFor(plans(told, told.other, given), unknown(told.other));
  refusedFor(plans(told, id, given, {}, { environment: "away" }), unknown(id));
  refusedFor(plans(told, id, given), refuse("desired-unregistered", { facts: { environment: "home" } }));
  told.ask(registrationOf(DESIRED), { given: { desired: DESIRED } });
  const altered = (cause: "desired" | "observation") => refuse("value-altered", { cause });
  refusedFor(plans(told, id, { observation: seen }), altered("desired"));
  refusedFor(
    plans(told, id, { desired: desiredFor([wantStopped("power-off")]), observation: seen }),
    altered("desired"),
  );
  const twice = { ...DESIRED, entries: [...DESIRED.entries, ...DESIRED.entries] } as DesiredState;
  refusedFor(plans(told, id, { desired: twice, observation: seen }), altered("desired"));
  refusedFor(plans(told, id, { desired: DESIRED }), altered("observation"));
  refusedFor(plans(told, id, { desired: DESIRED, observation: observationOf([]) }), altered("observation"));
  assert.equal(plans(told, id, given).kind, "planned");
});

test("an action is requested of a VM that is registered, under its registered name, identity and protection", () => {
  const told = story();
  const entry = wantRunning({ identity: "one", protected: true });
  const desired = desiredFor([entry, wantRunning({ name: "web-02", vmid: vmidOf(102) })]);
  told.ask(registrationOf(desired), { given: { desired } });
  const seen = observationOf([vmState({ identity: "one" }), vmState({ name: "web-02", vmid: vmidOf(102) })], {
    observedAt: told.now(),
  });
  const id = looked(told, seen);
  const given = () => ({ desired, observation: seen, ...remembered(told) });
  const requests = (vmid: number) =>
    plans(told, id, given(), { request: { action: { kind: "vm.reset" }, vmid: vmidOf(vmid) } });
  refusedFor(requests(103), refuse("vm-not-desired", { cause: "unregistered", vmid: vmidOf(103) }));
  const [guarded] = planIn(told, requests(101)).answers;
  assert.ok(guarded?.kind === "step", JSON.stringify(guarded));
  assert.deepEqual([guarded.facts["observedIdentity"], typeof guarded.facts["protectedBecause"]], ["one", "string"]);
  const answers = planIn(told, requests(102)).answers;
  assert.equal(answers.length, 1);
  const [step] = answers;
  assert.ok(step?.kind === "step", JSON.stringify(step));
  const second = desired.entries[1];
  assert.ok(second?.kind === "desired");
  assert.deepEqual([step.facts["observedIdentity"], step.facts["protectedBecause"]], [undefined, undefined]);
  assert.deepEqual(
    [step.vmid, step.name, step.entry, step.action],
    [102, "web-02", entryHash(second), { kind: "vm.reset" }],
  );
});

test("an action is requested of the VM that the registered identity names, and of no other under its number", () => {
  const told = story();
  const desired = desiredFor([wantRunning({ identity: "one" })]);
  told.ask(registrationOf(desired), { given: { desired } });
  const seen = observationOf([vmState({ identity: "another" })], { observedAt: told.now() });
  const id = looked(told, seen);
  const request = { action: { kind: "vm.reset" }, vmid: VMID } as const;
  const result = plans(told, id, { desired, observation: seen, ...remembered(told) }, { request });
  const facts = { desiredIdentity: "one", observedIdentity: "another" };
  assert.deepEqual(planIn(told, result).answers, [refuse("identity-mismatch", { facts, vmid: VMID })]);
});

const RAISED: Policy = { tighten: [{ action: "vm.start", to: "high" }], version: 1 };

test("a plan stands on the policy of its environment, and on none by name where nothing was tightened", () => {
  for (const policy of [RAISED, undefined]) {
    const told = story("single-operator", true, policy);
    const { id, result } = planned(told);
    assert.equal(planIn(told, result).standsOn.policy, policyDigest(policy ?? NO_POLICY));
    const digest = policy === undefined ? undefined : policyDigest(policy);
    assert.equal(recall(told.state().plans, id)?.policy, digest);
    assert.equal(result.kind === "planned" && "policy" in result, policy !== undefined);
  }
});

const PROBE: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };

test("a plan on what was pushed needs nothing that is remembered, and carries no apply", () => {
  const told = story();
  told.ask(registrationOf(DESIRED), { given: { desired: DESIRED } });
  const seen = observationOf([vmState({ identity: "one", status: "stopped" })], { observedAt: told.now() });
  told.pass(1_000);
  const live = looked(told, seen);
  assert.ok(get(told.state().identities, "home") !== undefined);
  told.ask(tokenRequest(told, { id: PROBE.id, kind: "agent", roles: ["sensor"] }));
  const { observedAt = assert.fail("it has a time") } = seen;
  const pushed = { complete: true, gaps: 0, observation: observe(seen).digest, observedAt, vms: 1 } as const;
  told.ask({ ...pushed, kind: "ingest" }, { by: PROBE, door: "service", given: { observation: seen } });
  const ingested = lastId(told);
  const given = { desired: DESIRED, observation: seen };
  refusedFor(plans(told, live, given), refuse("identities-moved", {}));
  const dry = plans(told, ingested, given);
  assert.ok(dry.kind === "planned");
  assert.deepEqual([dry.bars, dry.observedAt], ["not-live", observedAt]);
  const carrying = plans(told, live, { ...given, ...remembered(told) });
  assert.ok(carrying.kind === "planned");
  assert.deepEqual(["bars" in carrying, carrying.observedAt], [false, told.now()]);
});

test("what is counted in a plan is what it answers, and its time is the observation's own only where it is not live", () => {
  const told = story();
  const vms = [STOPPED, vmState({ name: "web-02", vmid: vmidOf(102) }), vmState({ name: "prod", vmid: vmidOf(103) })];
  const entries = [
    wantRunning(),
    wantRunning({ name: "web-02", vmid: vmidOf(102) }),
    wantRunning({ name: "web-03", vmid: vmidOf(103) }),
  ];
  const { result } = planned(told, { entries, vms });
  assert.ok(result.kind === "planned");
  const { inSync, observedAt, refusals, steps, supersedes } = result;
  assert.deepEqual([steps.size, inSync, refusals, observedAt, supersedes], [1, 1, 1, told.now(), undefined]);
});

test("a plan stands until the first of its steps ends, whichever of them that is", () => {
  const told = story();
  const observedAt = told.now();
  const two = {
    entries: [wantRunning(), wantStopped("power-off", { name: "web-02", vmid: vmidOf(102) })],
    vms: [STOPPED, vmState({ name: "web-02", vmid: vmidOf(102) })],
  };
  const first = planned(told, two);
  told.pass(15 * MINUTE_MS - 1);
  assert.deepEqual(planned(told, two).result, {
    endsAt: later(observedAt, 15 * MINUTE_MS),
    kind: "unchanged",
    plan: first.id,
  });
  told.pass(1);
  assert.equal(planned(told, two).result.kind, "planned");
});

const cancels = (told: Story, plan: Ulid, more: Partial<RequestOf<"cancel">> = {}, asking: Ask = {}): Result =>
  told.ask({ kind: "cancel", plan, reason: "not needed", ...more }, asking);

test("a plan is called off in its environment, once, with a reason, and by an agent only where it is the agent's own", () => {
  const told = story();
  const { id } = planned(told);
  refusedFor(cancels(told, told.other), refuse("plan-unknown", { facts: { plan: told.other } }));
  refusedFor(
    cancels(told, id, {}, { environment: "away" }),
    refuse("plan-foreign", { cause: "plan", facts: { of: "home" } }),
  );
  refusedFor(cancels(told, id, { reason: " " }), refuse("reason-missing", { cause: "blank" }));
  refusedFor(
    cancels(told, id, {}, { by: ROBO, door: "service" }),
    refuse("role-missing", { cause: "foreign", facts: { actor: "robo", requester: "alice" } }),
  );
  assert.equal(cancels(told, id).kind, "done");
  refusedFor(cancels(told, id), refuse("plan-closed", { cause: "canceled" }));
  const own = planned(told, { by: ROBO });
  assert.equal(cancels(told, own.id, {}, { by: ROBO, door: "service" }).kind, "done");
  const others = planned(told, { by: ROBO });
  assert.equal(cancels(told, others.id).kind, "done", "a person calls off an agent's");
});

test("a plan of which a step is claimed is not called off, nor one whose steps were all tried", () => {
  const told = story();
  const { id, of } = planned(told);
  apply(told, of);
  const intent = lastId(told);
  const facts = { action: "vm.start", environment: "home", intent, name: "web-01" } as const;
  refusedFor(cancels(told, id), refuse("step-claimed", { facts, vmid: VMID }));
  told.ask({ ...ENDS.failed, intent, kind: "outcome" }, { by: KERNEL_ACTOR });
  refusedFor(cancels(told, id), refuse("step-consumed", { cause: "all" }));
});

test("a plan is called off while one of its steps is untried, another plan's is claimed, or it has none", () => {
  const told = story();
  const two = {
    entries: [wantRunning(), wantRunning({ name: "web-02", vmid: vmidOf(102) })],
    vms: [STOPPED, { ...STOPPED, name: "web-02", vmid: vmidOf(102) }],
  };
  const first = planned(told, two);
  apply(told, first.of);
  told.ask({ ...ENDS.failed, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
  assert.equal(cancels(told, first.id).kind, "done", "the second is untried");
  apply(told, planned(told).of);
  const others = planned(told, { by: ROBO });
  assert.equal(cancels(told, others.id).kind, "done", "the claimed step is another plan's");
  const idle = story();
  const seen = observationOf([vmState()], { observedAt: idle.now() });
  idle.ask(registrationOf(DESIRED), { given: { desired: DESIRED } });
  const id = looked(idle, seen);
  assert.equal(plans(idle, id, { desired: DESIRED, observation: seen }).kind, "planned");
  assert.equal(cancels(idle, lastId(idle)).kind, "done", "nothing of it was tried");
});
