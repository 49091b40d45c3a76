// Rules have a version: what other rules decided is decided again by those, and a ledger of another time is refused by
// name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Rulebook } from "../../src/kernel/decide/rulebook.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { replay } from "../../src/kernel/replay-ledger.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import { VERSIONS, type Version, type Versions } from "../../src/kernel/versions.ts";
import { readRefusal } from "../../src/ledger/open.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { foldedAt } from "../../src/ledger/verify/damage.ts";
import type { ActionKind } from "../../src/spine/model.ts";
import type { ActionRow } from "../../src/spine/rules/actions.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { blobsOf, HISTORIES, recordsOf } from "../history-files.ts";
import { state as vmState, wantRunning, wantStopped } from "../spine/world.ts";
import { again, day } from "./day.ts";
import { ALICE, apply, BOB, configOf, ENDS, lastId, planned, ROBO, type Story, story } from "./story.ts";

const PRESENT = VERSIONS[RULES_VERSION] ?? assert.fail("this program has its own rules");
const NEXT = RULES_VERSION + 1;

/** Told in the same way under the present rules and under the next ones, where something comes out differently. */
type Plant = { readonly next: Partial<Version>; readonly tell: (told: Story) => void };

const note = (told: Story, by = ALICE): Result => told.ask({ kind: "annotate", text: "the same note" }, { by });
const frozen = (told: Story, tell: () => void): void => {
  told.ask({ kind: "freeze", reason: "incident" });
  tell();
  told.ask({ kind: "unfreeze", reason: "over" });
};
/** A start is planned, confirmed and, where it is granted, over. */
const started = (told: Story, setting: Parameters<typeof planned>[1] = {}): void => {
  const { of } = planned(told, setting);
  if (apply(told, of).kind !== "intended") return;
  told.ask({ ...ENDS.succeeded, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
};
const production = (told: Story): void =>
  started(told, {
    entries: [wantRunning({ name: "prod-db" })],
    vms: [vmState({ name: "prod-db", status: "stopped" })],
  });
const stopped = (told: Story): void => started(told, { entries: [wantStopped("shutdown")], vms: [vmState()] });

const rulebook = (change: Partial<Rulebook>): Partial<Version> => ({ rulebook: { ...PRESENT.rulebook, ...change } });
const action = (kind: ActionKind, change: Partial<ActionRow>): Partial<Version> => {
  const { actions } = PRESENT.rulebook;
  return rulebook({ actions: { ...actions, [kind]: { ...actions[kind], ...change } } });
};
const STARTS = PRESENT.rulebook.actions["vm.start"].tier;
const SINGLE = PRESENT.rulebook.agreement["single-operator"];
const APPROVED = { approvals: 1, confirmation: true, ownCounts: false, typedName: false };

/** One for each member of a row, and for each part of its rulebook. */
const PLANTS: Readonly<Record<string, Plant>> = {
  "a decider that is stricter": {
    next: {
      deciders: {
        ...PRESENT.deciders,
        annotate: {
          decide: () => ({ result: { kind: "refused", refusals: [refuse("reason-missing", { cause: "blank" })] } }),
          isStoppedByFreeze: false,
          isTakenAnywhere: false,
        },
      },
    },
    tell: note,
  },
  "another role that may ask": {
    next: { may: { ...PRESENT.may, annotate: PRESENT.may.freeze } },
    tell: (told) => note(told, BOB),
  },
  "a decision that is not for people alone": {
    next: { may: { ...PRESENT.may, challenge: PRESENT.may.freeze } },
    tell: (told) => told.ask({ kind: "challenge", of: planned(told).of }, { by: ROBO }),
  },
  "a gate that lets everybody in": {
    next: { gate: () => undefined },
    tell: (told) => told.ask({ kind: "freeze", reason: "a robot asks" }, { by: ROBO }),
  },
  "a freeze that stops more": {
    next: {
      deciders: { ...PRESENT.deciders, annotate: { ...PRESENT.deciders.annotate, isStoppedByFreeze: true } },
    },
    tell: (told) => frozen(told, () => note(told)),
  },
  "another fold": {
    next: { folds: { ...PRESENT.folds, freeze: (state) => state } },
    tell: (told) => frozen(told, () => note(told)),
  },
  "a state that forgets nothing": {
    next: { dayTurned: (state) => state },
    tell: (told) => {
      const { of } = planned(told);
      for (const _ of ["a day", "another day"]) {
        told.pass(DAY_MS);
        note(told);
      }
      told.ask({ kind: "challenge", of });
    },
  },
  "a tier that is higher": { next: action("vm.start", { tier: "high" }), tell: started },
  "an action that can be undone less": { next: action("vm.start", { undo: "lossy" }), tell: started },
  "an action that production may not have": { next: action("vm.start", { onProtected: false }), tell: production },
  "more names of production": { next: rulebook({ isProductionName: () => true }), tell: stopped },
  "more tags of production": {
    next: rulebook({ isProductionTag: () => true }),
    tell: (told) => started(told, { entries: [wantStopped("shutdown")], vms: [vmState({ tags: ["web"] })] }),
  },
  "more approvals for a tier": {
    next: rulebook({
      agreement: {
        ...PRESENT.rulebook.agreement,
        "single-operator": { ...SINGLE, person: { ...SINGLE.person, [STARTS]: APPROVED } },
      },
    }),
    tell: started,
  },
  "a step that lives shorter": {
    next: rulebook({ lifeMs: { ...PRESENT.rulebook.lifeMs, [STARTS]: 0 } }),
    tell: started,
  },
  "local agreement that does not count": {
    next: rulebook({ localCounts: { ...PRESENT.rulebook.localCounts, "single-operator": false } }),
    tell: started,
  },
  "a plan that takes no observation to be complete": {
    next: rulebook({
      plan: (desired, { digest, observation }, ...rest) =>
        PRESENT.rulebook.plan(desired, { digest, observation: { ...observation, complete: false } }, ...rest),
    }),
    tell: started,
  },
  "a safety that refuses everything": {
    next: rulebook({
      safety: () => ({ kind: "refused", refusals: [refuse("observation-incomplete", { cause: "unclaimed" })] }),
    }),
    tell: started,
  },
  "an explanation that says something else": {
    next: rulebook({ explain: (...of) => ({ ...PRESENT.rulebook.explain(...of), hash: sha256("something else") }) }),
    tell: started,
  },
};

const withNext = (next: Partial<Version>): Versions => ({ ...VERSIONS, [NEXT]: { ...PRESENT, ...next } });

/** The same twice: under the present rules, and after a start by a program of the next ones. */
const upgraded = ({ next, tell }: Plant): Story => {
  const told = story("single-operator", true, undefined, undefined, withNext(next));
  tell(told);
  const start = { ...startRequest(configOf("single-operator"), "2"), rules: NEXT };
  told.ask(start, { by: KERNEL_ACTOR, instance: told.other });
  tell(told);
  return told;
};

for (const [what, plant] of Object.entries(PLANTS)) {
  test(`older records are decided again by their own rules where the next ones have ${what}`, async () => {
    const told = upgraded(plant);
    const versions = withNext(plant.next);
    const under = (rules: Versions) => replay([told.records], async (digest) => told.blobs.get(digest), rules);
    const both = await under(versions);
    assert.equal(both.kind, "equal", JSON.stringify(both).slice(0, 300));
    // Under one set of rules for all, something comes out differently: the plant shows.
    const [strict, loose] = [versions[NEXT] ?? PRESENT, PRESENT];
    assert.equal((await under({ ...versions, [RULES_VERSION]: strict })).kind, "differs");
    assert.equal((await under({ ...versions, [NEXT]: loose })).kind, "differs");
    for (const version of HISTORIES) {
      const kept = await replay([recordsOf(version)], blobsOf(version), versions);
      assert.equal(kept.kind, "equal", `the history of rules ${version}: ${JSON.stringify(kept).slice(0, 300)}`);
    }
  });
}

test("everything that a version decides and folds by has a plant", () => {
  const planted = Object.values(PLANTS).map(({ next }) => next);
  const members = new Set(planted.flatMap((next) => Object.keys(next)));
  assert.deepEqual([...members].sort(), Object.keys(PRESENT).sort());
  const parts = new Set(
    planted.flatMap(({ rulebook: planting }) =>
      Object.entries(planting ?? {}).flatMap(([part, value]) =>
        value === PRESENT.rulebook[part as keyof Rulebook] ? [] : [part],
      ),
    ),
  );
  assert.deepEqual([...parts].sort(), Object.keys(PRESENT.rulebook).sort());
});

test("a program that does not have the rules of a record says so by name, when it replays and when it opens", async () => {
  const told = upgraded({ next: {}, tell: note });
  const { records } = told;
  const at = records.findLastIndex(({ kind }) => kind === "start");
  const result = await replay([records], async (digest) => told.blobs.get(digest));
  const found = result.kind === "unreadable" ? result.refusal : assert.fail(JSON.stringify(result));
  assert.deepEqual(
    [found.code, found.cause, found.facts],
    ["ledger-format", "newer", { here: RULES_VERSION, rules: NEXT, seq: at }],
  );
  assert.deepEqual(readRefusal(opened(records)), found);
});

/** What whoever opens these records meets. */
const opened = (records: readonly LedgerRecord[]): unknown => {
  let state: State = INITIAL;
  try {
    for (const record of records) state = foldedAt(record.seq, () => evolve(state, record));
  } catch (error) {
    return error;
  }
  return assert.fail("it can be read");
};

test("a ledger of before rules had a version is refused by name, and not as damaged", async () => {
  const told = day();
  const before = told.records.map((record): LedgerRecord => {
    if (record.kind !== "start") return record;
    const { contract: _contract, rules: _rules, words: _words, ...request } = Object(record.body["request"]);
    return { ...record, body: { ...record.body, request } };
  });
  const result = await again(told, before);
  const found = result.kind === "unreadable" ? result.refusal : assert.fail(JSON.stringify(result));
  assert.deepEqual([found.code, found.cause, found.facts], ["ledger-format", "before", { seq: 0 }]);
  assert.deepEqual(readRefusal(opened(before)), found);
});

test("the rules of this program are the newest that it keeps, and none is missing before them", () => {
  const kept = Object.keys(VERSIONS).map(Number);
  assert.deepEqual(
    kept,
    Array.from({ length: RULES_VERSION }, (_, at) => at + 1),
  );
});
