// The plain ports over a world: each fault as the kernel meets it at Source and Actuator, with no network and no timer.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sent } from "../../src/adapters/actuator.ts";
import { providerOf, type SimulatedProvider } from "../../src/simulator/ports/provider.ts";
import { worldActuator } from "../../src/simulator/ports/world-actuator.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import type { Fault } from "../../src/simulator/world/faults.ts";
import { deedsOf, truthOf } from "../../src/simulator/world/journal.ts";
import type { Action } from "../../src/spine/model.ts";
import { mayLeave } from "../adapters/may-leave.ts";
import { fate, lab, MINUTE_MS, START_MS, vmid } from "./lab.ts";
import { asked, intentOn, never, observe } from "./world-intents.ts";

/** Sends, lets ten virtual minutes pass, and asks for the verdict. */
const carry = async (provider: SimulatedProvider, id: number, action: Action, signal = never()) => {
  const actuator = worldActuator(provider, { user: "dedalus@pve!apply" });
  const intent = intentOn(await observe(provider, id), action);
  const sending = actuator.send(intent, signal, mayLeave);
  await asked();
  provider.advance(provider.world().nowMs + 10 * MINUTE_MS);
  const sent = await sending;
  const reference = sent.kind === "sent" ? sent.reference : undefined;
  const verdict = reference === undefined ? undefined : await actuator.verdict(intent, reference, signal);
  const { journal } = provider.world();
  return {
    deeds: deedsOf(journal, intent.id).map(({ effect }) => effect),
    sent,
    truth: truthOf(journal, intent.id),
    verdict,
  };
};

const START = { kind: "vm.start" } as const;

const refusedWith = (said: string): Sent => ({
  diagnostics: [{ code: "call-refused", facts: { httpStatus: 500 }, said }],
  kind: "failed",
});

test("a observation says what an honest adapter would say of a VM", async () => {
  const state = await observe(
    providerOf(lab([{ cores: 2, memory: 2 ** 31, name: "web", state: "running", tags: ["prod", "web"], vmid: 101 }])),
    101,
    ["snapshots"],
  );
  const { boot, identity, revision, ...rest } = state;
  assert.match(`${boot}`, /^[0-9]+ [0-9]+$/);
  assert.match(`${identity}`, /^[0-9a-f-]{36} [0-9]+$/);
  assert.match(`${revision}`, /^[0-9a-f]{40}$/);
  assert.deepEqual(rest, {
    cpus: 2,
    kind: "vm",
    maxmem: 2 ** 31,
    name: "web",
    node: "pve1",
    snapshots: { names: [], withRam: [] },
    source: "simulated",
    status: "running",
    tags: ["prod", "web"],
    vmid: 101,
  });
});

test("two observations of a world in which nothing happened are the same", async () => {
  const provider = providerOf(lab([{ state: "running", vmid: 101 }]));
  const first = await observe(provider, 101);
  provider.advance(START_MS + 60 * MINUTE_MS);
  assert.deepEqual(await observe(provider, 101), first);
});

test("a VM that is gone is missing from a complete observation, and a hidden one from an incomplete observation", async () => {
  const provider = providerOf(lab([{ vmid: 101 }]));
  const all = await worldSource(provider, { environment: "home" }).observe(
    [{ vmid: vmid(101) }, { vmid: vmid(102) }],
    never(),
  );
  assert.deepEqual([all.complete, all.vms.map((state) => state.vmid)], [true, [101]]);
  const some = await worldSource(provider, { environment: "home", hidden: new Set([101]) }).observe(
    [{ vmid: vmid(101) }],
    never(),
  );
  assert.deepEqual([some.complete, some.vms.length, some.gaps.length], [false, 0, 1]);
});

const blocked = async (world: ReturnType<typeof lab>): Promise<readonly string[]> =>
  (await observe(providerOf(world), 101)).blockers?.map(({ code }) => code) ?? [];

test("lock, template, silent monitor, no quorum and a running task are blockers", async () => {
  assert.deepEqual(await blocked(lab([{ settings: { lock: "backup" }, vmid: 101 }])), ["locked"]);
  assert.deepEqual(await blocked(lab([{ settings: { template: "1" }, vmid: 101 }])), ["template"]);
  assert.equal((await blocked(lab([{ isMonitorSilent: true, state: "running", vmid: 101 }]))).length, 1);
  assert.deepEqual(await blocked({ ...lab([{ vmid: 101 }]), isSplit: true }), ["quorum-lost"]);
  const provider = providerOf(lab([{ vmid: 101 }]));
  const actuator = worldActuator(provider, { user: "root@pam" });
  await actuator.send(intentOn(await observe(provider, 101), START), never(), mayLeave);
  assert.equal((await observe(provider, 101)).blockers?.length, 1);
  assert.deepEqual(await blocked(lab([{ vmid: 101 }])), []);
});

test("a guest on a dead or unreached node is unknown, with the reason", async () => {
  for (const kind of ["node-dies", "node-cut"] as const) {
    const provider = providerOf(lab([{ node: "pve2", state: "running", vmid: 101 }]));
    provider.change({ kind, node: "pve2" });
    const { because, status } = await observe(provider, 101);
    assert.deepEqual([status, because?.code, because?.facts?.["node"]], ["unknown", "node-silent", "pve2"]);
  }
});

test("paused, pending and hibernated guests are told apart", async () => {
  assert.equal((await observe(providerOf(lab([{ state: "io-error", vmid: 101 }])), 101)).paused, true);
  const text = "cores: 1\nmemory: 512\nname: a\n\n[PENDING]\ncores: 4\nmemory: 1024\n";
  const state = await observe(providerOf(lab([{ state: "running", text, vmid: 101 }])), 101);
  assert.deepEqual([state.pending, state.resize], [{ cpus: 4, maxmem: 2 ** 30 }, undefined]);
});

test("a slow observation resolves after virtual time, and a silent one when its signal aborts", async () => {
  const slow: Fault = { fate: { kind: "slow", ms: 5000 }, kind: "fate", on: { call: "observe", nth: 1, times: 1 } };
  const provider = providerOf(lab([{ vmid: 101 }], { faults: [slow] }));
  const looking = observe(provider, 101);
  assert.equal(provider.dueMs(), START_MS + 5000);
  provider.advance(START_MS + 5000);
  assert.equal(provider.dueMs(), undefined);
  assert.equal((await looking).status, "stopped");

  const lost: Fault = {
    fate: { how: "silence", kind: "unheard" },
    kind: "fate",
    on: { call: "observe", nth: 1, times: 1 },
  };
  const silent = providerOf(lab([{ vmid: 101 }], { faults: [lost] }));
  const stop = new AbortController();
  const waiting = worldSource(silent, { environment: "home" }).observe([{ vmid: vmid(101) }], stop.signal);
  stop.abort();
  assert.equal((await waiting).vms[0]?.status, "unknown");
});

test("somebody changes the VM between two observations", async () => {
  const change: Fault = {
    change: { kind: "starts", vmid: 101 },
    kind: "change",
    moment: "after",
    on: { call: "observe", nth: 1, times: 1, vmid: 101 },
  };
  const provider = providerOf(lab([{ vmid: 101 }], { faults: [change] }));
  assert.equal((await observe(provider, 101)).status, "stopped");
  assert.equal((await observe(provider, 101)).status, "running");
});

test("a start is sent, done, and in the journal under its intent", async () => {
  const provider = providerOf(lab([{ vmid: 101 }]));
  const { deeds, sent, verdict } = await carry(provider, 101, START);
  assert.equal(sent.kind, "sent");
  assert.deepEqual(verdict, { diagnostics: [{ code: "task-done" }], kind: "done" });
  assert.deepEqual(deeds, ["launched", "executing"]);
});

test("what the place refuses at once is failed, and nothing happened", async () => {
  const { deeds, sent } = await carry(providerOf(lab([{ vmid: 101 }])), 101, { kind: "vm.reset" });
  assert.deepEqual([sent, deeds], [refusedWith("VM 101 not running"), []]);
});

const faulty = (given: Parameters<typeof fate>[1], kind: "reset" | "start" = "start") =>
  providerOf(lab([{ vmid: 101 }], { faults: [fate(kind, given)] }));

test("a lost reply is unknown, and the deed is done", async () => {
  const { deeds, sent } = await carry(faulty({ how: "reset", kind: "lost-reply" }), 101, START);
  assert.equal(sent.kind, "unknown");
  assert.deepEqual(deeds, ["launched", "executing"]);
});

test("a silent reply stays open until the signal aborts", async () => {
  const provider = faulty({ how: "silence", kind: "unheard" });
  const intent = intentOn(await observe(provider, 101), START);
  const stop = new AbortController();
  const sending = worldActuator(provider, { user: "root@pam" }).send(intent, stop.signal, mayLeave);
  await asked();
  provider.advance(START_MS + 10 * MINUTE_MS);
  assert.equal(await Promise.race([sending, Promise.resolve("open")]), "open");
  stop.abort();
  assert.equal((await sending).kind, "unknown");
  assert.deepEqual(deedsOf(provider.world().journal, intent.id), []);
});

test("a scheduler that jumps from one due time to the next carries everything to its end", async () => {
  const provider = faulty({ kind: "slow", ms: MINUTE_MS });
  const intent = intentOn(await observe(provider, 101), START);
  const actuator = worldActuator(provider, { user: "root@pam" });
  let said = "";
  const carrying = actuator.send(intent, never(), mayLeave).then(async (sent) => {
    said = sent.kind === "sent" ? (await actuator.verdict(intent, sent.reference, never())).kind : sent.kind;
  });
  await asked();
  for (let due = provider.dueMs(); due !== undefined; due = provider.dueMs()) {
    provider.advance(due);
    await Promise.resolve();
  }
  await carrying;
  assert.equal(said, "done");
  assert.ok(provider.world().nowMs >= START_MS + MINUTE_MS);
});

test("a late call takes effect after its caller has given up", async () => {
  const provider = faulty({ kind: "late", ms: MINUTE_MS });
  const intent = intentOn(await observe(provider, 101), START);
  const stop = new AbortController();
  const sending = worldActuator(provider, { user: "root@pam" }).send(intent, stop.signal, mayLeave);
  await asked();
  stop.abort();
  assert.equal((await sending).kind, "unknown");
  assert.deepEqual(deedsOf(provider.world().journal, intent.id), []);
  provider.advance(START_MS + 2 * MINUTE_MS);
  assert.equal(deedsOf(provider.world().journal, intent.id).length, 2);
});

test("half-done and a lost verdict are unknown, a warning is done, a failure is failed, a lie is done without a deed", async () => {
  const half = await carry(faulty({ kind: "half-done" }), 101, START);
  assert.deepEqual([half.verdict?.kind, half.deeds, half.truth], ["unknown", ["launched"], "part"]);
  assert.equal((await carry(faulty({ kind: "verdict-lost" }), 101, START)).verdict?.kind, "unknown");
  assert.equal((await carry(faulty({ kind: "warns" }), 101, START)).verdict?.kind, "done");
  const failed = await carry(faulty({ kind: "fails", text: "no" }), 101, START);
  assert.deepEqual(
    [failed.verdict, failed.deeds],
    [{ diagnostics: [{ code: "task-failed", said: "no" }], kind: "failed" }, []],
  );
  const lie = await carry(faulty({ kind: "lies" }), 101, START);
  assert.deepEqual([lie.verdict?.kind, lie.deeds, lie.truth], ["done", [], "nothing"]);
});

test("a reboot that stops half-way is a part of what was asked for", async () => {
  const world = lab([{ state: "running", vmid: 101 }], { faults: [fate("reboot", { kind: "half-done" })] });
  const { deeds, truth } = await carry(providerOf(world), 101, { kind: "vm.reboot" });
  assert.deepEqual([deeds, truth], [["powered-off"], "part"]);
});

test("a call to a dead node never left; one to a node that times out may have", async () => {
  const seen = await observe(providerOf(lab([{ vmid: 101 }])), 101);
  const sentTo = async (kind: "node-cut" | "node-dies") => {
    const provider = providerOf(lab([{ vmid: 101 }]));
    provider.change({ kind, node: "pve1" });
    const sending = worldActuator(provider, { user: "root@pam" }).send(intentOn(seen, START), never(), mayLeave);
    await asked();
    provider.advance(START_MS + MINUTE_MS);
    return (await sending).kind;
  };
  assert.equal(await sentTo("node-dies"), "failed");
  assert.equal(await sentTo("node-cut"), "unknown");
});

test("a verdict that does not come is unknown when the signal aborts", async () => {
  const provider = providerOf(lab([{ vmid: 101 }]));
  const actuator = worldActuator(provider, { user: "root@pam" });
  const intent = intentOn(await observe(provider, 101), START);
  const sent = await actuator.send(intent, never(), mayLeave);
  assert.equal(sent.kind, "sent");
  const stop = new AbortController();
  const asking = actuator.verdict(intent, sent.reference, stop.signal);
  stop.abort();
  assert.equal((await asking).kind, "unknown");
});

test("a node that dies under a task leaves its verdict unknown", async () => {
  const provider = providerOf(lab([{ vmid: 101 }]));
  const actuator = worldActuator(provider, { user: "root@pam" });
  const intent = intentOn(await observe(provider, 101), START);
  const sent = await actuator.send(intent, never(), mayLeave);
  assert.equal(sent.kind, "sent");
  const asking = actuator.verdict(intent, sent.reference, never());
  provider.change({ kind: "node-dies", node: "pve1" });
  assert.equal((await asking).kind, "unknown");
});

test("the OK of high availability is believed only when the guest follows", async () => {
  const provider = providerOf(lab([{ ha: { state: "stopped", wanted: "stopped" }, vmid: 101 }]));
  const actuator = worldActuator(provider, { user: "root@pam" });
  const intent = intentOn(await observe(provider, 101), START);
  const sent = await actuator.send(intent, never(), mayLeave);
  assert.equal(sent.kind, "sent");
  const early = new AbortController();
  const first = actuator.verdict(intent, sent.reference, early.signal);
  provider.advance(START_MS + 1000);
  early.abort();
  assert.equal((await first).kind, "unknown");
  const second = actuator.verdict(intent, sent.reference, never());
  provider.advance(START_MS + MINUTE_MS);
  assert.equal((await second).kind, "done");
});

test("every other action of the catalogue reaches the world", async () => {
  const run = { state: "running", vmid: 101 } as const;
  const cases: readonly (readonly [Parameters<typeof lab>[0][number], Action, readonly string[]])[] = [
    [run, { kind: "vm.stop" }, ["powered-off"]],
    [run, { kind: "vm.shutdown" }, ["powered-off"]],
    [run, { kind: "vm.reboot" }, ["powered-off", "launched", "executing"]],
    [run, { kind: "vm.reset" }, ["reset"]],
    [run, { kind: "vm.suspend" }, ["paused"]],
    [{ state: "paused", vmid: 101 }, { kind: "vm.resume" }, ["resumed"]],
    [run, { kind: "vm.snapshot.create", snapshot: "s1" }, ["snapshot-begun", "snapshot-made"]],
    [run, { cpus: 4, kind: "vm.resize", memory: 2 ** 30 }, ["configured"]],
    [{ kind: "ct", vmid: 101 }, { cpus: 4, kind: "vm.resize" }, ["configured"]],
    [{ vmid: 101 }, { kind: "vm.delete" }, ["disks-removed", "destroyed"]],
    [run, { kind: "vm.migrate", node: "pve2" }, ["locked", "migrated"]],
    [run, { kind: "vm.clone", name: "copy", to: vmid(201) }, ["cloned", "unlocked"]],
  ];
  for (const [given, action, effects] of cases) {
    const { deeds, truth, verdict } = await carry(providerOf(lab([given])), 101, action);
    assert.deepEqual([action.kind, verdict?.kind, deeds, truth], [action.kind, "done", effects, "all"]);
  }
});

test("a resize is bound to the revision that was seen", async () => {
  const provider = providerOf(lab([{ vmid: 101 }]));
  const seen = await observe(provider, 101);
  provider.change({ key: "cores", kind: "set", value: "8", vmid: 101 });
  const sent = await worldActuator(provider, { user: "root@pam" }).send(
    intentOn(seen, { cpus: 2, kind: "vm.resize" }),
    never(),
    mayLeave,
  );
  assert.deepEqual(sent, refusedWith("checksum mismatch (file change by other user?)"));
});
