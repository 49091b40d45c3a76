// What is told to stand against a step before anybody confirms it is what its apply would be refused for, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { objectionsTo } from "../../src/kernel/decide/objections.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { ended } from "./applied.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
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
const both = (told: Story, of: StepRef, approval: Mode, by = ALICE) => {
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const terms = { approval, entryOf: () => of.step.entry, section: plan.section };
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
  "four eyes at the ledger's own files": { codes: ["service-needed"], mode: "four-eyes" },
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
