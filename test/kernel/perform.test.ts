// The loop of an apply on a real ledger and a pretended place: one call at most, and an outcome that says what is known.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Actuator } from "../../src/adapters/actuator.ts";
import type { Ground } from "../../src/kernel/apply/perform-apply.ts";
import { START_GIVEN, startRequest } from "../../src/kernel/command/program.ts";
import { type ConfigSnapshot, configHash } from "../../src/kernel/command/recorded-config.ts";
import { commandOf, KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { replay } from "../../src/kernel/replay-ledger.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { recordOf } from "../../src/ledger/verify/standing.ts";
import { stepsCalledTwice, truthOf } from "../../src/simulator/world/journal.ts";
import type { DesiredVm, Sha256 } from "../../src/spine/model.ts";
import { fate, MINUTE_MS } from "../simulator/lab.ts";
import { vmidOf, wantRunning, wantStopped, wishesFor } from "../spine/world.ts";
import { confirming, KINDS, lineTexts, type Process, performed, plannedOn, type Stage, stage } from "./stage.ts";
import { configOf } from "./story.ts";

const RUNNING = [{ name: "web-01", state: "running", vmid: 101 }] as const;

const calls = ({ place }: Stage): number => place.world().journal.filter(({ kind }) => kind === "call").length;
const replayedEqual = async ({ engine }: Process): Promise<void> => {
  const records = (await lineTexts(engine)).map((text, seq) => recordOf(new TextEncoder().encode(text), seq));
  const decoder = new TextDecoder();
  const result = await replay([records], async (digest: Sha256) => {
    const bytes = await engine.blob(digest);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  });
  assert.equal(result.kind, "equal", JSON.stringify(result));
};

test("a start is claimed, sent once, seen to run, and recorded as succeeded", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request);
  assert.ok(ended.at === "done" && ended.recorded);
  assert.equal(ended.end.outcome, "succeeded");
  assert.equal(calls(on), 1);
  assert.equal(truthOf(on.place.world().journal, ended.claim.id), "all");
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
    assert.equal(ended.end.outcome, "unknown", ended.end.because);
    assert.ok(calls(on) <= 1);
    assert.deepEqual(stepsCalledTwice(on.place.world().journal), []);
    assert.equal(get(process.writer.state().blocked, "home/101")?.id, ended.claim.id);
    await replayedEqual(process);
  });
}

/** An actuator that loses every answer and finds the task in the place's list. */
const finding = ({ ground }: Process): Actuator => ({
  ...ground.actuator,
  send: async (intent, signal) => {
    const sent = await ground.actuator.send(intent, signal);
    return sent.kind === "sent"
      ? { because: "its answer was lost; it was found", kind: "found", reference: sent.reference }
      : sent;
  },
});

test("a task that was found after its answer was lost is waited for, and believed by what it changed", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  const ended = await performed(on, process, request, { actuator: finding(process) });
  assert.ok(ended.at === "done" && ended.recorded);
  assert.equal(ended.end.outcome, "succeeded");
  assert.match(ended.end.because, /its answer was lost; it was found; /);
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
  assert.equal(ended.end.outcome, "unknown");
  assert.match(ended.end.because, /it failed, and something else may still come of the call: no space left/);
});

test("a task that was found is no success when the look denies it", async (t) => {
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
  assert.equal(ended.end.outcome, "failed");
  assert.match(ended.end.because, /no space left/);
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
  ["is said not to be", async () => "the disk is full"],
  ["fails to be", () => Promise.reject(new Error("the disk is full"))],
] as const) {
  test(`P7-F1 an intent that ${what} anchored gets no call, and is recorded as failed`, async (t) => {
    const on = await stage(t);
    const process = await on.process();
    const request = await confirming(process, await plannedOn(process));
    const ended = await performed(on, process, request, { anchor });
    assert.ok(ended.at === "done" && ended.recorded);
    assert.equal(ended.end.outcome, "failed");
    assert.match(ended.end.because, /could not be anchored: the disk is full; no call was made/);
    assert.equal(calls(on), 0);
    assert.equal(process.writer.state().blocked.size, 0);
    await replayedEqual(process);
  });
}

test("a world that moved between plan and apply gets no call", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const request = await confirming(process, await plannedOn(process));
  on.place.change({ kind: "starts", vmid: 101 });
  const ended = await performed(on, process, request);
  assert.ok(ended.at === "done");
  assert.equal(ended.end.outcome, "failed");
  assert.match(ended.end.because, /the world moved.*no call was made/);
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
  assert.match(ended.end.because, /did not leave by .*no call was made/);
  assert.equal(calls(on), 0);
});

const OTHER_VM = wantRunning({ name: "web-02", vmid: vmidOf(102) });
const registers = async ({ ask }: Process, entries: readonly DesiredVm[]): Promise<void> => {
  const wishes = wishesFor(entries);
  assert.equal((await ask(registrationOf(wishes), { given: { wishes } })).kind, "done");
};
const startsUnder = async ({ desk, writer }: Process, config: ConfigSnapshot): Promise<void> => {
  const asking = { ...desk, actor: KERNEL_ACTOR, configHash: configHash(config) };
  const answer = await writer.submit(commandOf(asking, startRequest(config, "1"), { given: START_GIVEN }));
  assert.ok(answer.kind === "recorded");
};
const edited = (more: object): ConfigSnapshot => {
  const config = configOf("single-operator");
  const home = { ...config.environments["home"], ...more } as ConfigSnapshot["environments"][string];
  return { ...config, environments: { ...config.environments, home } };
};

/** A start is claimed; somebody does something while its VM is looked at; and then the call leaves or not. */
const endedAfter = async (
  t: TestContext,
  between: (other: Process) => Promise<void>,
  more: Partial<Pick<Ground, "registered">> = {},
): Promise<{ readonly because: string; readonly calls: number; readonly outcome: string }> => {
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
  return { because: ended.end.because, calls: calls(on), outcome: ended.end.outcome };
};

const GROUNDS_LOST: Readonly<Record<string, (other: Process) => Promise<void>>> = {
  "a changed entry": (other) => registers(other, [wantRunning({ cpus: 4 })]),
  "a production name": (other) => registers(other, [wantRunning({ name: "prod-01" })]),
  "a removed entry": (other) => registers(other, [OTHER_VM]),
  "another address": (other) => startsUnder(other, edited({ url: "https://192.0.2.7:8006" })),
  "another approval mode": (other) => startsUnder(other, configOf("four-eyes")),
  "another policy": (other) =>
    startsUnder(other, edited({ policy: { tighten: [{ action: "vm.start", to: "high" }], version: 1 } })),
  "no such environment": (other) => startsUnder(other, { ...configOf("single-operator"), environments: {} }),
  protection: (other) => registers(other, [wantRunning({ protected: true })]),
};
for (const [what, between] of Object.entries(GROUNDS_LOST)) {
  test(`${what} that comes after the claim is seen right before the call, and none is made`, async (t) => {
    const ended = await endedAfter(t, between);
    assert.deepEqual([ended.outcome, ended.calls], ["failed", 0]);
    assert.match(ended.because, /no call was made$/);
  });
}

const GROUNDS_KEPT: Readonly<Record<string, (other: Process) => Promise<void>>> = {
  "another environment's section": (other) => {
    const config = configOf("single-operator");
    const away = { ...config.environments["away"], url: "x" } as ConfigSnapshot["environments"][string];
    return startsUnder(other, { ...config, environments: { ...config.environments, away } });
  },
  "another VM that is protected": (other) => registers(other, [wantRunning(), { ...OTHER_VM, protected: true }]),
  "the same file again": (other) => registers(other, [wantRunning()]),
};
for (const [what, between] of Object.entries(GROUNDS_KEPT)) {
  test(`${what} after the claim stops nothing`, async (t) => {
    const ended = await endedAfter(t, between);
    assert.deepEqual([ended.outcome, ended.calls], ["succeeded", 1], ended.because);
  });
}

test("an entry that cannot be read right before the call is a reason not to make it", async (t) => {
  const registered = (): never => {
    throw new Error("the disk is gone");
  };
  const ended = await endedAfter(t, (other) => registers(other, [wantRunning(), OTHER_VM]), { registered });
  assert.deepEqual([ended.outcome, ended.calls], ["failed", 0]);
  assert.match(ended.because, /could not be read: the disk is gone; no call was made/);
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
  assert.match(ended.end.because, /alice froze it: incident; no call was made/);
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
    verdict: async () => ({ because: "", kind: "unknown" }) as const,
  };
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator: broken });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, { because: "socket hang up", outcome: "unknown" });
});

test("an actuator that throws something that is no error is an unknown outcome too", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const broken = {
    send: () => Promise.reject("a text"),
    verdict: async () => ({ because: "", kind: "unknown" }) as const,
  };
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator: broken });
  assert.ok(ended.at === "done");
  assert.deepEqual(ended.end, { because: "a text", outcome: "unknown" });
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
      send: async () => ({ because: said, kind: "failed" }) as const,
      verdict: async () => ({ because: "", kind: "unknown" }) as const,
    };
    const ended = await performed(on, process, await confirming(process, await plannedOn(process)), { actuator });
    assert.ok(ended.at === "done" && ended.recorded);
    assert.match(ended.end.because, /^[^\p{C}]{1,1000}$/u);
    assert.equal(process.writer.state().open.size, 0, "the intent is not left open");
  }
});
