// What changes between the claim of a step and its call: seen right before the call, which is then not made.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ApplyGround } from "../../src/kernel/apply/perform-apply.ts";
import type { End } from "../../src/kernel/apply/protocol.ts";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { configHash, type RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { DesiredVm } from "../../src/spine/model.ts";
import type { RefusalCode } from "../../src/spine/rules/refusals.ts";
import { desiredFor, vmidOf, wantRunning } from "../spine/world.ts";
import { calls, confirming, type Process, performed, plannedOn, replayedEqual, stage } from "./stage.ts";
import { configOf } from "./story.ts";

const OTHER_VM = wantRunning({ name: "web-02", vmid: vmidOf(102) });
const registers = async ({ ask, writer }: Process, entries: readonly DesiredVm[]): Promise<void> => {
  const desired = desiredFor(entries);
  const before = get((await writer.refresh()).desired, "home");
  assert.equal((await ask(registrationOf(desired, before), { given: { desired } })).kind, "done");
};
const startsUnder = async ({ desk, writer }: Process, config: RecordedConfig): Promise<void> => {
  const asking = { ...desk, actor: KERNEL_ACTOR, configHash: configHash(config) };
  const answer = await writer.submit(commandOf(asking, startRequest(config, "1"), { given: START_GIVEN }));
  assert.ok(answer.kind === "recorded");
};
const edited = (more: object): RecordedConfig => {
  const config = configOf("single-operator");
  const home = { ...config.environments["home"], ...more } as RecordedConfig["environments"][string];
  return { ...config, environments: { ...config.environments, home } };
};

/** A start is claimed; somebody does something while its VM is looked at; and then the call leaves or not. */
const endedAfter = async (
  t: TestContext,
  between: (other: Process) => Promise<void>,
  more: Partial<Pick<ApplyGround, "registered">> = {},
): Promise<{ readonly calls: number; readonly end: End }> => {
  const on = await stage(t);
  const [process, other] = [await on.process(), await on.process()];
  const request = await confirming(process, await plannedOn(process));
  const source = {
    observe: async (...given: Parameters<typeof process.ground.source.observe>) => {
      if (calls(on) === 0) await between(other);
      return process.ground.source.observe(...given);
    },
  };
  const ended = await performed(on, process, request, { source, ...more });
  assert.ok(ended.at === "done" && ended.recorded);
  await replayedEqual(process);
  return { calls: calls(on), end: ended.end };
};

type Lost = readonly [code: RefusalCode, between: (other: Process) => Promise<void>];
const GROUNDS_LOST: Readonly<Record<string, Lost>> = {
  "a changed entry": ["desired-changed", (other) => registers(other, [wantRunning({ cpus: 4 })])],
  "a production name": ["desired-changed", (other) => registers(other, [wantRunning({ name: "prod-01" })])],
  "a removed entry": ["vm-not-desired", (other) => registers(other, [OTHER_VM])],
  "another address": [
    "configuration-differs",
    (other) => startsUnder(other, edited({ url: "https://192.0.2.7:8006" })),
  ],
  "another approval mode": ["configuration-differs", (other) => startsUnder(other, configOf("four-eyes"))],
  "another policy": [
    "policy-differs",
    (other) => startsUnder(other, edited({ policy: { tighten: [{ action: "vm.start", to: "high" }], version: 1 } })),
  ],
  "no such environment": [
    "configuration-differs",
    (other) => startsUnder(other, { ...configOf("single-operator"), environments: {} }),
  ],
  protection: ["desired-changed", (other) => registers(other, [wantRunning({ protected: true })])],
};
for (const [what, [code, between]] of Object.entries(GROUNDS_LOST)) {
  test(`${what} that comes after the claim is seen right before the call, and none is made`, async (t) => {
    const { calls: made, end } = await endedAfter(t, between);
    assert.deepEqual([end.outcome, end.cause, end.refusal?.code, made], ["failed", "grounds-changed", code, 0]);
  });
}

const GROUNDS_KEPT: Readonly<Record<string, (other: Process) => Promise<void>>> = {
  "another environment's section": (other) => {
    const config = configOf("single-operator");
    const away = { ...config.environments["away"], url: "x" } as RecordedConfig["environments"][string];
    return startsUnder(other, { ...config, environments: { ...config.environments, away } });
  },
  "another VM that is protected": (other) => registers(other, [wantRunning(), { ...OTHER_VM, protected: true }]),
  "the same file again": (other) => registers(other, [wantRunning()]),
};
for (const [what, between] of Object.entries(GROUNDS_KEPT)) {
  test(`${what} after the claim stops nothing`, async (t) => {
    const { calls: made, end } = await endedAfter(t, between);
    assert.deepEqual([end.outcome, made], ["succeeded", 1], end.cause);
  });
}

test("an entry that cannot be read right before the call is a reason not to make it", async (t) => {
  const registered = (): never => {
    throw new Error("the disk is gone");
  };
  const ended = await endedAfter(t, (other) => registers(other, [wantRunning(), OTHER_VM]), { registered });
  const end = { cause: "ledger-unreadable", outcome: "failed", said: "the disk is gone" };
  assert.deepEqual(ended, { calls: 0, end });
});

test("a freeze by another process is seen right before the call", async (t) => {
  const on = await stage(t);
  const [process, other] = [await on.process(), await on.process()];
  const request = await confirming(process, await plannedOn(process));
  const source = {
    observe: async (...given: Parameters<typeof process.ground.source.observe>) => {
      await other.ask({ kind: "freeze", reason: "incident" });
      return process.ground.source.observe(...given);
    },
  };
  const ended = await performed(on, process, request, { source });
  assert.ok(ended.at === "done");
  const { cause, outcome, refusal } = ended.end;
  assert.deepEqual([cause, outcome, refusal?.code, refusal?.cause], ["frozen", "failed", "frozen", "environment"]);
  assert.deepEqual([refusal?.facts["by"], refusal?.facts["reason"]], ["alice", "incident"]);
  assert.equal(calls(on), 0);
});
