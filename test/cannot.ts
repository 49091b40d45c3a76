// cannot(): a negative test, always in a pair. The offence is objected to under its rule, and its nearest allowed
// neighbour is not objected to at all; a system that refuses everything fails here too.
//
// Anything that carries a rule is an objection: a refusal, a problem in a text, a finding about the source.
// tools/rules.ts counts these titles among the tests that ran and passed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isRuleId, type RuleId, ruleOf } from "../src/spine/rules/invariants.ts";

export type Objection = { readonly rule: string };
type Objections = readonly Objection[] | Promise<readonly Objection[]>;
export type Pair = {
  readonly offence: () => Objections;
  /** Differs from the offence in the one thing that the rule is about. */
  readonly neighbour: () => Objections;
};

export const cannot = (rule: RuleId, what: string, { neighbour, offence }: Pair): void => {
  test(`${rule} cannot ${what}`, async () => {
    assert.ok(isRuleId(rule), `${rule} is not in the registry (src/spine/rules/invariants.ts)`);
    assert.notEqual(
      ruleOf(rule).kept,
      "not yet",
      `${rule} has a negative test, so the registry must say how it is kept`,
    );
    const objections = await offence();
    assert.ok(
      objections.some((objection) => objection.rule === rule),
      `the offence is not objected to under ${rule}; objections: ${JSON.stringify(objections)}`,
    );
    assert.deepEqual(await neighbour(), [], "the nearest allowed neighbour is objected to");
  });
};
