// The world machine: verbs take virtual time and do what they say, the same every time, and refuse as the place does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, nextDueMs } from "../../src/simulator/acts/advance.ts";
import { fileDigest } from "../../src/simulator/world/guest-file.ts";
import type { Work } from "../../src/simulator/world/world-calls.ts";
import { carried, effectsOf, lab, MINUTE_MS, made, START_MS, statusOf, taskOf, vmid } from "./lab.ts";

test("a start takes virtual time, and the guest runs when the task says OK", () => {
  const { answer, world } = made(lab([{ vmid: 101 }]), 101, { verb: "start" });
  assert.equal(taskOf(world, answer).state.kind, "running");
  assert.equal(statusOf(world, 101), "stopped");
  const later = advance(world, START_MS + MINUTE_MS);
  assert.deepEqual(taskOf(later, answer).state.kind, "ended");
  assert.equal(statusOf(later, 101), "running");
  assert.deepEqual(effectsOf(later), ["launched", "executing"]);
});

test("the same world and the same calls give the same history, whatever the steps of the clock", () => {
  const play = (stepMs: number) => {
    let { world } = made(lab([{ vmid: 101 }, { state: "running", vmid: 102 }], { seed: 9 }), 101, { verb: "start" });
    world = made(world, 102, { verb: "reboot" }).world;
    for (let ms = stepMs; ms <= 2 * MINUTE_MS; ms += stepMs) world = advance(world, START_MS + ms);
    return world;
  };
  assert.deepEqual(play(100), play(MINUTE_MS));
  assert.notDeepEqual(
    play(MINUTE_MS).journal,
    made(lab([{ vmid: 101 }], { seed: 10 }), 101, { verb: "start" }).world.journal,
  );
});

test("a call leaves the world that it was given as it was", () => {
  const world = lab([{ vmid: 101 }]);
  const before = structuredClone(world);
  carried(world, 101, { verb: "start" });
  assert.deepEqual(world, before);
});

const OUTCOMES: readonly {
  readonly title: string;
  readonly given: Parameters<typeof lab>[0][number];
  readonly work: Work;
  readonly ends: string;
  readonly effects: readonly string[];
}[] = [
  {
    effects: ["powered-off"],
    ends: "stopped",
    given: { state: "running", vmid: 101 },
    title: "stop cuts the power",
    work: { verb: "stop" },
  },
  {
    effects: [],
    ends: "stopped",
    given: { vmid: 101 },
    title: "stop of a stopped VM is OK and does nothing",
    work: { verb: "stop" },
  },
  {
    effects: [],
    ends: "stopped",
    given: { isDeaf: true, vmid: 101 },
    title: "shutdown of a stopped VM is OK and does nothing, deaf or not",
    work: { verb: "shutdown" },
  },
  {
    effects: ["powered-off"],
    ends: "stopped",
    given: { state: "running", vmid: 101 },
    title: "shutdown ends a guest that obeys",
    work: { verb: "shutdown" },
  },
  {
    effects: ["powered-off", "launched", "executing"],
    ends: "running",
    given: { state: "running", vmid: 101 },
    title: "reboot stops and starts",
    work: { verb: "reboot" },
  },
  {
    effects: ["reset"],
    ends: "running",
    given: { state: "running", vmid: 101 },
    title: "reset goes on with the same process",
    work: { verb: "reset" },
  },
  {
    effects: ["paused"],
    ends: "paused",
    given: { state: "running", vmid: 101 },
    title: "suspend pauses",
    work: { verb: "suspend" },
  },
  {
    effects: ["resumed"],
    ends: "running",
    given: { state: "paused", vmid: 101 },
    title: "resume goes on",
    work: { verb: "resume" },
  },
  {
    effects: ["locked", "hibernated"],
    ends: "stopped",
    given: { state: "running", vmid: 101 },
    title: "suspend to disk hibernates",
    work: { isToDisk: true, verb: "suspend" },
  },
  {
    effects: ["disks-removed", "destroyed"],
    ends: "gone",
    given: { vmid: 101 },
    title: "destroy removes it",
    work: { verb: "destroy" },
  },
  {
    effects: ["locked", "migrated"],
    ends: "running",
    given: { state: "running", vmid: 101 },
    title: "migrate moves it",
    work: { isOnline: true, target: "pve2", verb: "migrate" },
  },
  {
    effects: ["powered-off"],
    ends: "stopped",
    given: { isDeaf: true, state: "running", vmid: 101 },
    title: "a forced shutdown ends a deaf guest",
    work: { isForced: true, timeoutMs: 3000, verb: "shutdown" },
  },
];

for (const { effects, ends, given, title, work } of OUTCOMES) {
  test(title, () => {
    const { said, world } = carried(lab([given]), 101, work);
    assert.equal(said, "OK");
    assert.equal(statusOf(world, 101), ends);
    assert.deepEqual(effectsOf(world), effects);
  });
}

test("without quorum a start and a write are refused, and a stop is still taken", () => {
  const world = { ...lab([{ vmid: 101 }, { state: "running", vmid: 102 }]), isSplit: true };
  assert.equal(made(world, 101, { verb: "start" }).answer.kind, "refused");
  assert.equal(made(world, 101, { edits: { cores: "2" }, inTask: false, verb: "configure" }).answer.kind, "refused");
  assert.match(
    carried(world, 101, { snapshot: "s1", verb: "snapshot" }).said,
    /101\.conf\.tmp\.[0-9]+' - Permission denied$/,
  );
  assert.equal(statusOf(carried(world, 102, { verb: "stop" }).world, 102), "stopped");
});

test("a reboot without quorum ends stopped", () => {
  const { said, world } = carried({ ...lab([{ state: "running", vmid: 101 }]), isSplit: true }, 101, {
    verb: "reboot",
  });
  assert.equal(said, "cluster not ready - no quorum?");
  assert.equal(statusOf(world, 101), "stopped");
});

test("a rollback starts the guest when the snapshot holds RAM, and leaves it stopped when not", () => {
  const kept = [{ name: "cold" }, { name: "warm", ram: true }];
  const stopped = lab([{ snapshots: kept, vmid: 101 }]);
  const running = lab([{ snapshots: kept, state: "running", vmid: 101 }]);
  for (const world of [stopped, running]) {
    const pid = world.guests.get(101)?.run;
    const warm = carried(world, 101, { snapshot: "warm", verb: "rollback" });
    assert.deepEqual([warm.said, statusOf(warm.world, 101)], ["OK", "running"]);
    assert.notDeepEqual(warm.world.guests.get(101)?.run, pid);
    assert.equal(warm.world.guests.get(101)?.file.settings.has("vmstate"), false);
    const cold = carried(world, 101, { snapshot: "cold", verb: "rollback" });
    assert.deepEqual([cold.said, statusOf(cold.world, 101)], ["OK", "stopped"]);
    const asked = carried(world, 101, { snapshot: "cold", thenStart: true, verb: "rollback" });
    assert.deepEqual([asked.said, statusOf(asked.world, 101)], ["OK", "running"]);
  }
});

test("a container has no RAM to bring back, whatever stands in its file", () => {
  const text = "hostname: a\n\n[odd]\nhostname: a\nvmstate: local:1/x.raw\n";
  const { world } = carried(lab([{ kind: "ct", text, vmid: 101 }]), 101, { snapshot: "odd", verb: "rollback" });
  assert.equal(statusOf(world, 101), "stopped");
});

test("a snapshot with RAM is one of a VM that runs, and of no container", () => {
  const withRam = (words: Parameters<typeof lab>[0][number]) => {
    const { world } = carried(lab([words]), 101, { snapshot: "s1", verb: "snapshot", withMemory: true });
    return world.guests.get(101)?.file.snapshots.map(({ settings }) => settings.has("vmstate"));
  };
  assert.deepEqual(withRam({ state: "running", vmid: 101 }), [true]);
  assert.deepEqual(withRam({ vmid: 101 }), [false]);
  assert.deepEqual(withRam({ kind: "ct", state: "running", vmid: 101 }), [false]);
});

test("a snapshot, its rollback and its removal change the list, the parent and the generation id", () => {
  const first = lab([{ state: "running", vmid: 101 }]);
  const genid = first.guests.get(101)?.file.settings.get("vmgenid");
  let world = carried(first, 101, { snapshot: "s1", verb: "snapshot" }).world;
  assert.deepEqual(
    world.guests.get(101)?.file.snapshots.map(({ name }) => name),
    ["s1"],
  );
  assert.equal(world.guests.get(101)?.file.settings.get("parent"), "s1");
  assert.equal(carried(world, 101, { snapshot: "s1", verb: "snapshot" }).said, "snapshot name 's1' already used");
  world = carried(world, 101, { snapshot: "s1", verb: "rollback" }).world;
  assert.equal(statusOf(world, 101), "stopped");
  assert.notEqual(world.guests.get(101)?.file.settings.get("vmgenid"), genid);
  assert.equal(
    world.guests.get(101)?.file.settings.get("smbios1"),
    first.guests.get(101)?.file.settings.get("smbios1"),
  );
  world = carried(world, 101, { snapshot: "s1", verb: "delete-snapshot" }).world;
  assert.deepEqual(world.guests.get(101)?.file.snapshots, []);
  assert.equal(world.guests.get(101)?.file.settings.has("parent"), false);
  assert.equal(world.guests.get(101)?.file.settings.has("lock"), false);
});

test("sizes of a running VM wait for a restart, and a reboot applies them", () => {
  const edits = { cores: "4", memory: "2048", name: "other" };
  const { said, world } = carried(lab([{ state: "running", vmid: 101 }]), 101, {
    edits,
    inTask: true,
    verb: "configure",
  });
  assert.equal(said, "OK");
  const file = world.guests.get(101)?.file;
  assert.equal(file?.settings.get("name"), "other");
  assert.deepEqual(
    [...(file?.pending ?? [])],
    [
      ["cores", "4"],
      ["memory", "2048"],
    ],
  );
  const rebooted = carried(world, 101, { verb: "reboot" }).world.guests.get(101)?.file;
  assert.deepEqual([rebooted?.settings.get("cores"), rebooted?.pending.size], ["4", 0]);
});

test("memory of a running VM is hot when its hotplug setting says so", () => {
  const world = lab([{ settings: { hotplug: "memory,network" }, state: "running", vmid: 101 }]);
  const file = carried(world, 101, { edits: { memory: "1024" }, inTask: true, verb: "configure" }).world.guests.get(
    101,
  )?.file;
  assert.deepEqual([file?.settings.get("memory"), file?.pending.size], ["1024", 0]);
});

test("a matching digest lets a write through", () => {
  const world = lab([{ vmid: 101 }]);
  const guest = world.guests.get(101);
  assert.ok(guest !== undefined);
  const { answer } = made(world, 101, {
    digest: fileDigest(guest.file),
    edits: { cores: "2" },
    inTask: false,
    verb: "configure",
  });
  assert.deepEqual(answer, { kind: "done" });
});

test("a second task on a guest waits ten seconds for the lock and then fails", () => {
  const first = made(lab([{ isDeaf: true, state: "running", vmid: 101 }]), 101, { verb: "shutdown" });
  const second = made(first.world, 101, { verb: "stop" });
  assert.equal(taskOf(second.world, second.answer).state.kind, "waiting");
  const { state } = taskOf(advance(second.world, START_MS + 11_000), second.answer);
  assert.equal(
    state.kind === "ended" && state.status,
    "can't lock file '/var/lock/qemu-server/lock-101.conf' - got timeout",
  );
});

test("a second task goes on when the first one ends in time", () => {
  const first = made(lab([{ vmid: 101 }]), 101, { verb: "start" });
  const second = made(first.world, 101, { verb: "stop" });
  const later = advance(second.world, START_MS + MINUTE_MS);
  assert.equal(statusOf(later, 101), "stopped");
  assert.deepEqual(effectsOf(later), ["launched", "executing", "powered-off"]);
});

test("high availability says OK to a request and starts the guest later", () => {
  const world = lab([{ ha: { state: "stopped", wanted: "stopped" }, vmid: 101 }]);
  const { answer, world: after } = made(world, 101, { verb: "start" });
  const soon = advance(after, START_MS + 1000);
  const task = taskOf(soon, answer);
  assert.deepEqual([task.type, task.state.kind], ["hastart", "ended"]);
  assert.equal(statusOf(soon, 101), "stopped");
  assert.equal(statusOf(advance(soon, START_MS + MINUTE_MS), 101), "running");
});

test("a clone is another machine with another identity", () => {
  const { world } = carried(lab([{ name: "web", vmid: 101 }]), 101, { name: "web-2", newid: vmid(201), verb: "clone" });
  const [old, copy] = [world.guests.get(101), world.guests.get(201)];
  assert.equal(copy?.file.settings.get("name"), "web-2");
  assert.equal(copy?.file.settings.has("lock"), false);
  assert.notEqual(copy?.file.settings.get("smbios1"), old?.file.settings.get("smbios1"));
  assert.notEqual(copy?.serial, old?.serial);
});

test("a world in which nothing is under way has no future", () => {
  const world = lab([{ vmid: 101 }]);
  assert.equal(nextDueMs(world), undefined);
  assert.equal(advance(world, START_MS - 1), world);
  assert.equal(nextDueMs(made(world, 101, { verb: "start" }).world) !== undefined, true);
});
