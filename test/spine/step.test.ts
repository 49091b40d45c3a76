// What a step says and is hashed over: every parameter, every size, every sign that was seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, ActionKind, DesiredEntry, PlanStep, Refusal, VmState } from "../../src/spine/model.ts";
import { gap } from "../../src/spine/observed-codes.ts";
import { explain, explainAnswer } from "../../src/spine/plan/explain.ts";
import { NO_POLICY } from "../../src/spine/plan/policy.ts";
import { protectedBecause } from "../../src/spine/plan/protection.ts";
import { safety, tierUnder } from "../../src/spine/plan/safety.ts";
import { SPINE_RULES } from "../../src/spine/plan/spine-rules.ts";
import { statusText } from "../../src/spine/plan/step.ts";
import { ACTIONS } from "../../src/spine/rules/actions.ts";
import { isRuleId, RULE_IDS } from "../../src/spine/rules/invariants.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { isRefusalCode, REFUSAL_CODES, refuse } from "../../src/spine/rules/refusals.ts";
import { basisOf, observe } from "../../src/spine/values/observation.ts";
import { explanationInWords } from "../../src/spine/words/steps/explanation-in-words.ts";
import { actionOf } from "./one-of-each.ts";
import { GiB, judge, meeting, observationOf, request, state, VMID, vmidOf, wantRunning, wantStopped } from "./world.ts";

const stepFor = (entry: DesiredEntry, seen: VmState): PlanStep => {
  const { plan } = judge({ observation: observationOf([seen]), entries: [entry] });
  const answer = plan.answers.find((one) => one.kind === "step");
  return answer ?? assert.fail(JSON.stringify(plan.answers));
};

test("the parameters of a requested action are among the facts of its step", () => {
  const factsOf = (action: Action, more: Partial<VmState> = {}) => stepFor(request(action), state(more)).facts;
  const seen = { observedStatus: "running" };
  assert.deepEqual(factsOf(actionOf("vm.clone")), { cloneName: "web-09", cloneVmid: 109, ...seen });
  assert.deepEqual(factsOf(actionOf("vm.migrate")), { ...seen, targetNode: "pve2" });
  assert.deepEqual(factsOf(actionOf("vm.snapshot.create"), { snapshots: { names: [] } }), {
    ...seen,
    snapshot: "before",
  });
});

test("a resize names what was observed, what waits and what is wanted, of both sizes", () => {
  const step = stepFor(
    wantRunning({ cpus: 4, memory: 4 * GiB }),
    state({ cpus: 2, maxmem: GiB, pending: { cpus: 3, maxmem: 2 * GiB } }),
  );
  assert.deepEqual(step.facts, {
    observedCpus: 2,
    observedMemory: GiB,
    observedStatus: "running",
    pendingCpus: 3,
    pendingMemory: 2 * GiB,
    desiredCpus: 4,
    desiredMemory: 4 * GiB,
    desiredStatus: "running",
  });
});

test("of a stopped VM only the size that differs from what it will start with is written", () => {
  const stopped = state({ cpus: 2, maxmem: GiB, pending: { maxmem: 2 * GiB }, status: "stopped" });
  const { action } = stepFor(wantStopped("shutdown", { cpus: 2, memory: 4 * GiB }), stopped);
  assert.deepEqual(action, { kind: "vm.resize", memory: 4 * GiB });
});

test("an identity is among the facts when it was compared, and only then", () => {
  const seen = state({ identity: "uuid a", status: "stopped" });
  assert.equal(stepFor(wantRunning({ identity: "uuid a" }), seen).facts["observedIdentity"], "uuid a");
  assert.ok(!("observedIdentity" in stepFor(wantRunning(), seen).facts));
});

test("taking back a size that only waits applies at once, whichever of the two it is", () => {
  const applies = (entry: DesiredEntry, more: Partial<VmState>): string => stepFor(entry, state(more)).applies;
  const both = { cpus: 2, maxmem: GiB };
  assert.equal(applies(wantRunning({ cpus: 2 }), { ...both, pending: { cpus: 4 } }), "now");
  assert.equal(applies(wantRunning({ memory: GiB }), { ...both, pending: { maxmem: 2 * GiB } }), "now");
  assert.equal(applies(wantRunning({ cpus: 4 }), both), "at-restart");
  assert.equal(applies(wantRunning({ memory: 2 * GiB }), both), "at-restart");
  assert.equal(applies(wantRunning({ cpus: 4 }), { ...both, resize: "hot" }), "now");
  assert.equal(applies(wantRunning({ cpus: 4 }), { ...both, status: "stopped" }), "now");
});

test("each thing that was seen of a VM is in its hash by itself", () => {
  const ONE_MORE: readonly Partial<VmState>[] = [
    { because: { code: "stated", said: "it says so" } },
    { boot: "process 1" },
    { cpus: 1 },
    { blockers: [] },
    { identity: "uuid a" },
    { maxmem: GiB },
    { paused: true },
    { pending: { cpus: 1 } },
    { pending: { maxmem: GiB } },
    { resize: "hot" },
    { revision: "a" },
    { snapshots: { names: [] } },
    { snapshots: { names: [], parent: "a" } },
    { tags: [] },
  ];
  const hashes = ONE_MORE.map((more) => basisOf(state(more)));
  assert.equal(new Set([basisOf(state()), ...hashes]).size, ONE_MORE.length + 1);
  const digests = ONE_MORE.map((more) => observe(observationOf([state(more)])).digest);
  assert.equal(new Set([observe(observationOf([state()])).digest, ...digests]).size, ONE_MORE.length + 1);
});

test("the order in which an adapter wrote the members of a state is no part of its hash", () => {
  assert.equal(
    basisOf(state({ pending: { cpus: 1, maxmem: GiB } })),
    basisOf(state({ pending: { maxmem: GiB, cpus: 1 } })),
  );
  assert.equal(
    basisOf(state({ snapshots: { names: ["a"], parent: "a" } })),
    basisOf(state({ snapshots: { parent: "a", names: ["a"] } })),
  );
  assert.equal(
    basisOf(state({ blockers: [{ actions: "all", code: "snapshot-name-unfit", facts: { max: 40, min: 2 } }] })),
    basisOf(state({ blockers: [{ facts: { min: 2, max: 40 }, code: "snapshot-name-unfit", actions: "all" }] })),
  );
});

test("a guest is called paused while it runs, and stopped whatever else is said of it", () => {
  assert.equal(statusText(state({ paused: true })), "paused");
  assert.equal(statusText(state()), "running");
  assert.equal(statusText(state({ paused: true, status: "stopped" })), "stopped");
});

test("an explanation says whether everything was observed", () => {
  const told = (complete: boolean): boolean | undefined => {
    const { plan, verdict } = judge({
      observation: observationOf([state()], { complete }),
      scope: [VMID],
      entries: [wantRunning()],
    });
    return explain(plan, verdict, VMID)?.complete;
  };
  const { plan, verdict } = judge({ observation: observationOf([state()]), entries: [wantRunning()] });
  assert.ok(!("step" in (explain(plan, verdict, VMID) ?? {})), "what needs nothing has no step to confirm");
  assert.deepEqual([told(true), told(false)], [true, false]);
});

test("a memory is explained in the unit that fits, and what is no number as it is", () => {
  const { plan, verdict } = judge({ observation: observationOf([state()]), entries: [wantRunning()] });
  const facts = (desiredMemory: number | string): readonly string[] => {
    const refusal = refuse("size-not-seen", { facts: { size: "memory", desiredMemory }, vmid: VMID });
    return explanationInWords(explainAnswer(plan, verdict, refusal, VMID)).facts.slice(3);
  };
  assert.deepEqual(facts(2 * GiB), ["desired memory: 2 GiB"]);
  assert.deepEqual(facts("as before"), ["desired memory: as before"]);
});

test("a policy raises the action that it names, and no other", () => {
  const step = stepFor(request({ kind: "vm.start" }), state({ status: "stopped" }));
  const tier = (action: ActionKind, to: "irreversible" | "refused"): string =>
    tierUnder(step, { tighten: [{ action, to }], version: 1 }, ACTIONS);
  assert.equal(tier("vm.start", "irreversible"), "irreversible");
  assert.equal(tier("vm.stop", "irreversible"), "low");
  assert.equal(tier("vm.start", "refused"), "low", "what is refused has no tier to be raised to");
});

test("any one sign makes a VM production: either name, a tag, or the entry", () => {
  const signOf = (entry: Partial<Extract<DesiredEntry, { readonly target: "running" }>>, more: Partial<VmState>) =>
    protectedBecause(wantRunning(entry), state(more), SPINE_RULES);
  assert.equal(signOf({}, {}), undefined);
  assert.equal(signOf({ name: "prod-db" }, {}), "desired-name");
  assert.equal(signOf({}, { name: "Prod-db" }), "observed-name");
  assert.equal(signOf({}, { tags: ["web", "PROD"] }), "tag");
  assert.equal(signOf({ protected: true }, {}), "entry");
  assert.equal(signOf({ name: "web-prod-1" }, { name: "production", tags: ["prod-like"] }), undefined);
});

test("a step on production that lost its mark on the way is refused by its name", () => {
  const verdictOn = (name: string): string => {
    const { plan } = judge({
      observation: observationOf([state({ name })]),
      entries: [wantStopped("shutdown", { name })],
    });
    const unmarked = plan.answers.map((one) => (one.kind === "step" ? { ...one, protected: false } : one));
    return safety({ ...plan, answers: unmarked }, NO_POLICY).kind;
  };
  assert.equal(verdictOn("prod-db"), "refused");
  assert.equal(verdictOn("web-01"), "clear");
});

const codes = (refusals: readonly Refusal[]): readonly string[] => refusals.map(({ code }) => code);

test("an action that needs no free vmid is planned on an observation that is not complete", () => {
  const asked = (action: Action): readonly string[] => {
    const observation = observationOf([state()], { complete: false });
    const { plan } = judge({ observation, scope: [VMID], entries: [request(action)] });
    return codes(plan.answers.filter((answer) => answer.kind === "refusal"));
  };
  assert.deepEqual(asked({ kind: "vm.stop" }), []);
  assert.deepEqual(asked(actionOf("vm.clone")), ["state-unfit"]);
});

test("a requested resize names a size, and another one than it has", () => {
  const causes = (sizes: object): readonly unknown[] =>
    meeting(request({ kind: "vm.resize", ...sizes }), state({ cpus: 2, maxmem: GiB })).map(({ cause }) => cause);
  assert.deepEqual(causes({}), ["no-size"]);
  assert.deepEqual(causes({ cpus: 2, memory: GiB }), ["size-same"]);
  assert.deepEqual(causes({ cpus: 4 }), []);
});

test("a refusal of what was not seen says so, and the plan has every gap", () => {
  const gaps = ["a", "b", "c", "d", "e"].map((said) => gap("stated", { said }));
  const { plan } = judge({
    observation: observationOf([], { complete: false, gaps }),
    entries: [wantStopped("shutdown")],
  });
  const [answer] = plan.answers;
  assert.ok(answer?.kind === "refusal");
  assert.deepEqual([answer.code, answer.cause], ["vm-unknown", "not-seen"]);
  assert.deepEqual(plan.observation.gaps, gaps);
});

test("up to twelve VMs are listed by number, and more are counted", () => {
  const refused = (unknown: number, known: number): Refusal => {
    const entries = Array.from({ length: unknown + known }, (_, at) => wantRunning({ vmid: vmidOf(at + 1) }));
    const seen = entries.map(({ vmid }, at) =>
      at < unknown
        ? state({ because: { code: "stated", said: "no answer" }, status: "unknown", vmid })
        : state({ vmid }),
    );
    const { verdict } = judge({ observation: observationOf(seen), entries });
    assert.ok(verdict.kind === "refused");
    return verdict.refusals[0];
  };
  const upTo = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at);
  assert.deepEqual(refused(12, 1).facts, { seen: [13], unknown: 12, vmids: upTo(1, 12) });
  assert.deepEqual(refused(13, 1).facts, { seen: [14], unknown: 13, vmids: upTo(1, 12) });
  assert.deepEqual(refused(1, 12).facts, { seen: upTo(2, 13), unknown: 1, vmids: [1] });
  assert.deepEqual(nextStepsOf(refused(1, 12), { environment: "home" }), [
    { ask: "narrow", with: { environment: "home", scope: upTo(2, 13) } },
  ]);
  for (const whole of [refused(1, 13), refused(1, 0)]) {
    assert.equal(whole.cause, "whole");
    assert.deepEqual(whole.facts, { unknown: 1, vmids: [1] });
  }
});

test("a refusal code and a rule id are of the catalogue, and nothing that every object inherits", () => {
  assert.ok(REFUSAL_CODES.length > 0 && REFUSAL_CODES.every(isRefusalCode));
  for (const other of ["toString", "", "no-such-code", undefined, 7, ["vm-unknown"]]) assert.ok(!isRefusalCode(other));
  assert.ok(RULE_IDS.every(isRuleId));
  for (const other of ["toString", "", "N99", undefined, 7, ["N1"]]) assert.ok(!isRuleId(other));
});
