// What a plan stands on, part by part: what no plan of today can show, because safety or the decision before would have
// refused it, is asked of the functions themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { isJudgedNow } from "../../src/kernel/decide/grounds.ts";
import { stepProgressOf, type Terms } from "../../src/kernel/decide/plan-status.ts";
import { groundsUnder, judgeSinceClaim, stepProtection } from "../../src/kernel/decide/stands-on.ts";
import { EMPTY, put } from "../../src/kernel/state/persistent-map.ts";
import { keep, recall } from "../../src/kernel/state/recent.ts";
import type { IntentState } from "../../src/kernel/state/state.ts";
import { decide } from "../../src/kernel/versions.ts";
import type { PlanStep, Refusal } from "../../src/spine/model.ts";
import { SPINE_RULES } from "../../src/spine/plan/spine-rules.ts";
import { stepHash } from "../../src/spine/plan/step.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { cannot } from "../cannot.ts";
import { desiredFor } from "../spine/world.ts";
import { APPLY, entryIn, STOPPED, TWO_VMS } from "./doors.ts";
import { ALICE, apply, codesOf, configOf, lastId, planned, refusalsOf, type Story, story } from "./story.ts";

const OWN = configOf("single-operator");
const stop = (): PlanStep => planned(story(), TWO_VMS).of.step;

const SIGNS: Readonly<Record<string, Partial<PlanStep>>> = {
  "the mark of protection": { protected: true },
  "the reason of its protection among its facts": { facts: { protectedBecause: "tag" } },
  "a production name": { name: "PROD-db" },
};
for (const [what, more] of Object.entries(SIGNS)) {
  cannot("N2", `take a step for harmless that has ${what}, though safety let it through`, {
    neighbour: () => stepProtection(stop(), SPINE_RULES),
    offence: () => stepProtection({ ...stop(), ...more }, SPINE_RULES),
  });
}

/** A plan of one step that safety has let through, agreed to at a door; its entry is as it was planned on. */
const letThrough = (forged: Partial<PlanStep>): readonly Refusal[] => {
  const told = story();
  const { id, of } = planned(told, { ...TWO_VMS, entries: [STOPPED] });
  const body = { ...of.step, ...forged };
  const step = { ...body, hash: stepHash(body) };
  const state = told.state();
  const plan = recall(state.plans, id) ?? assert.fail("the plan is known");
  const plans = keep(state.plans, id, { ...plan, steps: { root: step.hash, size: 1 } });
  const desk = { actor: ALICE, configHash: configHash(OWN), door: "local", ids: () => lastId(told) } as const;
  const registered = entryIn(desiredFor([STOPPED]));
  const request = { kind: "challenge", of: { ...of, proof: [], step }, registered } as const;
  const more = { instance: told.instance, now: told.now, words: OWN_WORDS.digest };
  const command = commandOf({ ...desk, ...more }, request, { environment: "home" });
  return refusalsOf(decide({ ...state, plans }, command, undefined).draft.body["result"] as Result);
};
cannot("N2", "agree to a step on a protected VM that safety let through", {
  neighbour: () => letThrough({}),
  offence: () => letThrough({ protected: true }),
});

test("a step that a protected VM may have is harmless, whatever marks it", () => {
  assert.deepEqual(stepProtection({ ...stop(), action: { kind: "vm.start" }, protected: true }, SPINE_RULES), []);
});

test("a configuration holds for the environments that it names, and for nothing that every object inherits", () => {
  const told = story();
  const state = told.state();
  const own = configHash(OWN);
  assert.ok(groundsUnder(state, own, "home").section !== undefined);
  for (const name of ["elsewhere", "toString", "__proto__", ""]) {
    assert.equal(groundsUnder(state, own, name).section, undefined, name);
  }
  assert.equal(groundsUnder(state, undefined, "home").section, undefined);
  assert.equal(groundsUnder(state, sha256("never started"), "home").section, undefined);
});

const claimed = (told: Story): { readonly intent: IntentState; readonly of: StepRef } => {
  const { of } = planned(told);
  assert.equal(apply(told, of).kind, "intended");
  const [intent] = [lastId(told)].map((id) => {
    const { action, name, vmid } = { ...of.step, action: of.step.action.kind };
    const at = told.now();
    const where = { environment: "home", index: 0, owner: told.instance, plan: of.plan };
    return { ...where, action, approvals: [], id, name, sendBy: at, settleBy: at, step: of.step.hash, vmid };
  });
  return { intent: intent ?? assert.fail("it is claimed"), of };
};

test("an intent whose plan is forgotten has no grounds to call on", async () => {
  const told = story();
  const { intent, of } = claimed(told);
  const none = { ...intent, plan: told.other };
  const read = async () => "none" as const;
  const codes = async (one: IntentState) =>
    (await judgeSinceClaim(told.state(), one, of.step, read)).map(({ code }) => code);
  assert.deepEqual(await codes(none), ["plan-unknown"]);
  assert.deepEqual(await codes(intent), ["vm-not-desired"], "an intent that names no registration reads it");
});

test("no challenge was judged on a registration that there is not", () => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  assert.equal(told.ask({ kind: "challenge", of }).kind, "challenged");
  const challenge = recall(told.state().challenges, lastId(told)) ?? assert.fail("it is kept");
  const { registered: root, ...bare } = challenge;
  assert.ok(root !== undefined && isJudgedNow(told.state(), "home", challenge));
  assert.ok(!isJudgedNow({ ...told.state(), desired: EMPTY }, "home", bare));
  assert.ok(!isJudgedNow(told.state(), "away", challenge));
  const other = put(told.state().desired, "home", { digest: root, id: told.other, root: sha256("x"), size: 1 });
  assert.ok(!isJudgedNow({ ...told.state(), desired: other }, "home", challenge));
});

test("an entry that is brought is judged, also beside a challenge that needs none", () => {
  const told = story();
  const ask = APPLY(told, planned(told, TWO_VMS).of);
  assert.deepEqual(codesOf(ask({ registered: "none" })), ["vm-not-desired"]);
  assert.equal(ask({ registered: "left-out" }).kind, "intended");
});

test("how a step stands tells what of its grounds has changed", () => {
  const told = story();
  const { id, of } = planned(told, TWO_VMS);
  const plan = recall(told.state().plans, id) ?? assert.fail("the plan is known");
  const { section } = plan;
  const statusUnder = (more: Partial<Terms>, made = plan): string => {
    const terms: Terms = { approval: "single-operator", entryOf: () => of.step.entry, section, ...more };
    return stepProgressOf(told.state(), made, 0, of.step, told.now(), terms, ALICE).status;
  };
  const policy = { tighten: [{ action: "vm.stop", to: "irreversible" }], version: 1 } as const;
  assert.equal(statusUnder({}), "awaiting-approval");
  assert.equal(statusUnder({ entryOf: () => undefined }), "desired-changed");
  assert.equal(statusUnder({ entryOf: () => sha256("another") }), "desired-changed");
  assert.equal(statusUnder({ section: sha256("another") }), "configuration-changed");
  assert.equal(statusUnder({ policy }), "policy-changed");
  assert.equal(statusUnder({}, { ...plan, rules: RULES_VERSION + 1 }), "rules-changed");
});
