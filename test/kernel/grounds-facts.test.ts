// What a refusal says of the grounds that are gone, whole: which part of them, what it was and what it is now.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import {
  against,
  environmentOf,
  reasonRefusal,
  staleRefusal,
  unknownEnvironment,
} from "../../src/kernel/decide/grounds.ts";
import { RULEBOOK } from "../../src/kernel/decide/rulebook.ts";
import { type Grounds, groundRefusals } from "../../src/kernel/decide/stands-on.ts";
import { EMPTY, put } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { PlanState } from "../../src/kernel/state/state.ts";
import { NO_POLICY } from "../../src/spine/plan/policy.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { OBSERVED_AT, VMID as vmid } from "../spine/world.ts";
import { configOf, planned, refusalsOf, story } from "./story.ts";

const [SECTION, OTHER, POLICY, NEWER] = ["a section", "another", "a policy", "a newer one"].map(sha256);
assert.ok(SECTION && OTHER && POLICY && NEWER);
const GROUNDS: Grounds = { rules: 3, section: SECTION };

test("a section that is gone is told apart from one that was edited", () => {
  const { section: _, ...bare } = GROUNDS;
  assert.deepEqual(groundRefusals(GROUNDS, GROUNDS, vmid), []);
  assert.deepEqual(groundRefusals(GROUNDS, bare, vmid), [refuse("configuration-differs", { cause: "absent", vmid })]);
  assert.deepEqual(groundRefusals(GROUNDS, { ...GROUNDS, section: OTHER }, vmid), [
    refuse("configuration-differs", { cause: "changed", vmid }),
  ]);
});

test("a policy that was added, replaced or removed is told as that, by its digest", () => {
  const [before, after] = [POLICY, NEWER];
  const under = (plan: typeof POLICY | undefined, now: typeof POLICY | undefined) =>
    groundRefusals(
      { ...GROUNDS, ...(plan === undefined ? {} : { policy: plan }) },
      { ...GROUNDS, ...(now === undefined ? {} : { policy: now }) },
      vmid,
    );
  assert.deepEqual(under(undefined, after), [
    refuse("policy-differs", { cause: "added", facts: { now: after }, vmid }),
  ]);
  assert.deepEqual(under(before, after), [
    refuse("policy-differs", { cause: "replaced", facts: { now: after, plan: before }, vmid }),
  ]);
  assert.deepEqual(under(before, undefined), [
    refuse("policy-differs", { cause: "removed", facts: { plan: before }, vmid }),
  ]);
  assert.deepEqual(under(before, before), []);
  assert.deepEqual(under(undefined, undefined), []);
});

test("everything that differs is told, each by its own code", () => {
  assert.deepEqual(groundRefusals({ ...GROUNDS, policy: POLICY }, { rules: 4 }, vmid), [
    refuse("configuration-differs", { cause: "absent", vmid }),
    refuse("policy-differs", { cause: "removed", facts: { plan: POLICY }, vmid }),
    refuse("rules-differ", { facts: { now: 4, plan: 3 }, vmid }),
  ]);
});

type Asking = Parameters<typeof unknownEnvironment>[0];
test("an environment that nobody named is told apart from one that is not configured", () => {
  assert.deepEqual(unknownEnvironment({} as Asking), refuse("environment-unknown", { cause: "not-named" }));
  const facts = { environment: "nowhere" };
  const unknown = refuse("environment-unknown", { cause: "not-configured", facts });
  assert.deepEqual(unknownEnvironment(facts as Asking), unknown);
  const told = story();
  const frozen = (environment: string) => told.ask({ kind: "freeze", reason: "incident" }, { environment });
  assert.deepEqual(refusalsOf(frozen("nowhere")), [unknown]);
  assert.equal(frozen("away").kind, "done");
});

test("an environment is one that the configuration of the asking process names, and nothing that objects inherit", () => {
  const told = story();
  const found = (environment: string | undefined, hash = configHash(configOf("single-operator"))) =>
    environmentOf(told.state(), { configHash: hash, environment } as Asking);
  assert.deepEqual(found("home"), configOf("single-operator").environments["home"]);
  for (const name of ["nowhere", "toString", undefined]) assert.equal(found(name), undefined, name);
  assert.equal(found("home", sha256("never started")), undefined);
});

test("how old an observation is and how old it may be are told in whole seconds", () => {
  const environment = configOf("single-operator").environments["home"] ?? assert.fail("it is configured");
  const recorded = { at: OBSERVED_AT, digest: SECTION, environment: "home", live: true, observedAt: OBSERVED_AT };
  const aged = (ms: number, live = true) =>
    staleRefusal(recorded, { ...environment, live, maxObservationAgeMs: 3_600_000 }, later(OBSERVED_AT, ms));
  const old = (ageSeconds: number) =>
    refuse("observation-stale", { cause: "old", facts: { ageSeconds, limitSeconds: 3_600 } });
  assert.equal(aged(3_600_000), undefined);
  assert.deepEqual(aged(3_600_001), old(3_600));
  assert.deepEqual(aged(7_200_500), old(7_201));
  assert.equal(aged(7_200_500, false), undefined);
  const { observedAt: _, ...undated } = recorded;
  assert.deepEqual(staleRefusal(undated, environment, OBSERVED_AT), refuse("observation-stale", { cause: "undated" }));
});

test("a reason is refused for being blank, for a second line, for what cannot be seen in it, or for its length", () => {
  const limit = 1_000;
  for (const blank of ["", " \n"]) assert.deepEqual(reasonRefusal(blank), refuse("reason-missing", { cause: "blank" }));
  for (const invisible of ["\u200b", "\t", "\u202e"])
    assert.deepEqual(reasonRefusal(`agreed${invisible}`), refuse("reason-missing", { cause: "invisible" }));
  for (const end of ["\n", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"])
    assert.deepEqual(
      reasonRefusal(`agreed${end}by both`),
      refuse("reason-missing", { cause: "lines" }),
      JSON.stringify(end),
    );
  assert.deepEqual(
    reasonRefusal("x".repeat(limit + 1)),
    refuse("reason-missing", { cause: "long", facts: { length: limit + 1, limit } }),
  );
  assert.equal(reasonRefusal("x".repeat(limit)), undefined);
});

test("everything that a plan says against its own step is told, in one order", () => {
  const told = story();
  const { id, of } = planned(told);
  const plan = recall(told.state().plans, id) ?? assert.fail("the plan is known");
  const said = (more: Partial<PlanState>, at = told.now()) =>
    against(RULEBOOK, { ...plan, ...more }, of, at, NO_POLICY, []);
  assert.deepEqual(said({}), []);
  const denial = { by: "bob", id, reason: "not today", step: of.step.hash };
  const over: Partial<PlanState> = {
    bars: "not-live",
    closed: "canceled",
    consumed: put(EMPTY, "0", told.other),
    denials: [denial],
    verdict: "refused",
  };
  const end = later(OBSERVED_AT, 60 * 60_000);
  assert.deepEqual(said(over, end), [
    refuse("plan-refused", { vmid }),
    refuse("plan-not-live", { cause: "not-live", vmid }),
    { ...refuse("plan-closed", { cause: "canceled" }), vmid },
    refuse("step-consumed", { cause: "intent", facts: { intent: told.other }, vmid }),
    refuse("step-denied", { facts: { by: "bob", reason: "not today" }, vmid }),
    refuse("step-expired", { cause: "ended", facts: { end }, vmid }),
  ]);
  const elsewhere = { consumed: put(EMPTY, "1", told.other), denials: [{ ...denial, step: SECTION }] };
  assert.deepEqual(said(elsewhere, later(end, -1)), []);
});

test("a step of a plan that says not when the world was seen is over", () => {
  const told = story();
  const { id, of } = planned(told);
  const { observedAt: _, ...plan } = recall(told.state().plans, id) ?? assert.fail("the plan is known");
  assert.deepEqual(against(RULEBOOK, plan, of, told.now(), NO_POLICY, []), [
    refuse("step-expired", { cause: "undated", vmid }),
  ]);
});
