// Every cause has words, and every fact that they name is there when they are rendered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { READ_ONLY_WORDS } from "../../src/spine/words/engine-words.ts";
import { failureText, isFailureIn, withFacts } from "../../src/spine/words/failure.ts";
import { FLAW_WORDS } from "../../src/spine/words/flaw-words.ts";
import { inWords, REFUSAL_WORDS } from "../../src/spine/words/refusal-words.ts";
import type { Told } from "../../src/spine/words/template.ts";

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
