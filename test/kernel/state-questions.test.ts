// What is asked of the state by one function each: freezes, words, rules, challenges, clocks, formats.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freezeOf } from "../../src/kernel/decide/freezing.ts";
import { CLOCK_AHEAD_MAX_MS, providerClockRefusal } from "../../src/kernel/decide/judge-clock.ts";
import { confirmedWordsRefusal, wordsRefusal } from "../../src/kernel/decide/shown-words.ts";
import { formatRefusal } from "../../src/kernel/evolve/ledger-format.ts";
import { restoredFrom } from "../../src/kernel/evolve/restored.ts";
import { challengeFor } from "../../src/kernel/state/challenge-for.ts";
import { EMPTY, put } from "../../src/kernel/state/persistent-map.ts";
import { keep, NOTHING_RECENT, type Recent } from "../../src/kernel/state/recent.ts";
import { rulesFor, rulesUnder } from "../../src/kernel/state/rules-in-force.ts";
import { type Challenge, EVERYWHERE, type Freeze, INITIAL, type State } from "../../src/kernel/state/state.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { isUlid } from "../../src/ledger/record/ulid.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { judge, OBSERVED_AT, observationOf, state, VMID, wantRunning } from "../spine/world.ts";

const causeOf = (refusal: Refusal | undefined): string | undefined =>
  refusal === undefined ? undefined : `${refusal.code}/${refusal.cause ?? ""}`;
const [CONFIG, OTHER_CONFIG, WORDS, OTHER_WORDS] = ["config", "other config", "words", "other words"].map(sha256);
assert.ok(CONFIG && OTHER_CONFIG && WORDS && OTHER_WORDS);

const ulidOf = (digit: number): Ulid => {
  const text = `0000000000000000000000000${digit}`;
  assert.ok(isUlid(text), text);
  return text;
};

test("a freeze of everything is everywhere, and one of an environment is there alone", () => {
  const freeze: Freeze = { at: OBSERVED_AT, by: "ada", id: ulidOf(1), reason: "repair" };
  const facts = { by: "ada", reason: "repair", since: OBSERVED_AT };
  const frozen = (where: string): State => ({ ...INITIAL, freezes: put(EMPTY, where, [freeze] as const) });
  for (const environment of ["home", undefined]) {
    const refusal = freezeOf(frozen(EVERYWHERE), environment);
    assert.deepEqual([refusal?.cause, refusal?.facts], ["everything", facts]);
    assert.equal(freezeOf(INITIAL, environment), undefined);
  }
  const refusal = freezeOf(frozen("home"), "home");
  assert.deepEqual([refusal?.cause, refusal?.facts], ["environment", { ...facts, environment: "home" }]);
  assert.equal(freezeOf(frozen("home"), "lab"), undefined);
  assert.equal(freezeOf(frozen("home"), undefined), undefined);
});

test("a second freeze of a place takes the reason of the first from nobody", () => {
  const first: Freeze = { at: OBSERVED_AT, by: "ada", id: ulidOf(1), reason: "repair" };
  const second: Freeze = { at: OBSERVED_AT, by: "bob", id: ulidOf(2), reason: "audit" };
  const facts = { by: "ada", others: 1, reason: "repair", since: OBSERVED_AT };
  const frozen = (where: string): State => ({ ...INITIAL, freezes: put(EMPTY, where, [first, second] as const) });
  const everywhere = freezeOf(frozen(EVERYWHERE), "home");
  assert.deepEqual([everywhere?.cause, everywhere?.facts], ["everything-again", facts]);
  const here = freezeOf(frozen("home"), "home");
  assert.deepEqual([here?.cause, here?.facts], ["environment-again", { ...facts, environment: "home" }]);
});

test("words are those of the program under the same configuration, or it is said what they are instead", () => {
  const state: State = { ...INITIAL, programs: put(EMPTY, CONFIG, { rules: 1, words: WORDS }) };
  const asked = (configHash: typeof CONFIG, words: typeof WORDS | undefined): string | undefined =>
    causeOf(wordsRefusal(state, { configHash, words } as Parameters<typeof wordsRefusal>[1], VMID));
  assert.equal(asked(CONFIG, WORDS), undefined);
  assert.equal(asked(CONFIG, OTHER_WORDS), "words-differ/program");
  assert.equal(asked(OTHER_CONFIG, WORDS), "words-differ/unknown");
  assert.equal(asked(CONFIG, undefined), "words-differ/unnamed");
  assert.equal(asked(OTHER_CONFIG, undefined), "words-differ/unnamed");
});

test("a yes is in the words of its challenge", () => {
  assert.equal(confirmedWordsRefusal(WORDS, WORDS, VMID), undefined);
  assert.equal(causeOf(confirmedWordsRefusal(WORDS, OTHER_WORDS, VMID)), "words-differ/challenge");
  for (const [challenged, words] of [
    [WORDS, undefined],
    [undefined, WORDS],
    [undefined, undefined],
  ]) {
    assert.equal(causeOf(confirmedWordsRefusal(challenged, words, VMID)), "words-differ/unnamed");
  }
});

test("rules are those of the own configuration, then of the newest start, then the first there were", () => {
  const programs = put(put(EMPTY, CONFIG, { rules: 3 }), OTHER_CONFIG, { rules: 5 });
  const state: State = { ...INITIAL, programs, started: OTHER_CONFIG };
  assert.equal(rulesUnder(state, CONFIG), 3);
  assert.equal(rulesUnder(state, undefined), 5);
  assert.equal(rulesUnder(state, WORDS), 5);
  assert.equal(rulesUnder({ ...INITIAL, programs }, undefined), 1);
  assert.equal(rulesUnder(INITIAL, CONFIG), 1);
  assert.equal(rulesFor(state, CONFIG, { rules: 7 }), 7);
  assert.equal(rulesFor(state, CONFIG, {}), 3);
});

test("a challenge is found by whoever was asked, for that step and that text, and the youngest of several", () => {
  const { plan } = judge({ observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] });
  const step = plan.answers.find((answer) => answer.kind === "step") ?? assert.fail("there is a step");
  const of = { index: 2, plan: ulidOf(9), proof: [], step };
  const one: Challenge = {
    by: "ada",
    explanation: CONFIG,
    expiresAt: OBSERVED_AT,
    id: ulidOf(1),
    index: 2,
    plan: ulidOf(9),
    step: step.hash,
  };
  const found = (...given: readonly Partial<Challenge>[]): string | undefined => {
    const challenges = given.reduce<Recent<Challenge>>(
      (kept, more, at) => keep(kept, `${at}`, { ...one, ...more }),
      NOTHING_RECENT,
    );
    return challengeFor({ ...INITIAL, challenges }, "ada", of, CONFIG);
  };
  assert.equal(found(), undefined);
  assert.equal(found({}), ulidOf(1));
  assert.equal(found({ id: ulidOf(3) }, { id: ulidOf(1) }, { id: ulidOf(2) }), ulidOf(3));
  for (const other of [
    { by: "bob" },
    { instance: ulidOf(2) },
    { plan: ulidOf(8) },
    { index: 3 },
    { step: OTHER_WORDS },
    { explanation: OTHER_CONFIG },
  ]) {
    assert.equal(found(other), undefined, JSON.stringify(other));
  }
});

test("a clock may be ahead of the provider's by a minute, and one that is not shown is missed where something was seen", () => {
  const judged = (request: object): Refusal | undefined =>
    providerClockRefusal(request as Parameters<typeof providerClockRefusal>[0], OBSERVED_AT);
  const behind = (ms: number): Refusal | undefined => judged({ providerTime: later(OBSERVED_AT, -ms), vms: 1 });
  assert.equal(CLOCK_AHEAD_MAX_MS, 60_000);
  assert.equal(behind(60_000), undefined);
  assert.equal(behind(-120_000), undefined);
  assert.deepEqual([behind(60_001)?.code, behind(60_001)?.facts["aheadSeconds"]], ["clock-ahead", 60]);
  assert.equal(behind(61_600)?.facts["aheadSeconds"], 62);
  assert.equal(causeOf(judged({ complete: false, vms: 1 })), "provider-clock-missing/absent");
  assert.equal(causeOf(judged({ complete: true, vms: 0 })), "provider-clock-missing/absent-complete");
  assert.equal(judged({ complete: false, vms: 0 }), undefined);
  assert.equal(causeOf(judged({ providerTime: "yesterday", vms: 1 })), "provider-clock-missing/unreadable");
});

test("a record is of another time by the rules that it names or lacks, and anything else is left to whoever folds it", () => {
  const read = (kind: string, request: unknown): string | undefined =>
    causeOf(formatRefusal(4, { kind, request } as Parameters<typeof formatRefusal>[1], 3));
  const whole = { config: {}, rules: 3, version: "1.0.0" };
  const { rules: _, ...before } = whole;
  for (const kind of [
    "ledger.checkpoint",
    "ledger.restore",
    "ledger.unlock",
    "ledger.seal",
    "ledger.unseal",
    "ledger.join",
    "ledger.re-anchor",
    "start",
  ]) {
    assert.equal(read(kind, whole), undefined, kind);
    assert.equal(read(kind, { ...whole, rules: 4 }), "ledger-format/newer", kind);
    assert.equal(read(kind, before), "ledger-format/before", kind);
  }
  assert.equal(read("apply", before), undefined);
  for (const damaged of [null, undefined, 7, { ...before, version: 1 }, { ...before, config: "x" }]) {
    assert.equal(read("start", damaged), undefined, JSON.stringify(damaged));
  }
  for (const rules of ["4", 4.5, Number.POSITIVE_INFINITY]) assert.equal(read("start", { ...whole, rules }), undefined);
});

test("what a backup lacks of what the anchor covered is lost, and without any the ledger was gone", () => {
  const from = (anchored: number | undefined, size: number): object =>
    restoredFrom({ ...(anchored === undefined ? {} : { anchored: { size: anchored } }), size } as Parameters<
      typeof restoredFrom
    >[0]);
  assert.deepEqual(from(7, 5), { found: "ledger-cut-short", lost: 2 });
  assert.deepEqual(from(6, 5), { found: "ledger-cut-short", lost: 1 });
  assert.deepEqual(from(5, 5), { found: "ledger-absent", lost: 0 });
  assert.deepEqual(from(3, 5), { found: "ledger-absent", lost: 0 });
  assert.deepEqual(from(undefined, 0), { found: "ledger-absent", lost: 0 });
});
