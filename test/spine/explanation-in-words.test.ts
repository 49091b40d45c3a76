// An explanation in words: which sentence of the catalogue is chosen, by every code and fact that chooses one.
//
// Sentences are taken from the catalogue or written here, so that none of the catalogue is expected word for word.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation } from "../../src/spine/model.ts";
import { explain } from "../../src/spine/plan/explain.ts";
import { explanationInWords, framedExplanation } from "../../src/spine/words/steps/explanation-in-words.ts";
import { CATALOGUE } from "../../src/spine/words/words-catalogue.ts";
import { judge, OBSERVED_AT, observationOf, state, VMID, type World, wantRunning } from "./world.ts";

const explained = (given: World): Explanation => {
  const { plan, verdict } = judge(given);
  return explain(plan, verdict, VMID) ?? assert.fail("it is explained");
};
const STARTS = explained({ observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] });
const IN_SYNC = explained({ observation: observationOf([state()]), entries: [wantRunning()] });
const STEP = STARTS.step ?? assert.fail("it is a step");

const { actions, explanations, rollbacks } = CATALOGUE;
const { effects, lines } = explanations;
const factsOf = (explanation: Explanation): readonly string[] => explanationInWords(explanation).facts;

test("whether the observation was complete is one of two lines", () => {
  assert.ok(factsOf(IN_SYNC).includes(lines.complete) && !factsOf(IN_SYNC).includes(lines.incomplete));
  const partial = factsOf({ ...IN_SYNC, complete: false });
  assert.ok(partial.includes(lines.incomplete) && !partial.includes(lines.complete));
});

test("a step has four lines of its own and an answer in sync none", () => {
  assert.equal(factsOf(IN_SYNC).length, 2);
  assert.equal(factsOf({ ...STARTS, facts: {} }).length, 6);
});

test("a denial before is one line more, with who, when and why", () => {
  const denied = { at: OBSERVED_AT, by: "carol", id: "01", reason: "not today" };
  const told = factsOf({ ...STARTS, denied });
  assert.equal(told.length, factsOf(STARTS).length + 1);
  assert.ok(told.at(-1)?.includes("carol") && told.at(-1)?.includes("not today"), told.at(-1));
});

test("a fact without words of its own is shown by its name", () => {
  const facts = { strangeFact: 5 };
  assert.ok(factsOf({ ...IN_SYNC, facts }).includes("strange fact: 5"));
});

test("a sign of production is told in its words, beside any fact", () => {
  const facts = { protectedBecause: "tag" };
  assert.ok(
    factsOf({ ...IN_SYNC, facts })
      .at(-1)
      ?.includes(CATALOGUE.steps.protections.tag),
  );
});

test("what a step does is said of a performed one alone; a plan that is refused and an answer without a step say so", () => {
  const effectOf = (explanation: Explanation): string => explanationInWords(explanation).effect;
  assert.equal(effectOf(STARTS), actions["vm.start"].effect);
  assert.equal(effectOf({ ...STARTS, effect: "plan-refused" }), effects["plan-refused"]);
  assert.equal(effectOf(IN_SYNC), effects["in-sync"]);
  assert.equal(effectOf({ ...IN_SYNC, effect: "performed" }), effects["no-step"]);
  const waits = effectOf({ ...STARTS, step: { ...STEP, applies: "at-restart" } });
  assert.ok(waits.includes(actions["vm.start"].effect) && waits !== actions["vm.start"].effect);
  const action = { kind: "vm.snapshot.rollback", snapshot: "a" } as const;
  const back = effectOf({ ...STARTS, step: { ...STEP, action, power: "starts" } });
  assert.ok(back.includes(actions["vm.snapshot.rollback"].effect) && back.includes(rollbacks.starts), back);
});

test("an undo is that of the action, and of no step there is none", () => {
  assert.equal(explanationInWords(STARTS).undo, actions["vm.start"].undo);
  assert.equal(explanationInWords(IN_SYNC).undo, explanations.nothingToUndo);
});

test("the frame has a line for each fact, effect, undo, rule and agreement, and rules stand in one column", () => {
  const frame = {
    ...CATALOGUE.frame,
    agreement: "A {agreement}",
    broken: "B {rule}|{evidence}",
    effect: "E {effect}",
    fact: "F {fact}",
    holds: "H {rule}|{evidence}",
    undo: "U {undo}",
  };
  const catalogue = { ...CATALOGUE, frame };
  const needs = { approvals: 0, confirmation: true, ownCounts: false, typedName: false };
  const agreements = [{ agent: needs, mode: "four-eyes", person: needs, tier: "low" }] as const;
  const kinds = ({ lines: all }: { readonly lines: readonly string[] }): string => all.map((line) => line[0]).join("");
  const held = framedExplanation(STARTS, { agreements, invited: [] }, catalogue);
  assert.equal(kinds(held), `${"F".repeat(factsOf(STARTS).length)}EU${"H".repeat(STARTS.rules.length)}A`);
  assert.ok(held.lines.some((line) => line.startsWith("H N1   |")));
  assert.ok(held.lines.some((line) => line.startsWith("H P7-E1|")));
  const missing = explained({ observation: observationOf([]), entries: [wantRunning()] });
  assert.match(kinds(framedExplanation(missing, { agreements: [], invited: [] }, catalogue)), /EUB$/);
});

test("whoever asked or approved and was invited is named with who invited them, beside what is hashed", () => {
  const invited = [
    { invitedBy: "alice", name: "finn", party: "requester" },
    { invitedBy: "bob", name: "gwen", party: "approver" },
  ] as const;
  const frame = {
    ...CATALOGUE.frame,
    invited: { approver: "V {name}|{invitedBy}", requester: "R {name}|{invitedBy}" },
  };
  const { end, lines } = framedExplanation(STARTS, { agreements: [], invited }, { ...CATALOGUE, frame });
  const without = framedExplanation(STARTS, { agreements: [], invited: [] }, { ...CATALOGUE, frame });
  assert.deepEqual(lines, [...without.lines, "R finn|alice", "V gwen|bob"]);
  assert.equal(end, without.end);
});

test("what is broken says why, with its code and what is next", () => {
  const missing = explained({ observation: observationOf([]), entries: [wantRunning()] });
  const [rule] = explanationInWords(missing).rules;
  assert.deepEqual([rule?.held, rule?.evidence.includes("vm-missing")], [false, true]);
});
