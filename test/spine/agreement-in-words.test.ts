// What a tier needs is said once for all modes only where every member of the row is the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TierNeeds } from "../../src/spine/model.ts";
import { agreementTexts, needsText } from "../../src/spine/words/steps/agreement-in-words.ts";
import { filled } from "../../src/spine/words/template.ts";
import { CATALOGUE } from "../../src/spine/words/words-catalogue.ts";

type Needed = Exclude<TierNeeds, "refused">;
const NEEDS: Needed = { approvals: 1, confirmation: true, ownCounts: false, typedName: false };

const lines = (one: TierNeeds, other: TierNeeds): number => {
  const row = { agent: NEEDS, tier: "high" } as const;
  return agreementTexts([
    { ...row, mode: "four-eyes", person: one },
    { ...row, mode: "single-operator", person: other },
  ]).length;
};

test("rows that need the same are one line, and rows that differ in any member are two", () => {
  assert.equal(lines(NEEDS, NEEDS), 1);
  const others: readonly TierNeeds[] = [
    { ...NEEDS, approvals: 2 },
    { ...NEEDS, confirmation: false },
    { ...NEEDS, ownCounts: true },
    { ...NEEDS, typedName: true },
    "refused",
  ];
  for (const other of others) assert.equal(lines(NEEDS, other), 2, JSON.stringify(other));
  assert.equal(lines("refused", "refused"), 1);
});

test("what an agent needs is as much a part of the row as what a person needs, in every mode", () => {
  const row = { agent: NEEDS, mode: "four-eyes", person: NEEDS, tier: "high" } as const;
  const other = { ...row, agent: { ...NEEDS, approvals: 2 }, mode: "single-operator" };
  assert.equal(agreementTexts([row, other]).length, 2);
  assert.equal(agreementTexts([row, { ...row, mode: "single-operator" }, { ...other, mode: "third" }]).length, 3);
  assert.deepEqual([agreementTexts([]), agreementTexts([row]).length], [[], 1]);
  assert.ok(agreementTexts([row])[0]?.includes("four-eyes"), "of one mode alone the mode is told");
  assert.equal(lines(NEEDS, "refused"), lines("refused", NEEDS));
});

test("what is needed is told in its order, and a number by its word where there is one", () => {
  const { agreements: words } = CATALOGUE;
  const none = { approvals: 0, confirmation: false, ownCounts: false, typedName: false };
  const said = (more: Partial<Needed>): string => needsText({ ...none, ...more }, "person");
  assert.equal(needsText("refused", "person"), words.refused);
  assert.equal(said({}), words.nothing);
  assert.equal(said({ confirmation: true }), words.confirmation);
  assert.equal(said({ typedName: true }), words["typed-name"]);
  assert.equal(said({ approvals: 1 }), words.approvals.person.one);
  assert.equal(needsText({ ...none, approvals: 1 }, "agent"), words.approvals.agent.one);
  assert.equal(said({ approvals: 1, ownCounts: true }), words.approvals.own.one);
  for (const [approvals, word] of [
    [2, words.counts[2]],
    [3, words.counts[3]],
    [4, 4],
  ] as const) {
    assert.equal(said({ approvals }), filled(words.approvals.person.several, { approvals: word }));
  }
  const all = said({ approvals: 1, confirmation: true, typedName: true });
  const before = [words.approvals.person.one, words["typed-name"]];
  assert.equal(all, filled(words.sequence, { before, last: words.confirmation }));
});

test("whose approval counts is no difference where none is needed", () => {
  assert.equal(lines({ ...NEEDS, approvals: 0 }, { ...NEEDS, approvals: 0, ownCounts: true }), 1);
});
