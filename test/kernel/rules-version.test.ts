// Rules have a version: what other rules decided is decided again by those, and a ledger of another time is refused by name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { decideBy, VERSIONS, type Versions } from "../../src/kernel/decide/decide.ts";
import { evolve, folded } from "../../src/kernel/evolve/evolve.ts";
import { replay } from "../../src/kernel/replay-ledger.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import { readRefusal } from "../../src/ledger/open.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { foldedAt } from "../../src/ledger/verify/damage.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { again, day } from "./day.ts";
import { ALICE, configOf, type Story, story } from "./story.ts";

const FIRST = VERSIONS[1] ?? assert.fail("the first rules are kept");
/** Rules that are stricter: under them nobody writes a note. */
const PLANTED: Versions = {
  ...VERSIONS,
  2: {
    ...FIRST,
    annotate: () => ({ result: { kind: "refused", refusals: [refuse("reason-missing", { cause: "blank" })] } }),
  },
};

/** A note under the first rules, a start by a program of the second, and the same note again. */
const upgraded = (): {
  readonly records: readonly LedgerRecord[];
  readonly results: readonly Result[];
  readonly told: Story;
} => {
  const told = story();
  told.ask({ kind: "annotate", text: "the same note" });
  const config = configOf("single-operator");
  const records = [...told.records];
  let state: State = told.state();
  const desk = {
    actor: ALICE,
    configHash: configHash(config),
    door: "local",
    ids: told.ids,
    instance: told.other,
    now: told.now,
    words: OWN_WORDS.digest,
  } as const;
  const ask = (command: Parameters<typeof decideBy>[2]): void => {
    const { draft } = decideBy(PLANTED, state, command, undefined);
    const { record } = seal(draft, { prev: told.headHash(), seq: records.length });
    records.push(record);
    state = folded(state, record, bodyOf(record), 2);
  };
  ask(commandOf({ ...desk, actor: KERNEL_ACTOR }, { ...startRequest(config, "2"), rules: 2 }));
  ask(commandOf(desk, { kind: "annotate", text: "the same note" }, { environment: "home" }));
  const results = records.flatMap((record) => (record.kind === "annotate" ? [bodyOf(record)?.result as Result] : []));
  return { records, results, told };
};

test("older records are decided again by the rules that decided them, and newer ones by theirs", async () => {
  const { records, results, told } = upgraded();
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ["done", "refused"],
  );
  const blob = async (digest: Parameters<Story["blobs"]["get"]>[0]) => told.blobs.get(digest);
  const both = await replay([records], blob, PLANTED);
  assert.equal(both.kind, "equal", JSON.stringify(both).slice(0, 300));
  // Under one set of rules for all, one of the two notes comes out differently.
  const strict: Versions = { 1: PLANTED[2] ?? FIRST, 2: PLANTED[2] ?? FIRST };
  assert.equal((await replay([records], blob, strict)).kind, "differs");
  const loose: Versions = { 1: FIRST, 2: FIRST };
  assert.equal((await replay([records], blob, loose)).kind, "differs");
});

test("a program that does not have the rules of a record says so by name, when it replays and when it opens", async () => {
  const { records, told } = upgraded();
  const at = told.records.length;
  const result = await replay([records], async (digest) => told.blobs.get(digest));
  const found = result.kind === "unreadable" ? result.refusal : assert.fail(JSON.stringify(result));
  assert.deepEqual(
    [found.code, found.cause, found.facts],
    ["ledger-format", "newer", { here: RULES_VERSION, rules: 2, seq: at }],
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
