// What is recorded as it is: what is stored with a start, a registration and an observation, and every way in which a
// value is not the one that its request says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { DesiredEntry, Observation, Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { desiredFor, observationOf, request, VMID, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";
import { ALICE, configOf, looked, refusalsOf, type Story, story, tokenRequest } from "./story.ts";

const altered = (cause: "desired" | "observation" | "words"): Refusal => refuse("value-altered", { cause });
const refusedFor = (result: Result, ...refusals: readonly Refusal[]): void =>
  assert.deepEqual(refusalsOf(result), refusals, JSON.stringify(result));
const blobsOf = ({ records }: Story): readonly string[] => records.at(-1)?.blobs ?? [];

test("the words of a program are stored with the first start that names them, and must be those that it names", () => {
  const told = story();
  const start = startRequest(configOf("single-operator"), "1");
  assert.deepEqual(told.records[0]?.blobs, [start.words]);
  assert.equal(told.ask(start, { by: KERNEL_ACTOR, given: { words: "whatever" } }).kind, "done");
  assert.deepEqual(blobsOf(told), []);
  const other = "a catalogue of other words";
  const asks = (words: string) => told.ask({ ...start, words: sha256(other) }, { by: KERNEL_ACTOR, given: { words } });
  refusedFor(asks("none of it"), altered("words"));
  assert.equal(asks(other).kind, "done");
  assert.deepEqual(blobsOf(told), [sha256(other)]);
});

const registers = (
  told: Story,
  entries: readonly DesiredEntry[],
  more: Partial<RequestOf<"register">> = {},
): Result => {
  const desired = desiredFor(entries);
  return told.ask({ ...registrationOf(desired), ...more }, { given: { desired } });
};

test("a registration is of entries that are all desired, as many and under the root that it says", () => {
  const told = story();
  const asked = request({ kind: "vm.stop" }, { name: "web-02", vmid: vmidOf(102) });
  refusedFor(registers(told, [wantRunning(), asked]), altered("desired"));
  refusedFor(registers(told, [wantRunning()], { root: sha256("another") }), altered("desired"));
  refusedFor(registers(told, [wantRunning()], { vms: 0 }), altered("desired"));
  assert.deepEqual(blobsOf(told), []);
  assert.equal(registers(told, [wantRunning()]).kind, "done");
  assert.deepEqual(blobsOf(told), [desiredFor([wantRunning()]).digest]);
});

test("a registration on something else than what is registered has moved, and says where", () => {
  const told = story();
  const moved = refuse("desired-moved", { facts: { environment: "home" } });
  refusedFor(registers(told, [wantRunning()], { before: sha256("another") }), moved);
  assert.equal(registers(told, [wantRunning()]).kind, "done");
  refusedFor(registers(told, [wantRunning()]), moved);
});

test("where an operator gives the numbers every entry has an identity, or it is said how many lack one and the first", () => {
  const told = story("single-operator", true, undefined, "operator");
  const second = { name: "web-02", vmid: vmidOf(102) };
  const known = wantRunning({ identity: "one" });
  const required = (entries: number, first: number) =>
    refuse("identity-required", { cause: "registered", facts: { entries, first } });
  refusedFor(registers(told, [wantRunning(), wantRunning(second)]), required(2, VMID));
  refusedFor(registers(told, [known, wantRunning(second)]), required(1, 102));
  assert.deepEqual(blobsOf(told).length, 1, "what was judged is stored with the refusal");
  assert.equal(registers(told, [known]).kind, "done");
});

test("a file of another environment is refused by its own name, and stored with the refusal", () => {
  const told = story();
  const desired = desiredFor([wantRunning()], "away");
  const result = told.ask(registrationOf(desired), { given: { desired } });
  refusedFor(result, refuse("plan-foreign", { cause: "file", facts: { of: "away" } }));
  assert.deepEqual(blobsOf(told), [desired.digest]);
});

const PUSHED: object = { kind: "ingest" };
const PROBE: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };
const seen = (
  told: Story,
  observation: Observation,
  more: Partial<RequestOf<"observe">> = {},
  by: Actor = ALICE,
): Result => {
  const { digest, observation: whole } = observe(observation);
  const { complete, gaps, observedAt = told.now(), vms } = whole;
  return told.ask(
    {
      complete,
      gaps: gaps.length,
      kind: "observe",
      observation: digest,
      observedAt,
      providerTime: told.now(),
      vms: vms.length,
      ...more,
    } as RequestOf<"observe">,
    { by, door: by === ALICE ? "local" : "service", given: { observation } },
  );
};

test("an observation takes no time at the least and a day at the most", () => {
  const told = story();
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const day = 24 * 60 * 60_000;
  for (const tookMs of [-1, day + 1]) {
    refusedFor(seen(told, observation, { tookMs }), altered("observation"));
  }
  for (const tookMs of [0, 1, day]) assert.equal(seen(told, observation, { tookMs }).kind, "observed", `${tookMs}`);
});

test("what is pushed is recorded without what is remembered, which an observation of our own must bring", () => {
  const told = story();
  const observation = observationOf([vmState({ identity: "one" })], { observedAt: told.now() });
  looked(told, observation);
  refusedFor(seen(told, observation), refuse("identities-moved", {}));
  assert.deepEqual(blobsOf(told), []);
  told.ask(tokenRequest(told, { id: PROBE.id, kind: "agent", roles: ["sensor"] }));
  assert.deepEqual(seen(told, observation, PUSHED as Partial<RequestOf<"observe">>, PROBE), { kind: "done" });
  assert.deepEqual(blobsOf(told), [observe(observation).digest]);
});
