// Each fault does what its name says to the world, and the journal keeps the truth of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advance } from "../../src/simulator/acts/advance.ts";
import type { Change, Fault } from "../../src/simulator/world/faults.ts";
import { deedsOf, interruptionsByCalls, stepsCalledTwice } from "../../src/simulator/world/journal.ts";
import { makeNode } from "../../src/simulator/world/make-guest.ts";
import { afterRead, beforeRead, performCall } from "../../src/simulator/world/take-call.ts";
import { isQuorate } from "../../src/simulator/world/world.ts";
import { callOf, carried, effectsOf, fate, lab, MINUTE_MS, made, START_MS, statusOf, taskOf } from "./lab.ts";

const STOPPED = { vmid: 101 };

test("lost-reply: the call takes effect and no answer comes", () => {
  const world = lab([STOPPED], { faults: [fate("start", { how: "reset", kind: "lost-reply" })] });
  const { answer, world: after } = made(world, 101, { verb: "start" });
  assert.deepEqual(answer, { how: "reset", kind: "lost" });
  assert.equal(statusOf(advance(after, START_MS + MINUTE_MS), 101), "running");
});

test("unheard: nothing happens and no answer comes", () => {
  const world = lab([STOPPED], { faults: [fate("start", { how: "silence", kind: "unheard" })] });
  const { answer, world: after } = made(world, 101, { verb: "start" });
  assert.deepEqual(answer, { how: "silence", kind: "lost" });
  assert.equal(statusOf(advance(after, START_MS + MINUTE_MS), 101), "stopped");
  assert.deepEqual(
    after.journal.map((entry) => entry.kind === "call" && entry.isHeard),
    [false],
  );
});

test("late: the call arrives when its caller may have given up", () => {
  const world = lab([STOPPED], { faults: [fate("start", { kind: "late", ms: MINUTE_MS })] });
  const { answer, world: after } = made(world, 101, { verb: "start" });
  assert.equal(answer.kind, "lost");
  assert.equal(statusOf(advance(after, START_MS + MINUTE_MS - 1), 101), "stopped");
  assert.equal(statusOf(advance(after, START_MS + 2 * MINUTE_MS), 101), "running");
});

test("slow: answer and work take longer", () => {
  const world = lab([STOPPED], { faults: [fate("start", { kind: "slow", ms: MINUTE_MS })] });
  const { delayMs, world: after } = performCall(world, callOf(world, 101, { verb: "start" }));
  assert.equal(delayMs, MINUTE_MS);
  assert.equal(statusOf(advance(after, START_MS + MINUTE_MS), 101), "stopped");
  assert.equal(statusOf(advance(after, START_MS + 2 * MINUTE_MS), 101), "running");
});

test("half-done: a start leaves a process that does not execute, and no verdict", () => {
  const { said, world } = carried(lab([STOPPED], { faults: [fate("start", { kind: "half-done" })] }), 101, {
    verb: "start",
  });
  assert.equal(said, "unexpected status");
  assert.equal(statusOf(world, 101), "prelaunch");
});

test("half-done: a reboot leaves the guest stopped, a snapshot leaves its lock", () => {
  const rebooted = lab([{ state: "running", vmid: 101 }], { faults: [fate("reboot", { kind: "half-done" })] });
  assert.equal(statusOf(carried(rebooted, 101, { verb: "reboot" }).world, 101), "stopped");
  const frozen = lab([STOPPED], { faults: [fate("snapshot", { kind: "half-done" })] });
  const { world } = carried(frozen, 101, { snapshot: "s1", verb: "snapshot" });
  assert.equal(world.guests.get(101)?.file.settings.get("lock"), "snapshot");
});

test("half-done: a write at once leaves the first key only, and no answer", () => {
  const world = lab([STOPPED], { faults: [fate("configure", { kind: "half-done" })] });
  const { answer, world: after } = made(world, 101, {
    edits: { cores: "4", memory: "1024" },
    inTask: false,
    verb: "configure",
  });
  assert.equal(answer.kind, "lost");
  const settings = after.guests.get(101)?.file.settings;
  assert.deepEqual([settings?.get("cores"), settings?.get("memory")], ["4", "512"]);
});

test("lies: the task says OK, and nothing happened", () => {
  const { said, world } = carried(lab([STOPPED], { faults: [fate("start", { kind: "lies" })] }), 101, {
    verb: "start",
  });
  assert.equal(said, "OK");
  assert.equal(statusOf(world, 101), "stopped");
  assert.deepEqual(effectsOf(world), []);
});

test("warns: it is done, with warnings", () => {
  const { said, world } = carried(lab([STOPPED], { faults: [fate("start", { kind: "warns" })] }), 101, {
    verb: "start",
  });
  assert.equal(said, "WARNINGS: 1");
  assert.equal(statusOf(world, 101), "running");
});

test("fails: nothing is done, and the task says why", () => {
  const text = "start failed: QEMU exited with code 1";
  const { said, world } = carried(lab([STOPPED], { faults: [fate("start", { kind: "fails", text })] }), 101, {
    verb: "start",
  });
  assert.equal(said, text);
  assert.equal(statusOf(world, 101), "stopped");
});

test("verdict-lost: it is done, and nobody says so", () => {
  const { said, world } = carried(lab([STOPPED], { faults: [fate("start", { kind: "verdict-lost" })] }), 101, {
    verb: "start",
  });
  assert.equal(said, "unexpected status");
  assert.equal(statusOf(world, 101), "running");
});

test("a fault meets the call that it counts to, and no other", () => {
  const lies: Fault = { fate: { kind: "lies" }, kind: "fate", on: { call: "start", nth: 2, times: 1, vmid: 101 } };
  let world = lab([STOPPED, { vmid: 102 }], { faults: [lies] });
  world = carried(world, 102, { verb: "start" }).world;
  world = carried(world, 101, { verb: "start" }).world;
  assert.equal(statusOf(world, 101), "running");
  world = carried(world, 101, { verb: "stop" }).world;
  world = carried(world, 101, { verb: "start" }).world;
  assert.equal(statusOf(world, 101), "stopped");
});

const changedBy = (change: Change, given: Parameters<typeof lab>[0][number] = STOPPED) =>
  advance(lab([given], { faults: [{ atMs: START_MS + 1000, change, kind: "change" }] }), START_MS + 2000);

test("disappears: the VM is gone at the time that the script says", () => {
  const faults: readonly Fault[] = [
    { atMs: START_MS + 1000, change: { kind: "disappears", vmid: 101 }, kind: "change" },
  ];
  const world = lab([STOPPED], { faults });
  assert.equal(statusOf(advance(world, START_MS + 999), 101), "stopped");
  assert.equal(statusOf(advance(world, START_MS + 1000), 101), "gone");
});

test("a task whose VM disappears under it fails", () => {
  const { said } = carried(
    lab([STOPPED], { faults: [{ atMs: START_MS + 1, change: { kind: "disappears", vmid: 101 }, kind: "change" }] }),
    101,
    { verb: "start" },
  );
  assert.equal(said, "Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist");
});

test("replaced: another machine wears the same vmid and name", () => {
  const world = changedBy({ kind: "replaced", vmid: 101 }, { name: "web", state: "running", vmid: 101 });
  const [old, other] = [lab([{ name: "web", vmid: 101 }]).guests.get(101), world.guests.get(101)];
  assert.equal(other?.file.settings.get("name"), "web");
  assert.notEqual(other?.serial, old?.serial);
  assert.notEqual(other?.file.settings.get("smbios1"), old?.file.settings.get("smbios1"));
  assert.equal(statusOf(world, 101), "stopped");
});

test("starts, stops, renamed, moved, set: somebody else changes the VM", () => {
  assert.equal(statusOf(changedBy({ kind: "starts", vmid: 101 }), 101), "running");
  assert.equal(statusOf(changedBy({ kind: "stops", vmid: 101 }, { state: "running", vmid: 101 }), 101), "stopped");
  assert.equal(changedBy({ kind: "renamed", name: "x", vmid: 101 }).guests.get(101)?.file.settings.get("name"), "x");
  assert.equal(changedBy({ kind: "moved", node: "pve2", vmid: 101 }).guests.get(101)?.node, "pve2");
  const locked = changedBy({ key: "lock", kind: "set", value: "backup", vmid: 101 });
  assert.equal(locked.guests.get(101)?.file.settings.get("lock"), "backup");
  const paused = changedBy({ kind: "run-state", state: "io-error", vmid: 101 }, { state: "running", vmid: 101 });
  assert.equal(statusOf(paused, 101), "io-error");
});

test("between observations: the VM changes after the first observation and before the second", () => {
  const rename: Fault = {
    change: { kind: "renamed", name: "other", vmid: 101 },
    kind: "change",
    moment: "after",
    on: { call: "observe", nth: 1, times: 1, vmid: 101 },
  };
  const first = beforeRead(lab([{ name: "web", vmid: 101 }], { faults: [rename] }), 101).world;
  assert.equal(first.guests.get(101)?.file.settings.get("name"), "web");
  assert.equal(afterRead(first, 101).guests.get(101)?.file.settings.get("name"), "other");
});

test("node-dies: its guests lose power, its tasks lose their verdict, the others still agree", () => {
  const { answer, world } = made(
    lab([
      { state: "running", vmid: 101 },
      { node: "pve2", state: "running", vmid: 102 },
    ]),
    101,
    {
      verb: "shutdown",
    },
  );
  const faults: readonly Fault[] = [
    { atMs: START_MS + 100, change: { kind: "node-dies", node: "pve1" }, kind: "change" },
  ];
  const dead = advance({ ...world, faults }, START_MS + 200);
  const { state } = taskOf(dead, answer);
  assert.equal(state.kind === "ended" && state.status, "unexpected status");
  assert.deepEqual(
    dead.journal.flatMap((entry) => (entry.kind === "end" ? [entry.said] : [])),
    ["unexpected status"],
  );
  assert.deepEqual([statusOf(dead, 101), statusOf(dead, 102)], ["stopped", "running"]);
  assert.equal(isQuorate(dead), true);
  assert.equal(made(dead, 101, { verb: "start" }).answer.kind, "unreached");
});

test("node-cut: its guests run on, and nothing gets through", () => {
  const world = changedBy({ kind: "node-cut", node: "pve1" }, { state: "running", vmid: 101 });
  assert.equal(statusOf(world, 101), "running");
  const { answer, delayMs } = performCall(world, callOf(world, 101, { verb: "stop" }));
  assert.deepEqual(answer, { kind: "unreached", status: 596, text: "Connection timed out" });
  assert.equal(delayMs, 30_000);
});

test("two of three nodes dead is no quorum; one that returns brings it back", () => {
  const die = (node: string): Fault => ({ atMs: START_MS + 1, change: { kind: "node-dies", node }, kind: "change" });
  const back: Fault = { atMs: START_MS + 1000, change: { kind: "node-returns", node: "pve2" }, kind: "change" };
  const world = lab([STOPPED], { faults: [die("pve2"), die("pve3"), back] });
  assert.equal(isQuorate(advance(world, START_MS + 10)), false);
  assert.equal(isQuorate(advance(world, START_MS + 1000)), true);
});

test("half of the members is no quorum", () => {
  const nodes = ["a", "b"].map((name) => makeNode({ name }));
  const world = lab([], { nodes });
  assert.equal(isQuorate(world), true);
  const faults: readonly Fault[] = [{ atMs: START_MS, change: { kind: "node-dies", node: "b" }, kind: "change" }];
  assert.equal(isQuorate(advance({ ...world, faults }, START_MS)), false);
});

test("reports are ten seconds apart, and end with the node or its reporter", () => {
  const stop: Fault = { atMs: START_MS + 15_000, change: { kind: "reports-stop", node: "pve1" }, kind: "change" };
  const world = advance(lab([STOPPED], { faults: [stop] }), START_MS + 5 * MINUTE_MS);
  assert.equal(world.nodes.get("pve1")?.report?.atMs, START_MS + 10_000);
  assert.equal(world.nodes.get("pve2")?.report?.atMs, START_MS + 5 * MINUTE_MS);
});

test("a report shows the guest as it was, until the next one", () => {
  const world = made(lab([STOPPED]), 101, { verb: "start" }).world;
  const reported = (ms: number) =>
    advance(world, START_MS + ms)
      .nodes.get("pve1")
      ?.report?.guests.get(101)?.run.kind;
  assert.equal(reported(9000), "stopped");
  assert.equal(reported(20_000), "running");
});

test("weather is drawn from the seed and repeats", () => {
  const weather = { lies: 300, "lost-reply": 300 };
  const fates = (seed: number) => {
    let world = lab(
      Array.from({ length: 40 }, (_, at) => ({ vmid: 100 + at })),
      { seed, weather },
    );
    for (const id of world.guests.keys()) world = made(world, id, { verb: "start" }).world;
    return world.journal.flatMap((entry) => (entry.kind === "call" ? [entry.fate ?? "none"] : []));
  };
  assert.deepEqual(fates(5), fates(5));
  assert.notDeepEqual(fates(5), fates(6));
  assert.deepEqual([...new Set(fates(5))].toSorted(), ["lies", "lost-reply", "none"]);
});

test("the journal tells repeated steps, deeds of an intent, and interruptions by calls", () => {
  const mark = { intent: "I1", step: "S1" };
  const world = lab([{ name: "prod-db", state: "running", vmid: 101 }]);
  let after = performCall(world, { ...callOf(world, 101, { verb: "reset" }), mark }).world;
  after = advance(after, START_MS + MINUTE_MS);
  assert.deepEqual(stepsCalledTwice(after.journal), []);
  assert.deepEqual(
    deedsOf(after.journal, "I1").map(({ effect }) => effect),
    ["reset"],
  );
  assert.deepEqual(
    interruptionsByCalls(after.journal).map(({ name }) => name),
    ["prod-db"],
  );
  after = performCall(after, { ...callOf(world, 101, { verb: "reset" }), mark }).world;
  assert.deepEqual(stepsCalledTwice(after.journal), ["S1"]);
  assert.deepEqual(
    interruptionsByCalls(changedBy({ kind: "stops", vmid: 101 }, { state: "running", vmid: 101 }).journal),
    [],
  );
});
