// What a tier needs is said once for all modes only where every member of the row is the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TierNeeds } from "../../src/spine/model.ts";
import { agreementTexts } from "../../src/spine/words/agreement-in-words.ts";

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

test("whose approval counts is no difference where none is needed", () => {
  assert.equal(lines({ ...NEEDS, approvals: 0 }, { ...NEEDS, approvals: 0, ownCounts: true }), 1);
});
