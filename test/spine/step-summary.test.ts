// One step in one line, and the question about it: which words are chosen and what they are filled with, for every
// action, every power effect and every size. In a catalogue whose texts are their own names and facts, so that no
// sentence is compared.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, ActionKind, Facts, PlanStep, Power, StepReason, Tier } from "../../src/spine/model.ts";
import { ACTION_KINDS } from "../../src/spine/rules/actions.ts";
import {
  actionTitle,
  nameQuestion,
  type Summarised,
  stepQuestion,
  stepSummary,
} from "../../src/spine/words/steps/step-summary.ts";
import { CATALOGUE, type Catalogue, type Words } from "../../src/spine/words/words-catalogue.ts";
import { actionOf } from "./one-of-each.ts";
import { GiB, VMID } from "./world.ts";

/** Each text is where it stands, with its slots in the order of their names. */
const codedIn = (words: Words, path = ""): Words =>
  Object.fromEntries(
    Object.entries(words).map(([name, one]) => {
      const here = `${path}${name}`;
      return [name, typeof one === "string" ? coded(here, one) : codedIn(one, `${here}/`)];
    }),
  );
const coded = (path: string, template: string): string => {
  const slots = Array.from(template.matchAll(/\{([a-zA-Z0-9]+)[^{}]*\}/g), ([slot, name = ""]) => `${name}=${slot}`);
  return slots.length === 0 ? path : `${path}(${slots.sort().join(" ")})`;
};
const CODED = {
  questions: codedIn(CATALOGUE.questions) as Catalogue["questions"],
  summaries: codedIn(CATALOGUE.summaries) as Catalogue["summaries"],
};

type Told = {
  readonly action: Action;
  readonly applies?: PlanStep["applies"];
  readonly facts?: Facts;
  readonly power?: Power;
  readonly reason?: StepReason;
};
const summarised = ({
  action,
  applies = "now",
  facts = {},
  power = "none",
  reason = "requested",
}: Told): Summarised => ({
  facts,
  step: { action, applies, name: "web-01", power, reason },
  vmid: VMID,
});
const summary = (told: Told, tier?: Tier): string => stepSummary(summarised(told), tier, CODED);

/** What follows the title; undefined when nothing does. */
const told = (of: Told): string | undefined => {
  const title = `titles/${of.action.kind}(name=web-01)`;
  const whole = summary(of);
  if (whole === title) return undefined;
  const [, rest] = /^told\(title=.*? told=(.*)\)$/.exec(whole) ?? assert.fail(whole);
  assert.equal(whole, `told(title=${title} told=${rest})`);
  return rest;
};
const status = (observed: string, desired: string): string => `changes/status(desired=${desired} observed=${observed})`;
const cpus = (seen: string, desired: number): string =>
  `changes/cpus(desired=sizes/cpus(size=${desired}) seen=${seen})`;
const memory = (seen: string, desired: string): string =>
  `changes/memory(desired=sizes/memory(size=${desired}) seen=${seen})`;
const cpusSeen = (size: number): string => `sizes/cpus(size=${size})`;
const memorySeen = (size: string): string => `sizes/memory(size=${size})`;
const pending = (waiting: string, seen: string): string => `sizes/pending(pending=${waiting} seen=${seen})`;

const RESIZE = { kind: "vm.resize" } as const;
const ROLLBACK = actionOf("vm.snapshot.rollback");
const START = actionOf("vm.start");

/** What is told of each action that was asked for, of a VM that was seen running and is registered as stopped. */
const REQUESTED: Readonly<Record<ActionKind, string | undefined>> = {
  "vm.clone": undefined,
  "vm.delete": undefined,
  "vm.migrate": undefined,
  "vm.reboot": undefined,
  "vm.reset": undefined,
  "vm.resize": cpus("sizes/not-seen", 4),
  "vm.resume": status("running", "running"),
  "vm.shutdown": status("running", "stopped"),
  "vm.snapshot.create": "changes/snapshot(snapshot=before)",
  "vm.snapshot.delete": "changes/snapshot(snapshot=before)",
  "vm.snapshot.rollback": "changes/rollback(snapshot=before)",
  "vm.start": status("running", "running"),
  "vm.stop": status("running", "stopped"),
  "vm.suspend": undefined,
};

test("of a requested action it is told what it changes, whatever is desired of the VM", () => {
  const facts = { desiredStatus: "stopped", observedStatus: "running" };
  for (const kind of ACTION_KINDS) assert.equal(told({ action: actionOf(kind), facts }), REQUESTED[kind], kind);
});

test("of a difference the observed and the desired status are told, and neither is made up", () => {
  const reason = "status-differs";
  const one = (facts: Facts): string | undefined => told({ action: START, facts, reason });
  assert.equal(one({ desiredStatus: "running", observedStatus: "stopped" }), status("stopped", "running"));
  assert.equal(one({ desiredStatus: "stopped", observedStatus: "paused" }), status("paused", "stopped"));
  assert.equal(one({ desiredStatus: "running" }), undefined);
  assert.equal(one({ observedStatus: "stopped" }), undefined);
  assert.equal(one({ desiredStatus: 1, observedStatus: "stopped" }), undefined);
  assert.equal(one({ desiredStatus: "running", observedStatus: 1 }), undefined);
});

test("of a resize each size that it writes is told as it was seen, with what waits beside it", () => {
  const both = { ...RESIZE, cpus: 4, memory: 4 * GiB };
  const seen = { observedCpus: 2, observedMemory: GiB };
  const waiting = { pendingCpus: 3, pendingMemory: 2 * GiB };
  const reason = "size-differs";
  assert.equal(told({ action: RESIZE, facts: { ...seen, ...waiting }, reason }), undefined);
  assert.equal(told({ action: { ...RESIZE, cpus: 4 }, facts: seen, reason }), cpus(cpusSeen(2), 4));
  assert.equal(
    told({ action: { ...RESIZE, memory: 4 * GiB }, facts: seen, reason }),
    memory(memorySeen("1 GiB"), "4 GiB"),
  );
  assert.equal(
    told({ action: both, facts: seen, reason }),
    `${cpus(cpusSeen(2), 4)}, ${memory(memorySeen("1 GiB"), "4 GiB")}`,
  );
  assert.equal(
    told({ action: both, facts: { ...seen, ...waiting }, reason }),
    `${cpus(pending(cpusSeen(3), cpusSeen(2)), 4)}, ${memory(pending(memorySeen("2 GiB"), memorySeen("1 GiB")), "4 GiB")}`,
  );
  assert.equal(
    told({ action: both, facts: waiting, reason }),
    `${cpus(pending(cpusSeen(3), "sizes/not-seen"), 4)}, ${memory(pending(memorySeen("2 GiB"), "sizes/not-seen"), "4 GiB")}`,
  );
});

/** That a start starts and a stop stops is said by the verb: of every other action an interruption alone is told. */
const EFFECTS: Readonly<Record<Power, { readonly rollback: string | undefined; readonly any: string | undefined }>> = {
  interrupts: { any: "effects/interrupts", rollback: "effects/interrupts" },
  none: { any: undefined, rollback: undefined },
  starts: { any: undefined, rollback: "effects/starts" },
  stops: { any: undefined, rollback: "effects/stops" },
};

test("an interruption is told of every action, and a start or a stop where the verb does not say it", () => {
  for (const kind of ACTION_KINDS) {
    const action = actionOf(kind);
    const changes = told({ action });
    for (const [power, effects] of Object.entries(EFFECTS) as [Power, (typeof EFFECTS)[Power]][]) {
      const effect = kind === "vm.snapshot.rollback" ? effects.rollback : effects.any;
      const expected = [changes, effect].filter((text) => text !== undefined).join(", ");
      assert.equal(told({ action, power }) ?? "", expected, `${kind} ${power}`);
    }
  }
});

test("what waits for a restart is told last of the step, and what applies at once is not", () => {
  const action = { ...RESIZE, cpus: 4 };
  const change = cpus("sizes/not-seen", 4);
  assert.equal(told({ action, applies: "at-restart" }), `${change}, effects/at-restart`);
  assert.equal(
    told({ action, applies: "at-restart", power: "interrupts" }),
    `${change}, effects/interrupts, effects/at-restart`,
  );
  assert.equal(told({ action, applies: "now" }), change);
  assert.equal(told({ action: START, applies: "at-restart" }), "effects/at-restart");
});

test("what else differs is told as of a later plan, one size or both, or the status", () => {
  const later = (text: string): string => `later(told=${text})`;
  const seen = { observedCpus: 2, observedMemory: GiB, observedStatus: "stopped" };
  const change = status("stopped", "running");
  const one = (facts: Facts): string | undefined =>
    told({ action: START, facts: { ...seen, desiredStatus: "running", ...facts }, reason: "status-differs" });
  const moreCpus = cpus(cpusSeen(2), 4);
  const moreMemory = memory(memorySeen("1 GiB"), "4 GiB");
  assert.equal(one({ desiredCpus: 4, later: "size" }), `${change}, ${later(moreCpus)}`);
  assert.equal(one({ desiredMemory: 4 * GiB, later: "size" }), `${change}, ${later(moreMemory)}`);
  assert.equal(
    one({ desiredCpus: 4, desiredMemory: 4 * GiB, later: "size" }),
    `${change}, ${later(`both(first=${moreCpus} second=${moreMemory})`)}`,
  );
  // Without the fact `later`, or without a size in numbers, nothing else differs.
  for (const facts of [
    { desiredCpus: 4, desiredMemory: 4 * GiB },
    { later: "size" },
    { desiredCpus: "4", later: "size" },
    { desiredMemory: "4", later: "size" },
    { desiredCpus: 4, later: "name" },
  ]) {
    assert.equal(one(facts), change, JSON.stringify(facts));
  }
});

test("a resize tells the status that a later plan brings", () => {
  const action = { ...RESIZE, cpus: 4 };
  const facts = { desiredCpus: 4, desiredStatus: "running", observedCpus: 2, observedStatus: "stopped" };
  const change = cpus(cpusSeen(2), 4);
  const one = (more: Facts): string | undefined =>
    told({ action, facts: { ...facts, ...more }, reason: "size-differs" });
  assert.equal(one({ later: "status" }), `${change}, later(told=${status("stopped", "running")})`);
  assert.equal(one({}), change);
});

test("a rollback tells where to, what becomes of the guest, and the tier after all of it", () => {
  const of = { action: ROLLBACK, power: "starts" } as const;
  const whole = summary(of);
  assert.equal(told(of), "changes/rollback(snapshot=before), effects/starts");
  for (const tier of ["read", "low", "medium", "high", "irreversible"] as const) {
    assert.equal(summary(of, tier), `tier(summary=${whole} tier=${tier})`);
  }
});

test("the title and the question of every action name the VM", () => {
  for (const kind of ACTION_KINDS) {
    assert.equal(actionTitle(kind, "web-01", CODED), `titles/${kind}(name=web-01)`);
    const question = `steps/${kind}(name=web-01 vmid=${VMID})`;
    assert.equal(stepQuestion(summarised({ action: actionOf(kind) }), CODED), `keys(question=${question})`);
  }
  assert.equal(nameQuestion(CODED), "typed-name");
});

test("without a catalogue the words are those of this version", () => {
  const of = summarised({ action: START, facts: { observedStatus: "stopped" } });
  assert.equal(stepSummary(of, "low"), stepSummary(of, "low", CATALOGUE));
  assert.equal(stepQuestion(of), stepQuestion(of, CATALOGUE));
  assert.equal(actionTitle("vm.start", "web-01"), actionTitle("vm.start", "web-01", CATALOGUE));
  assert.equal(nameQuestion(), nameQuestion(CATALOGUE));
});
