// Every cause has words, and every fact that they name is there when they are rendered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { after, failureText, failureUnder, isFailureIn, under, withFacts } from "../../src/spine/words/cause.ts";
import { READ_ONLY_WORDS } from "../../src/spine/words/causes/engine-words.ts";
import { FOUND, FOUND_MEANT, forEach } from "../../src/spine/words/causes/expectation-words.ts";
import { FLAW_WORDS } from "../../src/spine/words/causes/flaw-words.ts";
import { generalWords, inWords, REFUSAL_WORDS } from "../../src/spine/words/refusals/refusal-words.ts";
import { unprovenLines } from "../../src/spine/words/remarks/unproven-words.ts";
import { filled, type Told, unfilled } from "../../src/spine/words/template.ts";

const told: readonly (readonly [code: string, because: Told, next: Told])[] = Object.entries(REFUSAL_WORDS).flatMap(
  ([code, row]) => ("because" in row ? [[code, row.because, row.next] as const] : []),
);

test("a code whose causes have next steps of their own has one for each", () => {
  for (const [code, because, next] of told) {
    if (typeof because === "string" || typeof next === "string") continue;
    assert.deepEqual(Object.keys(next).sort(), Object.keys(because).sort(), code);
  }
});

test("a failure is a refusal's cause with more facts beside its own", () => {
  const flaw = { cause: "out-of-order", facts: { seqThere: 5, size: 4 } } as const;
  assert.equal(failureText(FLAW_WORDS, flaw), "its seq is 5 where 4 belongs");
  const refusal = refuse("ledger-broken", withFacts(flaw, { seq: 4 }));
  assert.deepEqual([refusal.cause, refusal.facts], ["out-of-order", { seq: 4, seqThere: 5, size: 4 }]);
  assert.equal(inWords(refusal).because, "record 4: its seq is 5 where 4 belongs");
});

test("what was read as JSON is a failure only with every fact that its words name", () => {
  assert.ok(isFailureIn(READ_ONLY_WORDS, { cause: "mark-empty", facts: {} }));
  assert.ok(!isFailureIn(READ_ONLY_WORDS, { cause: "unlock-failed", facts: { name: "x" } }));
  assert.ok(!isFailureIn(READ_ONLY_WORDS, { cause: "valueOf", facts: {} }));
});

const TABLE = { one: "first", two: "second {size} of {name}" } as const;

test("every fact of a failure is a text, a number or a truth value", () => {
  const isFailure = (facts: unknown): boolean => isFailureIn(TABLE, { cause: "one", facts });
  for (const facts of [{}, { a: "x" }, { a: 1 }, { a: true }]) assert.ok(isFailure(facts), JSON.stringify(facts));
  for (const facts of [{ a: null }, { a: [1] }, { a: 1, b: {} }, null, undefined, "text", 7]) {
    assert.ok(!isFailure(facts), JSON.stringify(facts));
  }
  assert.ok(isFailureIn(TABLE, { cause: "two", facts: { name: "x", size: 1 } }));
  assert.ok(!isFailureIn(TABLE, { cause: "two", facts: { name: "x" } }));
});

test("what is no object, or lacks its cause or its facts, is no failure", () => {
  for (const other of [null, undefined, "one", 7, {}, { cause: "one" }, { facts: {} }, { cause: ["one"], facts: {} }]) {
    assert.ok(!isFailureIn(TABLE, other), JSON.stringify(other));
  }
});

test("a table under a beginning, or after one, has every cause with its sentence", () => {
  assert.deepEqual(under("x-", TABLE), { "x-one": "first", "x-two": "second {size} of {name}" });
  assert.deepEqual(after("{seq}: ", TABLE), { one: "{seq}: first", two: "{seq}: second {size} of {name}" });
  assert.deepEqual(failureUnder("x-", { cause: "one", facts: { a: 1 } }), { cause: "x-one", facts: { a: 1 } });
  assert.deepEqual(forEach(TABLE, "the same"), { one: "the same", two: "the same" });
  assert.equal(FOUND_MEANT["span-meant"], FOUND.span);
});

test("a refusal is told by its cause, with its vmid among the facts, and in general by all of its causes", () => {
  const { because } = REFUSAL_WORDS["truth-incomplete"];
  const facts = { unknown: 1, vmids: [101] };
  assert.equal(inWords(refuse("truth-incomplete", { cause: "whole", facts })).because, filled(because.whole, facts));
  const general = generalWords("truth-incomplete");
  assert.equal(general.because, unfilled(because.whole), "one sentence for both causes");
  const several = Object.values(REFUSAL_WORDS["entry-unproven"].because).map((text) => unfilled(text));
  assert.ok(several.length > 1);
  assert.equal(generalWords("entry-unproven").because, several.join("; "));
  assert.equal(generalWords("vm-missing").because, unfilled(REFUSAL_WORDS["vm-missing"].because));
});

test("a ledger that is shown unproven says which refusal stands against it, and what is next", () => {
  const loss = refuse("anchor-absent", { facts: { size: 1 } });
  const [because, next, ...others] = unprovenLines(loss);
  assert.ok(because?.startsWith("anchor-absent: "), because);
  assert.deepEqual([next, others], [inWords(loss).next, []]);
});
