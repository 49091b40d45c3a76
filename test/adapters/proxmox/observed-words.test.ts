// One guest's answers, word by word: what is doubt, what is said of it, and what PVE may leave out.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuestRef, NodeName } from "../../../src/adapters/proxmox/api/names.ts";
import { parseUpid } from "../../../src/adapters/proxmox/api/names.ts";
import { partsOf } from "../../../src/adapters/proxmox/api/values.ts";
import { blockersOf } from "../../../src/adapters/proxmox/observe/blockers.ts";
import { clusterOf } from "../../../src/adapters/proxmox/observe/cluster.ts";
import { activeSizes, settingsOf } from "../../../src/adapters/proxmox/observe/guest-config.ts";
import { type Status, statusOf } from "../../../src/adapters/proxmox/observe/run-state.ts";
import { snapshotsOf } from "../../../src/adapters/proxmox/observe/snapshot-list.ts";
import { vmStateOf } from "../../../src/adapters/proxmox/observe/vm-state.ts";
import { whereaboutsOf } from "../../../src/adapters/proxmox/observe/whereabouts.ts";
import type { VmState } from "../../../src/spine/model.ts";
import { clusterEntry, config, node, row, running, stopped, vmid } from "./answers.ts";

const VM: GuestRef = { kind: "vm", node: "pve1" as NodeName, vmid: vmid(101) };
const LONG = "w".repeat(100);

const runOf = (data: unknown, guest = VM): string => {
  const status = statusOf(data, guest);
  return status.kind === "seen" ? status.run.kind : status.because.code;
};

test("a status is of the VM that was asked for, and need not say so", () => {
  assert.equal(runOf(stopped(101)), "stopped");
  assert.equal(runOf(stopped(101, { vmid: undefined })), "stopped");
  assert.equal(runOf(stopped(102)), "status-of-another");
});

test("what PVE and QEMU say of one VM must agree", () => {
  assert.equal(runOf(stopped(101, { qmpstatus: undefined })), "stopped");
  assert.equal(runOf(stopped(101, { qmpstatus: "running" })), "status-undefined");
  assert.equal(runOf(running(101)), "executing");
  assert.equal(runOf(running(101, { status: "unknown" })), "status-undefined");
  assert.equal(runOf(running(101, { qmpstatus: undefined, "running-qemu": undefined })), "status-undefined");
});

test("a container runs, is stopped, or is in doubt", () => {
  const container = (status: unknown): string => runOf({ status, vmid: 101 }, { ...VM, kind: "ct" });
  assert.deepEqual(["running", "stopped", "unknown"].map(container), ["executing", "stopped", "status-undefined"]);
});

test("of a status that nobody knows the first words are quoted, and nothing in the place of what is no word", () => {
  const said = (data: object): unknown => {
    const status = statusOf(data, VM);
    return status.kind === "doubtful" && status.because.said;
  };
  assert.equal(said({ qmpstatus: "b", status: "a" }), "a, b");
  assert.equal(said({ qmpstatus: 7, status: LONG }), LONG.slice(0, 40));
  assert.equal(said({ status: 7 }), undefined);
});

const seenOf = (data: object): Extract<Status, { readonly kind: "seen" }> => {
  const status = statusOf(data, VM);
  return status.kind === "seen" ? status : assert.fail(status.because.code);
};

test("a process has a number above 0", () => {
  assert.equal(seenOf(running(101)).pid, 579);
  assert.equal(seenOf(running(101, { pid: 0 })).pid, undefined);
});

test("a state of HA and a lock are quoted by their beginning", () => {
  const { ha } = seenOf(running(101, { ha: { managed: 1, state: LONG } }));
  assert.deepEqual(ha, { isSettled: false, kind: "managed", state: LONG.slice(0, 40) });
  const [locked] = evidence(stopped(101, { lock: LONG })).blockers ?? [];
  assert.deepEqual(locked, { actions: "all", code: "locked", facts: { lock: LONG.slice(0, 40) } });
});

const evidence = (status: object, more: Parameters<typeof config>[1] = {}): VmState => {
  const settings = settingsOf(config(101, more)) ?? assert.fail("a list");
  const seen = { atWork: undefined, guest: VM, newSnapshot: undefined, quorum: "present" as const, settings };
  const all = { ...seen, status: seenOf(status) };
  const state = vmStateOf(all, undefined);
  if (state.status !== "unknown") assert.deepEqual(state.blockers, blockersOf(all));
  return state;
};

test("a VM that runs is not paused; one whose name is changing is unknown", () => {
  assert.deepEqual([evidence(running(101)).status, evidence(running(101)).paused], ["running", undefined]);
  assert.deepEqual(evidence(running(101), { name: "other" }).because, { code: "name-changed" });
});

test("a VM takes a size while it runs only if it runs", () => {
  const hot = { hotplug: "cpu,memory", numa: 1, vcpus: 2 };
  assert.equal(evidence(running(101), hot).resize, "hot");
  assert.equal(evidence(stopped(101), hot).resize, undefined);
});

test("cores times sockets are a number of cpus, or none is told", () => {
  const cpus = (cores: number, sockets: number): unknown =>
    activeSizes(settingsOf(config(101, { cores, sockets })) ?? assert.fail("a list"), "vm").cpus;
  assert.equal(cpus(4096, 2), 8192);
  assert.equal(cpus(4096, 3), undefined);
});

test("one entry that is none spoils a list that must be read whole", () => {
  assert.equal(settingsOf([{ key: "cores", value: 1 }, null]), undefined);
  const now = { name: "current" };
  for (const list of [[null], [null, now], [{ name: "a", vmstate: 0 }, null, now], [{ name: "a" }, { name: 7 }, now]]) {
    assert.equal(snapshotsOf(list, "vm"), undefined, JSON.stringify(list));
  }
  const quorum = (data: unknown): unknown => clusterOf({ data, date: undefined, kind: "data" }).quorum;
  assert.equal(quorum([clusterEntry(1), node("pve1")]), "present");
  for (const odd of [null, 7]) {
    assert.deepEqual(quorum([clusterEntry(1), node("pve1"), odd]), { diagnostic: { code: "answer-not-a-list" } });
  }
});

test("of a row that cannot be used the beginning of what it says is quoted", () => {
  const rowIn = (entry: unknown) => {
    const list = whereaboutsOf([null, entry]);
    assert.ok(list.kind === "list" && list.unread === 1, "what is no row is counted");
    return list.rows.get(vmid(101));
  };
  const at = rowIn(row(101, { status: LONG }));
  assert.equal(at?.kind === "at" && at.lastReport, LONG.slice(0, 40));
  const because = (entry: object): unknown => {
    const found = rowIn(row(101, entry));
    return found?.kind === "doubtful" && found.because;
  };
  assert.deepEqual(because({ node: `${LONG}.` }), { code: "node-impossible", said: LONG.slice(0, 60) });
  assert.deepEqual(because({ node: 7 }), { code: "node-impossible" });
});

test("a task is of a VM whose number is written plainly", () => {
  const of = (id: string): unknown => parseUpid(`UPID:pve1:0000A1B2:00C3D4E5:6740A1B2:qmstart:${id}:root@pam:`)?.vmid;
  assert.equal(of("101"), 101);
  for (const id of ["0101", "1e2", "0x65", "0", "1000000000"]) assert.equal(of(id), undefined, id);
});

test("a part without a key, and one whose key is empty, go under the empty name", () => {
  assert.deepEqual(
    [...partsOf("a,b=c=d")],
    [
      ["", "a"],
      ["b", "c=d"],
    ],
  );
  assert.deepEqual([...partsOf("=a")], [["", "a"]]);
});
