// The loop of an apply on a real ledger and a simulated provider: one call at most, and an outcome that says what is
// known.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actuator } from "../../src/adapters/actuator.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { stepsCalledTwice, truthOf } from "../../src/simulator/world/journal.ts";
import type { VmState } from "../../src/spine/model.ts";
import { changesOf } from "../../src/spine/plan/changed.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { outcomeText } from "../../src/spine/words/steps/outcome-words.ts";
import { fate, MINUTE_MS } from "../simulator/lab.ts";
import { wantRunning, wantStopped } from "../spine/world.ts";
import {
  calls,
  confirming,
  KINDS,
  lineTexts,
  type Process,
  performed,
  plannedOn,
  replayedEqual,
  stage,
} from "./stage.ts";

const RUNNING = [{ name: "web-01", state: "running", vmid: 101 }] as const;

test("a start is claimed, sent once, seen to run, and recorded as succeeded", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request);
  assert.ok(ended.at === "done" && ended.recorded);
  assert.equal(ended.end.outcome, "succeeded");
  assert.equal(calls(on), 1);
  assert.equal(truthOf(on.provider.world().journal, ended.claim.id), "all");
  assert.deepEqual(KINDS(await lineTexts(process.engine)).slice(-3), ["apply", "dispatched", "outcome"]);
  await replayedEqual(process);
});

const UNKNOWN = {
  "a reply that was lost": fate("start", { how: "reset", kind: "lost-reply" }),
  "a request that nobody heard": fate("start", { how: "reset", kind: "unheard" }),
  "a task that says OK while nothing happened": fate("start", { kind: "lies" }),
  "a task whose verdict is lost": fate("start", { kind: "verdict-lost" }),
  "a task that stops in the middle": fate("start", { kind: "half-done" }),
  silence: fate("start", { how: "silence", kind: "lost-reply" }),
} as const;
for (const [what, fault] of Object.entries(UNKNOWN)) {
  test(`${what} is outcome unknown, blocks the VM, and is never sent again`, async (t) => {
    const on = await stage(t, { faults: [fault] });
    const process = await on.process();
    const ended = await performed(on, process, await confirming(process, await plannedOn(process)));
    assert.ok(ended.at === "done" && ended.recorded);
    assert.equal(ended.end.outcome, "unknown", ended.end.cause);
    assert.ok(calls(on) <= 1);
    assert.deepEqual(stepsCalledTwice(on.provider.world().journal), []);
    assert.equal(get(process.writer.state().blocked, "home/101")?.id, ended.claim.id);
    await replayedEqual(process);
  });
}

const FOUND = [{ code: "answer-lost" }, { code: "task-listed" }] as const;

/** An actuator that loses every answer and finds the task in the place's list. */
const finding = ({ ground }: Process): Actuator => ({
  ...ground.actuator,
  send: async (...given) => {
    const sent = await ground.actuator.send(...given);
    return sent.kind === "sent" ? { diagnostics: FOUND, kind: "found", reference: sent.reference } : sent;
  },
});

test("a task that was found after its answer was lost is waited for, and believed by what it changed", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request, { actuator: finding(process) });
  assert.ok(ended.at === "done" && ended.recorded);
  assert.deepEqual([ended.end.outcome, ended.end.cause], ["succeeded", "provider-done"]);
  assert.deepEqual(ended.end.diagnostics, [...FOUND, { code: "task-done" }]);
  assert.match(ended.end.reference ?? "", /^UPID:/);
  assert.deepEqual(KINDS(await lineTexts(process.engine)).slice(-3), ["apply", "dispatched", "outcome"]);
  await replayedEqual(process);
});

test("a task that was found and failed is unknown: something else may still come of the call", async (t) => {
  const on = await stage(t, { faults: [fate("start", { kind: "fails", text: "no space left" })] });
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request, { actuator: finding(process) });
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.outcome, ended.end.cause], ["unknown", "found-failed"]);
  assert.deepEqual(ended.end.diagnostics, [...FOUND, { code: "task-failed", said: "no space left" }]);
});

test("a task that was found is no success when the observation denies it", async (t) => {
  const on = await stage(t, { faults: [fate("start", { kind: "lies" })] });
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request, { actuator: finding(process) });
  assert.ok(ended.at === "done");
  assert.equal(ended.end.outcome, "unknown");
});

test("a task that fails with the VM untouched is failed, and the VM is free", async (t) => {
  const on = await stage(t, { faults: [fate("start", { kind: "fails", text: "no space left" })] });
  const process = await on.process();
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)));
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.outcome, ended.end.cause], ["failed", "provider-failed"]);
  assert.deepEqual(ended.end.diagnostics, [{ code: "task-failed", said: "no space left" }]);
  assert.equal(process.writer.state().blocked.size, 0);
});

test("P7-F1 an intent is anchored with its own record before anything is asked of the place", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const sizes: number[] = [];
  const anchor = async (size: number): Promise<undefined> => {
    sizes.push(size);
    assert.equal(calls(on), 0);
    assert.equal(KINDS(await lineTexts(process.engine))[size - 1], "apply", "it covers the intent");
  };
  const ended = await performed(on, process, request, { anchor });
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.outcome, calls(on), sizes.length], ["succeeded", 1, 1]);
});

for (const [what, anchor] of [
  ["is said not to be", async () => ({ kind: "unwritable", why: { said: "the disk is full" } }) as const],
  ["fails to be", () => Promise.reject(new Error("the disk is full"))],
] as const) {
  test(`P7-F1 an intent that ${what} anchored gets no call, and is recorded as failed`, async (t) => {
    const on = await stage(t);
    const process = await on.process();
    const request = await confirming(process, await plannedOn(process));
    const ended = await performed(on, process, request, { anchor });
    assert.ok(ended.at === "done" && ended.recorded);
    assert.deepEqual(ended.end, { cause: "anchor-unwritable", outcome: "failed", said: "the disk is full" });
    assert.equal(calls(on), 0);
    assert.equal(process.writer.state().blocked.size, 0);
    await replayedEqual(process);
  });
}

test("what moved since the plan is told, where the planned state is at hand and can be read", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const observed = await process.ground.source.observe([{ vmid: wantRunning().vmid }], new AbortController().signal);
  const [before] = observed.vms;
  const asked: unknown[] = [];
  const reading = async ({ step }: StepRef): Promise<VmState | undefined> => {
    asked.push(step.vmid);
    return before;
  };
  const lost = async (): Promise<never> => Promise.reject(new Error("the disk is gone"));
  const untouched = await confirming(process, await plannedOn(process));
  on.provider.change({ kind: "starts", vmid: 101 });
  const told = await performed(on, process, untouched, { plannedOn: reading });
  assert.ok(told.at === "done");
  const now = (await process.ground.source.observe([{ vmid: wantRunning().vmid }], new AbortController().signal))
    .vms[0];
  assert.ok(before !== undefined && now !== undefined);
  assert.deepEqual(told.end.changed, changesOf(before, now));
  assert.deepEqual(asked, [101]);
  on.provider.change({ kind: "stops", vmid: 101 });
  const again = await confirming(process, await plannedOn(process));
  on.provider.change({ kind: "starts", vmid: 101 });
  const silent = await performed(on, process, again, { plannedOn: lost });
  assert.ok(silent.at === "done");
  assert.deepEqual([silent.end.cause, silent.end.changed], ["vm-changed", undefined]);
});

test("a world that moved between plan and apply gets no call", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  on.provider.change({ kind: "starts", vmid: 101 });
  const ended = await performed(on, process, request);
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.outcome, ended.end.cause], ["failed", "vm-changed"]);
  assert.equal(calls(on), 0);
});

test("a performer that was paused past its deadline does not call", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  let readings = 0;
  // The first reading is when the step is claimed; the process sleeps right after it.
  const monotonicMs = (): number => (readings++ === 0 ? 0 : 30_000);
  const ended = await performed(on, process, request, { monotonicMs });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, { cause: "send-late", facts: { sendBy: ended.claim.sendBy }, outcome: "failed" });
  assert.equal(calls(on), 0);
});

test("a performer whose ledger was moved away since the claim does not call, and says so", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const refusal = refuse("ledger-read-only", { cause: "file-replaced", facts: { name: "sqlite ledger.db" } });
  const ended = await performed(on, process, request, { displaced: () => refusal });
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.cause, ended.end.outcome], ["ledger-unreadable", "failed"]);
  assert.equal(calls(on), 0);
});

test("a performer whose configuration was edited since the claim does not call, and says so", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const refusal = refuse("configuration-differs", { cause: "unreadable", vmid: request.of.step.vmid });
  const ended = await performed(on, process, request, { edited: () => refusal });
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.cause, ended.end.outcome, ended.end.refusal], ["grounds-changed", "failed", refusal]);
  assert.equal(calls(on), 0);
  await replayedEqual(process);
});

test("a performer that lost its lock since the claim does not call, and says so", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request, { owns: async () => false });
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end, ended.recorded], [{ cause: "owner-lock-lost", outcome: "failed" }, true]);
  assert.equal(calls(on), 0);
});

test("of two processes with one confirmed step exactly one claims it", async (t) => {
  const on = await stage(t);
  const [first, second] = [await on.process(), await on.process()];
  const of = await plannedOn(first);
  await second.writer.refresh();
  const requests = [await confirming(first, of), await confirming(second, of)] as const;
  const both = await Promise.all([performed(on, first, requests[0]), performed(on, second, requests[1])]);
  assert.deepEqual(both.map(({ at }) => at).sort(), ["done", "not-claimed"]);
  assert.equal(calls(on), 1);
  await replayedEqual(first);
});

test("a command that is delivered twice acts once, and the second delivery says that it was answered", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const first = await performed(on, process, request);
  const again = await performed(on, process, request);
  assert.equal(first.at, "done");
  assert.ok(again.at === "not-claimed");
  assert.deepEqual(again.refusals.map(({ code }) => code).includes("step-consumed"), true);
  assert.equal(calls(on), 1);
});

test("an actuator that breaks is an unknown outcome, not a crash", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const broken = {
    send: async () => {
      throw new Error("socket hang up");
    },
    verdict: async () => ({ diagnostics: [], kind: "unknown" }) as const,
  };
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator: broken });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, {
    cause: "call-unanswered",
    diagnostics: [{ code: "adapter-failed", said: "socket hang up" }],
    outcome: "unknown",
  });
});

test("an actuator that throws something that is no error is an unknown outcome too", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const broken = {
    send: () => Promise.reject("a text"),
    verdict: async () => ({ diagnostics: [], kind: "unknown" }) as const,
  };
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator: broken });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, {
    cause: "call-unanswered",
    diagnostics: [{ code: "adapter-failed", said: "a text" }],
    outcome: "unknown",
  });
});

test("a shutdown that the guest ignores ends at the settle time, and is unknown", async (t) => {
  const on = await stage(t, { faults: [fate("shutdown", { kind: "slow", ms: 20 * MINUTE_MS })], guests: RUNNING });
  const process = await on.process();
  const of = await plannedOn(process, wantStopped("shutdown"));
  const ended = await performed(on, process, await confirming(process, of));
  assert.ok(ended.at === "done");
  assert.equal(ended.end.outcome, "unknown");
  assert.equal(calls(on), 1);
});

test("an outcome is recorded however long, blank or unprintable the place's words are", async (t) => {
  for (const said of ["x".repeat(5_000), " \n ", "line\nbreak \u001b[2J"]) {
    const on = await stage(t);
    const process = await on.process();
    const actuator = {
      send: async () => ({ diagnostics: [{ code: "connection-failed", said }], kind: "failed" }) as const,
      verdict: async () => ({ diagnostics: [], kind: "unknown" }) as const,
    };
    const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator });
    assert.ok(ended.at === "done" && ended.recorded);
    assert.match(outcomeText(ended.end), /^[^\p{C}]+$/u);
    const [told] = ended.end.diagnostics ?? [];
    assert.equal(told?.said === undefined, said.trim() === "");
    assert.ok((told?.said?.length ?? 0) <= 1_000);
    assert.equal(process.writer.state().open.size, 0, "the intent is not left open");
  }
});
