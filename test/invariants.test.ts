// Rule ↔ code ↔ test ↔ document, in every direction, by a scan of the source.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RULE_IDS, type RuleId, ruleOf } from "../src/spine/rules/invariants.ts";
import { REFUSAL_CODES, refusalRow } from "../src/spine/rules/refusals.ts";
import { INVARIANTS_PATH, invariantsText } from "../tools/docs.ts";
import { ACTIONS_PATH, actionsText } from "../tools/documents/actions.ts";
import { TROUBLESHOOTING_PATH, troubleshootingText } from "../tools/documents/troubleshooting.ts";
import { unproven } from "../tools/rules.ts";
import { signsOf } from "../tools/signs.ts";
import { sources } from "../tools/sources.ts";

const files = sources();
const signs = signsOf(files);
const kept = RULE_IDS.filter((id) => ruleOf(id).kept !== "not yet");
const without = <K>(keys: readonly K[], found: ReadonlyMap<K, readonly string[]>): readonly K[] =>
  keys.filter((key) => (found.get(key) ?? []).length === 0);

test("the registry and the document say the same words", () => {
  assert.equal(files.get(INVARIANTS_PATH), invariantsText(signs), "run make docs and read the difference");
});

test("actions and refusals are documented as their tables say", () => {
  assert.equal(files.get(ACTIONS_PATH), actionsText(), "run make docs and read the difference");
  assert.equal(files.get(TROUBLESHOOTING_PATH), troubleshootingText(), "run make docs and read the difference");
});

test("every kept rule has a sign in the source", () => {
  assert.deepEqual(without(kept, signs.code), []);
});

test("every kept rule has a negative test", () => {
  assert.deepEqual(without(kept, signs.tests), []);
});

test("a rule kept by a refusal is attacked by a running program, not only in the source", () => {
  const inTheSource = /^test\/(?:tidy|must-not-compile)/;
  const refusing = kept.filter((id) => ruleOf(id).kept === "refusal");
  assert.deepEqual(
    refusing.filter((id) => (signs.tests.get(id) ?? []).every((file) => inTheSource.test(file))),
    [],
  );
});

test("a rule that is not yet kept has no negative test and names no code", () => {
  const notYet = RULE_IDS.filter((id) => ruleOf(id).kept === "not yet");
  assert.deepEqual(without(notYet, signs.tests), notYet);
  assert.deepEqual(without(notYet, signs.code), notYet);
  for (const id of notYet) assert.match(rowIn(files.get(INVARIANTS_PATH) ?? "", id), /\| not yet \|/);
});

const rowIn = (text: string, id: RuleId): string =>
  text.split("\n").find((line) => line.startsWith(`| ${id} |`)) ?? `no row for ${id}`;

test("every refusal is made somewhere", () => {
  assert.deepEqual(without(REFUSAL_CODES, signs.refusals), []);
});

test("every refusal is met in some test", () => {
  assert.deepEqual(without(REFUSAL_CODES, signs.refusalTests), []);
});

test("a refusal stands under a rule that is kept", () => {
  assert.deepEqual(
    REFUSAL_CODES.filter((code) => ruleOf(refusalRow(code).rule).kept === "not yet"),
    [],
  );
});

test("no test, comment or document names a rule that does not exist", () => {
  assert.deepEqual(signs.strangers, []);
});

test("a rule is proven only by a negative test that ran, passed and was not left out", () => {
  const passed = kept.map((id) => `${id} cannot be broken`);
  assert.deepEqual(unproven({ failed: [], leftOut: [], passed }), []);
  assert.match(unproven({ failed: [], leftOut: [], passed: passed.slice(1) }).join(), /N1 is kept by/);
  assert.match(unproven({ failed: [], leftOut: ["a"], passed }).join(), /left out: a/);
  assert.match(unproven({ failed: ["b"], leftOut: [], passed }).join(), /failed: b/);
});
