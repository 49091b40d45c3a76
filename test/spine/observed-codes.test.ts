// Blockers, doubts and gaps: each code has its facts, its words name exactly those, and what was said is quoted after them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BLOCKERS, DOUBTS, doubt, GAPS, gap, inOrderOfKeys } from "../../src/spine/observed-codes.ts";
import { basisOf, observe } from "../../src/spine/values/observation.ts";
import {
  BLOCKER_WORDS,
  blockerText,
  DOUBT_WORDS,
  doubtText,
  GAP_WORDS,
  gapText,
} from "../../src/spine/words/observation-words.ts";
import { becauseOf } from "../../src/spine/words/refusal-words.ts";
import { meeting, observationOf, state, wantRunning } from "./world.ts";

const named = (words: string): readonly string[] =>
  Array.from(words.matchAll(/\{([A-Za-z]+)(?::[^{}]+)?\}/g), ([, name = ""]) => name).sort();

const TABLES = [
  [BLOCKERS, BLOCKER_WORDS],
  [DOUBTS, DOUBT_WORDS],
  [GAPS, GAP_WORDS],
] as const;

test("the words of a code name its facts, every one and no other", () => {
  for (const [codes, words] of TABLES) {
    assert.deepEqual(
      Object.entries(words).map(([code, text]) => [code, named(text)]),
      Object.keys(words).map((code) => [code, [...(Reflect.get(codes, code) ?? assert.fail(code))]]),
    );
    assert.equal(Object.keys(codes).length, Object.keys(words).length);
  }
});

test("facts are listed in order, so that a hash over them is the same wherever they come from", () => {
  for (const facts of TABLES.flatMap(([codes]) => Object.values<readonly string[]>(codes))) {
    assert.deepEqual(facts.toSorted(), facts);
  }
  const written = JSON.parse('{"said":"no","facts":{"node":"a","lastReport":"b"},"code":"node-silent"}');
  const facts = { lastReport: "b", node: "a" };
  assert.equal(JSON.stringify(inOrderOfKeys(written)), JSON.stringify(doubt("node-silent", { facts, said: "no" })));
});

test("what was said follows the words", () => {
  assert.equal(
    doubtText(doubt("node-refused", { facts: { node: "a" }, said: "500 no" })),
    `${doubtText({ code: "node-refused", facts: { node: "a" } })}: 500 no`,
  );
  assert.match(gapText(gap("stated", { said: "the rack is dark" })), /: the rack is dark$/);
});

test("a refusal of a blocked or unknown VM has the observation's code as its cause, and its facts", () => {
  const locked = { actions: "all", code: "locked", facts: { lock: "backup" }, said: "since noon" } as const;
  const [blocked] = meeting(wantRunning(), state({ blockers: [locked], status: "stopped" }));
  assert.deepEqual(
    [blocked?.code, blocked?.cause, blocked?.facts],
    ["blocked-by-provider", "locked", { action: "vm.start", lock: "backup", name: "web-01", said: "since noon" }],
  );
  assert.equal(blocked && becauseOf(blocked), blockerText(locked));
  const [unknown] = meeting(wantRunning(), state({ because: doubt("name-changed"), status: "unknown" }));
  assert.deepEqual([unknown?.code, unknown?.cause], ["vm-unknown", "name-changed"]);
  assert.equal(unknown && becauseOf(unknown), doubtText(doubt("name-changed")));
});

test("what was said is recorded with an observation and is no part of what a step stands on", () => {
  const blocked = (said?: string) =>
    state({
      blockers: [{ actions: ["vm.stop"], code: "quorum-not-seen", ...(said === undefined ? {} : { said }) }],
      status: "stopped",
    });
  assert.equal(basisOf(blocked("595 no route")), basisOf(blocked("596 timed out")));
  assert.equal(basisOf(blocked("595 no route")), basisOf(blocked()));
  assert.notEqual(basisOf(blocked()), basisOf(state({ status: "stopped" })));
  const [one, other] = [
    observe(observationOf([blocked("595 no route")])),
    observe(observationOf([blocked("596 timed out")])),
  ];
  assert.notEqual(one.digest, other.digest);
  assert.equal(one.observation.vms[0]?.blockers?.[0]?.said, "595 no route");
});
