// What is told to stand against a step before anybody confirms it is what its apply would be refused for, and nothing
// else.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { objectionsTo } from "../../src/kernel/decide/objections.ts";
import type { Terms } from "../../src/kernel/decide/plan-status.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { PlanStep, Refusal } from "../../src/spine/model.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { present } from "../../src/spine/values/present.ts";
import { VMID, state as vmState, wantStopped } from "../spine/world.ts";
import { ended } from "./applied.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  DAN,
  lastId,
  type Mode,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "./story.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };

/** What is told, and what the apply without a confirmation is refused for besides that. */
const both = (told: Story, of: StepRef, approval: Mode, by = ALICE, policy?: Policy) => {
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const terms = { approval, entryOf: () => of.step.entry, section: plan.section, ...present({ policy }) };
  const actor = { id: by.id, kind: by.kind };
  const objections = objectionsTo(told.state(), plan, of, told.now(), terms, { actor, door: "local" });
  const decided = refusalsOf(told.ask({ kind: "apply", of }, { by }));
  const codes = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code);
  return { decided: codes(decided).filter((code) => code !== "confirmation-missing"), told: codes(objections) };
};

type Case = {
  readonly codes: readonly string[];
  readonly mode?: Mode;
  readonly prepare?: (told: Story, of: StepRef) => StepRef | undefined;
  readonly setting?: Setting;
};

const CASES: Readonly<Record<string, Case>> = {
  "a step that only waits for its confirmation": { codes: [] },
  "a freeze of another environment": {
    codes: [],
    prepare: (told) => {
      told.ask({ kind: "freeze", reason: "incident" }, { environment: "away" });
      return undefined;
    },
  },
  "a freeze": {
    codes: ["frozen"],
    prepare: (told) => {
      told.ask({ kind: "freeze", reason: "incident" }, { environment: "home" });
      return undefined;
    },
  },
  "an approval that is missing": { codes: ["approval-missing"], setting: STOP },
  "an approval that was given": {
    codes: [],
    prepare: (told, of) => {
      approve(told, of, BOB);
      return undefined;
    },
    setting: STOP,
  },
  "four eyes at the ledger's own files": { codes: ["service-needed"], mode: "four-eyes", setting: { by: CAROL } },
  "a VM whose last outcome is unknown": {
    codes: ["vm-blocked"],
    prepare: (told, of) => {
      apply(told, of);
      ended(told, lastId(told), "unknown");
      return planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of;
    },
  },
  "a VM that is at work": {
    codes: ["vm-busy"],
    prepare: (told, of) => {
      apply(told, of);
      return planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of;
    },
  },
  "a step that was tried": {
    codes: ["step-consumed"],
    prepare: (told, of) => {
      apply(told, of);
      ended(told, lastId(told), "failed");
      return undefined;
    },
  },
  "a step that was denied": {
    codes: ["step-denied"],
    prepare: (told, of) => {
      told.ask({ kind: "deny", of, reason: "not now" }, { by: BOB, door: "service" });
      return undefined;
    },
  },
  "a plan that is over": {
    codes: ["step-expired"],
    prepare: (told) => {
      told.pass(61 * 60_000);
      return undefined;
    },
  },
};

for (const [name, { codes, mode = "single-operator", prepare, setting = {} }] of Object.entries(CASES)) {
  test(`${name}: ${codes.length === 0 ? "nothing stands against it" : codes.join()}`, () => {
    const given = story(mode);
    const first = planned(given, setting).of;
    const of = prepare?.(given, first) ?? first;
    const { decided, told } = both(given, of, mode);
    assert.deepEqual(told, codes);
    // A freeze is judged before everything else, and is all that is said then.
    assert.deepEqual(decided, codes);
  });
}

test("B2 a person is told that an agent's plan is not theirs to apply, and the agent that approvals are missing", () => {
  const given = story();
  const { of } = planned(given, { by: ROBO });
  const person = both(given, of, "single-operator");
  assert.deepEqual(person.told, person.decided);
  const agent = both(given, of, "single-operator", ROBO);
  assert.deepEqual(agent.told, ["approval-missing"]);
  assert.deepEqual(agent.told, agent.decided);
});

test("whoever reads a plan of somebody else is told that the policy refuses it to them", () => {
  const policy: Policy = { tighten: [{ action: "vm.start", for: "dan", to: "refused" }], version: 1 };
  const given = story("single-operator", true, policy);
  const { of } = planned(given, { by: CAROL });
  const refused = both(given, of, "single-operator", DAN, policy);
  assert.deepEqual(refused.told, ["policy-refuses"]);
  assert.deepEqual(refused.told, refused.decided);
  assert.deepEqual(both(given, of, "single-operator", CAROL, policy).told, []);
});

/** What is told of a step under other terms than it was planned under, or of another step in its place. */
const toldUnder = (
  { by = ALICE, setting = STOP, step: forged = {}, ...more }: Under,
  mode: Mode = "single-operator",
): readonly Refusal[] => {
  const given = story(mode);
  const { of } = planned(given, setting);
  approve(given, of, ALICE);
  const plan = recall(given.state().plans, of.plan) ?? assert.fail("the plan is known");
  const terms = { approval: mode, entryOf: () => of.step.entry, section: plan.section, ...more };
  const step = { ...of.step, ...forged };
  return objectionsTo(given.state(), plan, { ...of, step }, given.now(), terms, { actor: by, door: "local" });
};
type Under = Partial<Terms> & {
  readonly by?: Actor;
  readonly setting?: Setting;
  readonly step?: Partial<PlanStep>;
};

test("what a step stood on and stands on no more is told before anybody confirms it", () => {
  const vmid = VMID;
  assert.deepEqual(toldUnder({}), []);
  assert.deepEqual(toldUnder({ section: sha256("another") }), [
    refuse("configuration-differs", { cause: "changed", vmid }),
  ]);
  for (const entry of [undefined, sha256("another")]) {
    assert.deepEqual(toldUnder({ entryOf: () => entry }), [refuse("desired-changed", { vmid })]);
  }
  const codes = toldUnder({ step: { protected: true } }).map(({ code }) => code);
  assert.deepEqual(codes, ["production-touched"]);
});

test("an agent is told that what cannot be undone is not for agents, and a person is not", () => {
  const setting: Setting = {
    action: { kind: "vm.delete" },
    entries: [wantStopped("power-off")],
    vms: [vmState({ status: "stopped" })],
  };
  assert.deepEqual(toldUnder({ by: ROBO, setting }), [
    refuse("agent-irreversible", { facts: { action: "vm.delete" }, vmid: VMID }),
  ]);
  assert.deepEqual(toldUnder({ setting }), []);
});
