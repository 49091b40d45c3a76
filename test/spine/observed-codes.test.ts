// Blockers, doubts, gaps and diagnostics: each code has its facts, its words name exactly those, and what was said is
// quoted after them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DIAGNOSTICS, diagnostic } from "../../src/spine/diagnostic-codes.ts";
import { BLOCKERS, DOUBTS, doubt, GAPS, gap, inOrderOfKeys } from "../../src/spine/observed-codes.ts";
import { endedByDoubt } from "../../src/spine/rules/outcome-causes.ts";
import { basisOf, observe } from "../../src/spine/values/observation.ts";
import { DIAGNOSTIC_WORDS } from "../../src/spine/words/causes/diagnostic-words.ts";
import {
  BLOCKER_WORDS,
  blockerText,
  DOUBT_WORDS,
  doubtText,
  GAP_WORDS,
  gapText,
} from "../../src/spine/words/causes/observation-words.ts";
import { becauseOf } from "../../src/spine/words/refusals/refusal-words.ts";
import { namedIn } from "../../src/spine/words/template.ts";
import { meeting, observationOf, state, wantRunning } from "./world.ts";

const named = (words: string): readonly string[] => namedIn(words).toSorted();

const TABLES = [
  [BLOCKERS, BLOCKER_WORDS],
  [DIAGNOSTICS, DIAGNOSTIC_WORDS],
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

const LATE = diagnostic("answer-timed-out", { facts: { ms: 10_000 }, said: "x" });
const SILENT = doubt("node-silent", { diagnostic: LATE, facts: { lastReport: "running", node: "pve2" } });

test("a diagnostic follows the words of what it stands beside, and what was said follows both", () => {
  const { diagnostic: _, ...bare } = SILENT;
  const text = DIAGNOSTIC_WORDS["answer-timed-out"].replace("{ms}", "10000");
  assert.equal(doubtText(SILENT), `${doubtText(bare)}: ${text}: x`);
});

test("a refusal has a diagnostic among its facts, as its code, and tells it in the same words", () => {
  const [refusal] = meeting(wantRunning(), state({ because: SILENT, status: "unknown" }));
  assert.deepEqual(refusal?.facts, {
    diagnostic: "answer-timed-out",
    lastReport: "running",
    ms: 10_000,
    name: "web-01",
    node: "pve2",
    said: "x",
  });
  assert.equal(refusal && becauseOf(refusal), doubtText(SILENT));
});

test("what a step stands on is the same whichever diagnostic stands beside a code, and the observation is not", () => {
  const unseen = (why?: typeof LATE) =>
    state({
      blockers: [{ actions: ["vm.stop"], code: "quorum-not-seen", ...(why === undefined ? {} : { diagnostic: why }) }],
    });
  const refused = diagnostic("connection-refused");
  assert.equal(basisOf(unseen(LATE)), basisOf(unseen(refused)));
  assert.equal(basisOf(unseen(LATE)), basisOf(unseen()));
  assert.notEqual(observe(observationOf([unseen(LATE)])).digest, observe(observationOf([unseen(refused)])).digest);
  assert.notEqual(basisOf(unseen()), basisOf(state({ blockers: [{ actions: ["vm.stop"], code: "quorum-lost" }] })));
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

test("an outcome that an observation leaves in doubt carries the doubt's code, diagnostic and what was said", () => {
  const late = diagnostic("answer-timed-out", { facts: { ms: 300 } });
  assert.deepEqual(endedByDoubt("after-vm-unknown", { code: "provider-silent", diagnostic: late, said: "no route" }), {
    cause: "after-vm-unknown",
    diagnostics: [late],
    facts: { doubt: "provider-silent" },
    outcome: "unknown",
    said: "no route",
  });
  assert.deepEqual(endedByDoubt("after-vm-unknown", { code: "provider-silent" }), {
    cause: "after-vm-unknown",
    facts: { doubt: "provider-silent" },
    outcome: "unknown",
  });
});
