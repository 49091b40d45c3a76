// What an act on the ledger itself is refused for, whole: sizes, copies and seals are named, so that whoever asked sees
// what they had in hand and what there is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { Command, RequestOf } from "../../src/kernel/command/request.ts";
import type { Decision, Result } from "../../src/kernel/command/result.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { decideReAnchor, decideRestore } from "../../src/kernel/decide/ledger-acts.ts";
import { RULEBOOK } from "../../src/kernel/decide/rulebook.ts";
import { INITIAL } from "../../src/kernel/state/state.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { ALICE, configOf, refusalsOf, type Story, story } from "./story.ts";

const CONFIG = configOf("single-operator");
const BRINGS = bringing(CONFIG, "1");
const [COPY, OTHER, ROOT] = ["a copy", "another copy", "a root"].map(sha256);
assert.ok(COPY && OTHER && ROOT);

const sealOf = (told: Story, size = told.state().size, copy = COPY): RequestOf<"ledger.seal"> => ({
  ...BRINGS,
  copy,
  kind: "ledger.seal",
  root: ROOT,
  size,
  to: "elsewhere",
});
const unsealOf = (copy = COPY): RequestOf<"ledger.unseal"> => ({
  ...BRINGS,
  copy,
  kind: "ledger.unseal",
  reason: "its disk died",
});
const restoreOf = (size: number, reason = "the disk died"): RequestOf<"ledger.restore"> => ({
  ...BRINGS,
  copy: COPY,
  kind: "ledger.restore",
  reason,
  root: ROOT,
  size,
});
const reAnchorOf = (size: number): RequestOf<"ledger.re-anchor"> => ({
  ...BRINGS,
  found: "anchor-absent",
  kind: "ledger.re-anchor",
  notes: 0,
  reason: "its disk burnt",
  root: ROOT,
  size,
});

test("a seal at another size, and one for a copy that is void, are told with both sizes and with the copy", () => {
  const told = story();
  const { size } = told.state();
  for (const copied of [size - 1, size + 1]) {
    const one = story();
    assert.deepEqual(refusalsOf(one.ask(sealOf(one, copied))), [refuse("seal-misplaced", { facts: { copied, size } })]);
  }
  assert.deepEqual(refusalsOf(told.ask(sealOf(told))), []);
  assert.deepEqual(refusalsOf(told.ask(unsealOf(OTHER))), [refuse("seal-absent", { facts: { copy: OTHER } })]);
  const again = story();
  for (const request of [sealOf(again), unsealOf()]) assert.deepEqual(refusalsOf(again.ask(request)), []);
  assert.deepEqual(refusalsOf(again.ask(sealOf(again))), [refuse("copy-void", { facts: { copy: COPY } })]);
  assert.deepEqual(refusalsOf(again.ask(sealOf(again, again.state().size, OTHER))), []);
});

test("what was accepted is told beside what there is, and the seal of a backup by its place", () => {
  const told = story();
  const { size } = told.state();
  const differs = (accepted: number, now: number) =>
    refuse("value-altered", { cause: "size", facts: { accepted, size: now } });
  assert.deepEqual(refusalsOf(told.ask(restoreOf(size - 1))), [differs(size - 1, size)]);
  assert.deepEqual(refusalsOf(told.ask(reAnchorOf(size + 2))), [differs(size + 2, size + 1)]);
  assert.deepEqual(refusalsOf(told.ask(sealOf(told))), []);
  const sealed = told.state().size - 1;
  assert.deepEqual(refusalsOf(told.ask(restoreOf(sealed + 1))), [refuse("backup-sealed", { facts: { seq: sealed } })]);
});

test("of two new anchors the later is told what it had seen and what there is", () => {
  const told = story();
  const { size: seen } = told.state();
  assert.deepEqual(refusalsOf(told.ask(reAnchorOf(seen))), []);
  assert.deepEqual(refusalsOf(told.ask(reAnchorOf(seen))), [
    refuse("ledger-moved", { facts: { seen, size: seen + 1 } }),
  ]);
  assert.deepEqual(refusalsOf(told.ask(reAnchorOf(seen + 1))), []);
});

/** On a ledger of so many records, of which nothing else is known. */
const decided = <K extends "ledger.re-anchor" | "ledger.restore">(
  decide: (
    state: typeof INITIAL,
    command: Command<K>,
    at: ReturnType<Story["now"]>,
    rules: typeof RULEBOOK,
  ) => Decision,
  request: RequestOf<K>,
  size: number,
): readonly Refusal[] => {
  const { ids, instance, now } = story();
  const desk = { actor: ALICE, configHash: configHash(CONFIG), door: "local", ids, instance, now } as const;
  const command = commandOf({ ...desk, words: OWN_WORDS.digest }, request);
  return refusalsOf(decide({ ...INITIAL, size }, command, now(), RULEBOOK).result as Result);
};

test("a backup without a record is none, and one of a single record is one", () => {
  const none = refuse("value-altered", { cause: "size", facts: { accepted: 0, size: 0 } });
  assert.deepEqual(decided(decideRestore, restoreOf(0), 0), [none]);
  assert.deepEqual(decided(decideReAnchor, reAnchorOf(0), 0), [none]);
  assert.deepEqual(decided(decideRestore, restoreOf(1), 1), []);
  assert.deepEqual(decided(decideReAnchor, reAnchorOf(1), 1), []);
});

test("a configuration that is not the named one, and an operator whom a token names, are told as that", () => {
  const asked = (operator: string, hashed: string) => {
    const config = { ...CONFIG, operator };
    const request = { ...restoreOf(0), config };
    const { ids, instance, now, state } = story();
    const desk = { actor: ALICE, configHash: configHash({ ...CONFIG, operator: hashed }), door: "local" } as const;
    const command = commandOf({ ...desk, ids, instance, now, words: OWN_WORDS.digest }, request);
    const { size } = state();
    const whole = { ...command, request: { ...command.request, size } };
    return refusalsOf(decideRestore(state(), whole, now(), RULEBOOK).result as Result);
  };
  assert.deepEqual(asked("alice", "alice"), []);
  assert.deepEqual(asked("alice", "erin"), [refuse("value-altered", { cause: "configuration" })]);
  assert.deepEqual(asked("bob", "bob"), [refuse("token-known", { cause: "operator", facts: { operator: "bob" } })]);
  assert.deepEqual(asked("nobody", "nobody"), [
    refuse("subject-name", { cause: "reserved", facts: { name: "nobody" } }),
  ]);
});
