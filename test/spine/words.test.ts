// The words of steps and explanations: chosen by codes and facts, every one of them, and outside every hash.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Facts, PlanStep, StepReason } from "../../src/spine/model.ts";
import { explain } from "../../src/spine/plan/explain.ts";
import { STEP_FACTS } from "../../src/spine/plan/facts.ts";
import { REFUSAL_CODES } from "../../src/spine/rules/refusals.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { recordedWords } from "../../src/spine/words/recorded-words.ts";
import { explanationInWords } from "../../src/spine/words/steps/explanation-in-words.ts";
import { protectionInWords, reasonInWords } from "../../src/spine/words/steps/step-in-words.ts";
import { filled } from "../../src/spine/words/template.ts";
import { CATALOGUE, wordsIn } from "../../src/spine/words/words-catalogue.ts";
import { digestOf } from "./reference.ts";
import { MARK, reworded, textsIn } from "./reworded.ts";
import { GiB, judge, observationOf, state, VMID, wantRunning, wantStopped } from "./world.ts";

const stepFor = (
  entry: Parameters<typeof judge>[0]["entries"][number],
  seen: Parameters<typeof state>[0],
): PlanStep => {
  const { plan } = judge({ observation: observationOf([state(seen)]), entries: [entry] });
  const [step] = plan.answers;
  assert.ok(step?.kind === "step", JSON.stringify(plan.answers));
  return step;
};

test("an action is shown as people call it, and what is only called like one is shown as it is", () => {
  const facts = { action: "vm.stop", file: "/srv/vm.stop/index", name: "vm.stop", snapshot: "vm.start" };
  assert.equal(filled("{action} of {name}: {snapshot}", facts), "stop of vm.stop: vm.start");
  assert.equal(filled("rm -rf {file:shell}", facts), "rm -rf '/srv/vm.stop/index'");
  assert.equal(filled("{actions}", { actions: ["vm.stop", "vm.start"] }), "stop, start");
  assert.equal(filled("{actions:written}", { actions: ["vm.stop", "vm.start"] }), "vm.stop, vm.start");
  assert.equal(filled("{approved}; {refused}", { approved: ["vm.stop"], refused: "none" }), "stop; none");
  assert.equal(filled("{refused:VM is|VMs are}", { refused: 1 }), "1 VM is", "a number stays one");
  assert.equal(filled("{action}", { action: "vm.stopped" }), "vm.stopped");
  assert.equal(filled("{tightens:@ }", { tightens: ["vm.stop@refused"] }), "stop refused");
});

test("what differs besides comes in a later plan: it is among the facts, and the reason is a code", () => {
  const power = stepFor(wantStopped("shutdown", { cpus: 4 }), { cpus: 2 });
  assert.equal(power.reason, "status-differs");
  assert.deepEqual(power.facts, {
    later: "size",
    observedCpus: 2,
    observedStatus: "running",
    desiredCpus: 4,
    desiredStatus: "stopped",
  });
  assert.equal(reasonInWords(power), "running, desired stopped; also cpus 2, desired 4, in a later plan");
  const size = stepFor(wantRunning({ memory: 2 * GiB }), { maxmem: GiB, status: "stopped" });
  assert.deepEqual([size.reason, size.facts["later"]], ["size-differs", "status"]);
  assert.equal(reasonInWords(size), "memory 1 GiB, desired 2 GiB; also stopped, desired running, in a later plan");
});

test("a size is said with what was seen of it and what waits, each alone or both", () => {
  const said = (facts: Facts, reason: StepReason = "size-differs"): string =>
    reasonInWords({ action: { kind: "vm.resize" }, facts, reason });
  assert.equal(said({ observedCpus: 2, desiredCpus: 4 }), "cpus 2, desired 4");
  assert.equal(said({ observedCpus: 2, pendingCpus: 3, desiredCpus: 4 }), "cpus 2 (3 pending), desired 4");
  assert.equal(said({ pendingCpus: 3, desiredCpus: 4 }), "cpus not seen (3 pending), desired 4");
  assert.equal(said({ desiredMemory: GiB }), "memory not seen, desired 1 GiB");
  const both = { observedCpus: 2, observedMemory: GiB, desiredCpus: 4, desiredMemory: 2 * GiB };
  assert.equal(said(both), "cpus 2, desired 4; memory 1 GiB, desired 2 GiB");
  assert.equal(said({ observedCpus: 2, desiredCpus: 4 }, "requested"), "resize was requested: cpus 2, desired 4");
});

test("every fact of a step, every sign and every code has words, and no text is empty", () => {
  assert.deepEqual(
    STEP_FACTS.filter((fact) => !Object.hasOwn(CATALOGUE.explanations.facts, fact)),
    [],
  );
  assert.deepEqual(Object.keys(CATALOGUE.refusals).sort(), [...REFUSAL_CODES].sort());
  assert.ok(textsIn(CATALOGUE).every((text) => text !== ""));
  assert.notEqual(protectionInWords("tag"), "tag");
  assert.equal(protectionInWords("no sign"), "no sign");
});

test("a list is written as options take it, and a fact that is not there is named", () => {
  assert.equal(filled("--only {seen:commas}", { seen: [101, 102] }), "--only 101,102");
  assert.equal(filled("{seen} of {all}", { seen: [101, 102] }), "101, 102 of (all is not known)");
  assert.equal(filled("{count:gap|gaps}", { count: 1 }), "1 gap");
});

test("the digest is of the canonical text, other words have another, and the text gives the words back", () => {
  assert.equal(OWN_WORDS.digest, digestOf(CATALOGUE));
  assert.deepEqual(wordsIn(OWN_WORDS.text), CATALOGUE);
  assert.notEqual(recordedWords(reworded(CATALOGUE)).digest, OWN_WORDS.digest);
});

test("an explanation in other words has other sentences, the same facts in them, and the same hash", () => {
  const { plan, verdict } = judge({
    observation: observationOf([state({ status: "stopped", tags: ["prod"] })]),
    entries: [wantRunning()],
  });
  const explanation = explain(plan, verdict, VMID) ?? assert.fail("it is explained");
  const other = explanationInWords(explanation, reworded(CATALOGUE));
  const texts = [other.effect, other.undo, ...other.facts, ...other.rules.map(({ evidence }) => evidence)];
  assert.ok(
    texts.every((text) => text.startsWith(MARK)),
    JSON.stringify(texts),
  );
  assert.ok(other.facts.some((fact) => fact.endsWith(" start")));
  const { hash, ...body } = explanation;
  assert.equal(hash, digestOf(body));
});

test("a closed word is shown in its words, item by item, and one without words as it is", () => {
  const template = "{role:signing-key=signing key|anchor=the anchor}";
  assert.equal(filled(template, { role: "signing-key" }), "signing key");
  assert.equal(filled(template, { role: ["anchor", "ledger"] }), "the anchor, ledger");
});

test("a pair is shown with the words of its template between, and only its last sign is one", () => {
  assert.equal(filled("{denied:@ on }", { denied: ["a@pve@/vms/1", "@ops@/"] }), "a@pve on /vms/1, @ops on /");
  assert.equal(filled("{denied:@ on }", { denied: "nobody" }), "nobody");
});
