// A plan that was made and agreed to under one configuration is no decision under another: not under another approval
// mode or address, not under another policy, not under other rules. The neighbour is the same change to another
// environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing, startRequest } from "../../src/kernel/command/program.ts";
import { configHash, type RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { keep, recall } from "../../src/kernel/state/recent.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { decide } from "../../src/kernel/versions.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { cannot } from "../cannot.ts";
import { APPLY, DOORS, type Door, entryIn, other, STOPPED, TWO_VMS } from "../kernel/doors.ts";
import {
  ALICE,
  approve,
  BOB,
  CAROL,
  codesOf,
  configOf,
  explanationHash,
  lastId,
  planned,
  refusalsOf,
  story,
} from "../kernel/story.ts";
import { coded, desiredFor } from "../spine/world.ts";

const OWN = configOf("single-operator");
const edited = (environment: "away" | "home", more: { readonly [key: string]: Json }): RecordedConfig => {
  const section = OWN.environments[environment] ?? assert.fail("it is configured");
  return { ...OWN, environments: { ...OWN.environments, [environment]: { ...section, ...more } } };
};
const CHANGES: Readonly<Record<string, { readonly [key: string]: Json }>> = {
  address: { url: "https://192.0.2.7:8006" },
  "age of its observations": { maxObservationAgeMs: 120_000 },
  "approval mode": { approval: "four-eyes" },
};

/** Agreed to under one configuration, and asked for by a process that has another. */
const afterStart = (door: Door, config: RecordedConfig): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const ask = door(told, of);
  const by = { config, instance: told.other };
  assert.equal(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, ...by }).kind, "done");
  return refusalsOf(ask(by));
};
for (const [word, door] of Object.entries<Door>(DOORS)) {
  for (const [what, more] of Object.entries(CHANGES)) {
    cannot("P7-A2", `${word} a step under another ${what} than its plan was made under`, {
      neighbour: () => afterStart(door, edited("away", more)),
      offence: () => coded("configuration-differs", afterStart(door, edited("home", more))),
    });
  }
}

/** Asked for by a process that goes on under the plan's own configuration, after another one was started. */
const afterNewerStart = (door: Door, config: RecordedConfig): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const ask = door(told, of);
  const by = { config, instance: told.other };
  assert.equal(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, ...by }).kind, "done");
  return refusalsOf(ask());
};
for (const [word, door] of Object.entries<Door>(DOORS)) {
  cannot("P7-A2", `${word} a step in a process that is older than another configuration`, {
    neighbour: () => afterNewerStart(door, edited("away", { url: "https://192.0.2.7:8006" })),
    offence: () =>
      coded("configuration-differs", afterNewerStart(door, edited("home", { url: "https://192.0.2.7:8006" }))),
  });
}

/**
 * Planned under the configuration that was started last, and asked for by a process that was started under one before.
 */
const inOlderProcess = (door: Door, config: RecordedConfig): readonly Refusal[] => {
  const told = story();
  const by = { config, instance: told.other };
  assert.equal(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, ...by }).kind, "done");
  assert.equal(told.ask(startRequest(OWN, "1"), { by: KERNEL_ACTOR }).kind, "done");
  return refusalsOf(door(told, planned(told, TWO_VMS).of)(by));
};
for (const [word, door] of Object.entries<Door>(DOORS)) {
  cannot("P7-A2", `${word} a step under a configuration that is older than its plan's`, {
    neighbour: () => inOlderProcess(door, edited("away", { url: "https://192.0.2.7:8006" })),
    offence: () =>
      coded("configuration-differs", inOlderProcess(door, edited("home", { url: "https://192.0.2.7:8006" }))),
  });
}
test("a step that would be refused before its call is not consumed, and is refused once for each reason", () => {
  const config = edited("home", { url: "https://192.0.2.7:8006" });
  assert.deepEqual(
    afterNewerStart(DOORS.apply, config).map(({ code }) => code),
    ["configuration-differs"],
  );
  const both = edited("home", { url: "https://192.0.2.8:8006" });
  assert.deepEqual(
    afterStart(DOORS.apply, both).map(({ code }) => code),
    ["configuration-differs"],
  );
});

/** An act on the ledger by somebody whose dedalus.yaml is another one; then a step is applied as it was planned. */
const afterAct = (kind: "ledger.checkpoint" | "start"): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const ask = APPLY(told, of);
  const config = edited("home", { url: "https://192.0.2.7:8006" });
  const by = { config, instance: told.other };
  const result =
    kind === "start"
      ? told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, ...by })
      : told.ask({ anchor: "kept elsewhere", kind, ...bringing(config, "1") }, { by: ALICE, everywhere: true, ...by });
  assert.notEqual(result.kind, "refused", JSON.stringify(result));
  return refusalsOf(ask());
};
cannot("P7-A2", "go on under a configuration after another was started; an act on the ledger starts none", {
  neighbour: () => afterAct("ledger.checkpoint"),
  offence: () => coded("configuration-differs", afterAct("start")),
});

test("another configuration is named as that, and another policy as that", () => {
  const policy = { tighten: [{ action: "vm.stop", to: "irreversible" }], version: 1 } as const;
  const codes = (config: RecordedConfig): readonly string[] =>
    afterStart(DOORS.challenge, config).map(({ code }) => code);
  assert.deepEqual(codes(edited("home", { url: "https://192.0.2.7:8006" })), ["configuration-differs"]);
  assert.deepEqual(codes(edited("home", { policy, policyFile: "policy.yaml" })), ["policy-differs"]);
  assert.deepEqual(codes(edited("home", { policy, url: "x" })), ["configuration-differs", "policy-differs"]);
});

test("what was planned under four eyes is not applied after the mode was edited", () => {
  const told = story("four-eyes");
  const { of } = planned(told, { ...TWO_VMS, by: CAROL });
  approve(told, of, BOB, { door: "service" });
  const config = configOf("single-operator");
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  assert.deepEqual(codesOf(told.ask({ kind: "challenge", of }, { config })), ["configuration-differs"]);
});

/** As if a program with these rules had made the plan. */
const madeUnder = (rules: number | undefined): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, TWO_VMS);
  const state = told.state();
  const plan = recall(state.plans, of.plan) ?? assert.fail("the plan is known");
  const plans = keep(state.plans, of.plan, rules === undefined ? plan : { ...plan, rules });
  const desk = { actor: ALICE, configHash: configHash(OWN), door: "local", ids: () => lastId(told) } as const;
  const registered = entryIn(desiredFor([STOPPED, other()]));
  const request = {
    explanation: explanationHash(told, of),
    kind: "approve",
    of,
    reason: "agreed",
    registered,
  } as const;
  const at = { environment: "home" };
  const command = commandOf({ ...desk, instance: told.instance, now: told.now, words: OWN_WORDS.digest }, request, at);
  return refusalsOf(decide({ ...state, plans }, command, undefined).draft.body["result"] as Result);
};
cannot("P7-A3", "agree to a step that other rules made", {
  neighbour: () => madeUnder(undefined),
  offence: () => coded("rules-differ", madeUnder(RULES_VERSION + 1)),
});

test("a registration keeps its root and size, and a plan what it stands on", () => {
  const told = story();
  const { id } = planned(told, TWO_VMS);
  const { root } = registrationOf(desiredFor([STOPPED, other()]));
  const { root: kept, size } = get(told.state().desired, "home") ?? assert.fail("it is registered");
  assert.deepEqual([kept, size], [root, 2]);
  const { rules, section } = recall(told.state().plans, id) ?? assert.fail("the plan is known");
  assert.equal(rules, RULES_VERSION);
  assert.equal(section.length, 64);
});
