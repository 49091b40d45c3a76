// What an apply asks for and is told by its effects: what is observed for each action, what is read and when, and why a
// ledger or an anchor could not be used.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { claimOf } from "../../src/kernel/apply/claim.ts";
import { detailsFor, performApply, wantedFor } from "../../src/kernel/apply/perform-apply.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { LedgerUnread } from "../../src/ledger/failure.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Action } from "../../src/spine/model.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { VMID, vmidOf } from "../spine/world.ts";
import { confirming, performed, plannedOn, stage } from "./stage.ts";
import { apply, planned, story } from "./story.ts";

const TO = vmidOf(900);
const CLONE: Action = { kind: "vm.clone", name: "web-09", to: TO };

test("a snapshot's own list is asked for, with the name that is to be free, and for nothing else", () => {
  assert.deepEqual(detailsFor({ kind: "vm.snapshot.create", snapshot: "s" }), ["snapshots", { newSnapshot: "s" }]);
  assert.deepEqual(detailsFor({ kind: "vm.snapshot.delete", snapshot: "s" }), ["snapshots"]);
  assert.deepEqual(detailsFor({ kind: "vm.snapshot.rollback", snapshot: "s" }), ["snapshots"]);
  assert.deepEqual(detailsFor({ kind: "vm.start" }), []);
});

test("a clone is asked for under both numbers, and every other action under its own", () => {
  assert.deepEqual(wantedFor(CLONE, VMID), [VMID, TO]);
  assert.deepEqual(wantedFor({ kind: "vm.start" }, VMID), [VMID]);
});

/** The record of a granted apply, with something else of its step. */
type Members = { readonly [key: string]: Json };
const claimedWith = (more: Members): LedgerRecord => {
  const told = story();
  apply(told, planned(told).of);
  const record = told.records.at(-1) ?? assert.fail("there is a record");
  const request = record.body["request"] as { readonly of: { readonly step: Members } };
  const of = { ...request.of, step: { ...request.of.step, ...more } };
  return { ...record, body: { ...record.body, request: { ...request, of } } };
};

/** What the observation before the call is asked for. */
const wantedOf = async (t: TestContext, more: Members): Promise<unknown> => {
  const record = claimedWith(more);
  const asked: unknown[] = [];
  const { ground } = await (await stage(t)).process();
  const observe = async (...given: readonly unknown[]) => {
    asked.push(given[0], given[2]);
    throw new Error("no answer");
  };
  const submit = async () => ({ kind: "recorded", record, replayed: false }) as const;
  const told = story();
  const command = commandOf(ground.desk, { kind: "apply", of: planned(told).of });
  const ended = await performApply({ ...ground, source: { observe }, writer: { ...ground.writer, submit } }, command);
  assert.deepEqual(
    [ended.at, ended.at === "done" && ended.end],
    ["done", { cause: "vm-not-observed", outcome: "failed", said: "no answer" }],
  );
  return asked;
};

test("the VM is asked for with the identity that its step demands, and the number of a clone with none", async (t) => {
  assert.deepEqual(await wantedOf(t, { facts: {} }), [[{ vmid: VMID }], []]);
  assert.deepEqual(await wantedOf(t, { facts: { observedIdentity: "x" } }), [[{ identity: "x", vmid: VMID }], []]);
  assert.deepEqual(await wantedOf(t, { action: CLONE, facts: { observedIdentity: "x" } }), [
    [{ identity: "x", vmid: VMID }, { vmid: TO }],
    [],
  ]);
});

test("only the record of a granted apply is a claim", () => {
  const record = claimedWith({});
  const claimed = (one: LedgerRecord) => claimOf({ kind: "recorded", record: one, replayed: false });
  assert.equal(claimed(record)?.id, record.auditId);
  assert.equal(claimed({ ...record, kind: "challenge" }), undefined);
  assert.equal(claimed({ ...record, kind: "of-another-program" }), undefined);
  assert.equal(claimed({ ...record, body: { ...record.body, result: { kind: "done" } } }), undefined);
});

test("the planned state is read only where the VM is seen to be another", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  let reads = 0;
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)), {
    plannedOn: async () => {
      reads += 1;
      return undefined;
    },
  });
  assert.deepEqual([ended.at === "done" && ended.end.outcome, reads], ["succeeded", 0]);
});

test("a ledger that cannot be read is the reason by its refusal, and any other error by what it said", async (t) => {
  const unread = new LedgerUnread({ cause: "read-failed", facts: { said: "disk gone" } });
  for (const [error, why] of [
    [unread, { refusal: unread.refusal }],
    [new Error("full"), { said: "full" }],
  ] as const) {
    const on = await stage(t);
    const process = await on.process();
    const ended = await performed(on, process, await confirming(process, await plannedOn(process)), {
      anchor: () => Promise.reject(error),
    });
    assert.ok(ended.at === "done");
    assert.deepEqual(ended.end, { cause: "anchor-unwritable", outcome: "failed", ...why });
  }
});

test("an actuator that breaks without a word leaves a diagnostic without one", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const actuator = { ...process.ground.actuator, send: () => Promise.reject(new Error("")) };
  const ended = await performed(on, process, request, { actuator });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, {
    cause: "call-unanswered",
    diagnostics: [{ code: "adapter-failed" }],
    outcome: "unknown",
  });
});
