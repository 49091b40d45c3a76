// What PVE forbids, rule by rule: the fact that forbids, the actions that it forbids, and the nearest fact that does
// not.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuestRef, NodeName } from "../../../src/adapters/proxmox/api/names.ts";
import type { PveReply } from "../../../src/adapters/proxmox/api/pve-reply.ts";
import { blockersOf, type GuestEvidence } from "../../../src/adapters/proxmox/observe/blockers.ts";
import { clusterOf, type Quorum } from "../../../src/adapters/proxmox/observe/cluster.ts";
import { settingsOf } from "../../../src/adapters/proxmox/observe/guest-config.ts";
import { statusOf } from "../../../src/adapters/proxmox/observe/run-state.ts";
import type { ActionKind } from "../../../src/spine/model.ts";
import { ACTIONS } from "../../../src/spine/rules/actions.ts";
import { clusterEntry, config, containerConfig, node, running, stopped, vmid } from "./answers.ts";

type Facts = {
  readonly atWork?: string;
  readonly config?: Parameters<typeof config>[1];
  readonly kind?: GuestRef["kind"];
  readonly quorum?: Quorum;
  readonly status?: object;
};
const VM = vmid(101);
const KINDS = Object.keys(ACTIONS) as readonly ActionKind[];
const NOT_OFFERED: readonly ActionKind[] = ["vm.clone", "vm.migrate"];

const seenOf = ({
  atWork,
  config: more,
  kind = "vm",
  quorum = "present",
  status = stopped(101),
}: Facts): GuestEvidence => {
  const guest: GuestRef = { kind, node: "pve1" as NodeName, vmid: VM };
  const settings = settingsOf((kind === "vm" ? config : containerConfig)(101, more)) ?? assert.fail("a list");
  const seen = statusOf(status, guest);
  assert.ok(seen.kind === "seen", JSON.stringify(seen));
  return { atWork, guest, newSnapshot: undefined, quorum, settings, status: seen };
};

/** Everything that is forbidden beyond what this adapter never does. */
const forbidden = (facts: Facts): readonly ActionKind[] => {
  const all = blockersOf(seenOf(facts)).flatMap(({ actions }) => (actions === "all" ? KINDS : actions));
  return [...new Set(all)].filter((kind) => !NOT_OFFERED.includes(kind)).sort();
};
const ALL = KINDS.filter((kind) => !NOT_OFFERED.includes(kind)).sort();
const allBut = (...kinds: readonly ActionKind[]): readonly ActionKind[] => ALL.filter((kind) => !kinds.includes(kind));

test("a calm guest is blocked in nothing, and clone and migrate are never offered", () => {
  assert.deepEqual(forbidden({}), []);
  assert.deepEqual(forbidden({ status: running(101) }), []);
  assert.deepEqual(blockersOf(seenOf({})), [{ actions: ["vm.clone", "vm.migrate"], code: "action-not-offered" }]);
});

test("PVE's own protection forbids the deletion alone", () => {
  assert.deepEqual(forbidden({ config: { protection: 1 } }), ["vm.delete"]);
  assert.deepEqual(forbidden({ config: { protection: 0 } }), []);
});

test("a lock forbids everything, wherever it is shown", () => {
  assert.deepEqual(forbidden({ status: stopped(101, { lock: "backup" }) }), ALL);
  assert.deepEqual(forbidden({ config: { lock: "snapshot" } }), ALL);
  assert.deepEqual(forbidden({ status: stopped(101, { lock: "" }) }), []);
});

test("a task at work, a template and a VM without a name forbid everything", () => {
  assert.deepEqual(forbidden({ atWork: "vzdump" }), ALL);
  assert.deepEqual(forbidden({ status: stopped(101, { template: 1 }) }), ALL);
  assert.deepEqual(forbidden({ config: { template: 1 } }), ALL);
  assert.deepEqual(forbidden({ config: { template: 0 } }), []);
  assert.deepEqual(forbidden({ config: { name: undefined } }), ALL);
});

test("without quorum everything is forbidden; where it was not seen, what cannot be taken back", () => {
  assert.deepEqual(forbidden({ quorum: "lost" }), ALL);
  assert.deepEqual(forbidden({ quorum: { diagnostic: { code: "http-refusal", facts: { httpStatus: 595 } } } }), [
    "vm.delete",
    "vm.reboot",
    "vm.shutdown",
    "vm.snapshot.delete",
    "vm.snapshot.rollback",
    "vm.stop",
    "vm.suspend",
  ]);
});

test("a guest that is not known to execute may only be stopped, one that stands still also reset, one that moves nothing", () => {
  assert.deepEqual(forbidden({ status: running(101, { "running-qemu": undefined }) }), allBut("vm.stop"));
  for (const word of [
    "prelaunch",
    "suspended",
    "shutdown",
    "io-error",
    "internal-error",
    "guest-panicked",
    "watchdog",
    "debug",
  ]) {
    assert.deepEqual(forbidden({ status: running(101, { qmpstatus: word }) }), allBut("vm.stop", "vm.reset"), word);
  }
  for (const word of ["inmigrate", "postmigrate", "finish-migrate", "save-vm", "restore-vm", "colo"]) {
    assert.deepEqual(forbidden({ status: running(101, { qmpstatus: word }) }), ALL, word);
  }
  assert.deepEqual(forbidden({ status: running(101, { qmpstatus: "paused" }) }), []);
});

test("the HA manager forbids everything while it works, and at rest what it would undo", () => {
  const managed = (state: string | undefined): object => running(101, { ha: { managed: 1, state } });
  for (const state of ["started", "stopped", "ignored"]) {
    assert.deepEqual(forbidden({ status: managed(state) }), ["vm.delete", "vm.snapshot.rollback"], state);
  }
  for (const state of ["migrate", "error", undefined]) assert.deepEqual(forbidden({ status: managed(state) }), ALL);
  assert.deepEqual(forbidden({ status: running(101, { ha: { managed: 0, state: "migrate" } }) }), []);
});

test("a container has no reset and no pause, and running it takes no size", () => {
  const container = (status: string): Facts => ({
    kind: "ct",
    status: { name: "ct-101", pid: 4242, status, vmid: 101 },
  });
  assert.deepEqual(forbidden(container("stopped")), ["vm.reset", "vm.resume", "vm.suspend"]);
  assert.deepEqual(forbidden(container("running")), ["vm.reset", "vm.resize", "vm.resume", "vm.suspend"]);
});

test("a size is not changed where it cannot be said when it takes effect, or what follows", () => {
  const hotplug = "disk,network,usb,memory,cpu";
  const up = running(101);
  assert.deepEqual(forbidden({ config: { hotplug }, status: up }), ["vm.resize"], "memory alone is hot");
  assert.deepEqual(forbidden({ config: { hotplug, numa: 1, vcpus: 2 }, status: up }), [], "both are");
  assert.deepEqual(forbidden({ config: { hotplug, numa: 0, vcpus: 2 }, status: up }), ["vm.resize"]);
  assert.deepEqual(forbidden({ config: { hotplug: "disk", numa: 1, vcpus: 2 }, status: up }), [], "neither is");
  assert.deepEqual(forbidden({ config: { hotplug: "cpu", numa: 1, vcpus: 2 }, status: up }), ["vm.resize"]);
  assert.deepEqual(forbidden({ config: { hotplug } }), [], "a stopped one starts with what is written");
  for (const key of ["cores", "memory", "sockets", "vcpus"]) {
    assert.deepEqual(forbidden({ config: { [key]: { delete: 1, value: 2 } } }), ["vm.resize"], key);
  }
  assert.deepEqual(forbidden({ config: { digest: undefined } }), ["vm.resize"]);
});

test("a reboot is not tried where a restart could not be proven", () => {
  assert.deepEqual(forbidden({ status: running(101, { pid: undefined }) }), ["vm.reboot"]);
  assert.deepEqual(forbidden({ status: stopped(101) }), []);
});

test("what shows nothing of its own is not deleted", () => {
  assert.deepEqual(forbidden({ config: { meta: undefined, smbios1: undefined } }), ["vm.delete"]);
  assert.deepEqual(forbidden({ config: { meta: undefined } }), [], "a uuid alone tells it from others");
});

const data = (list: unknown): PveReply => ({ data: list, date: undefined, kind: "data" });
const quorumOf = (list: unknown): string => {
  const { quorum } = clusterOf(data(list));
  return typeof quorum === "string" ? quorum : "not seen";
};

test("quorum is what a readable list of nodes says, and never assumed", () => {
  assert.equal(quorumOf([node("pve1")]), "present", "a node on its own needs none");
  assert.equal(quorumOf([clusterEntry(1), node("pve1"), node("pve2")]), "present");
  assert.equal(quorumOf([clusterEntry(0), node("pve1"), node("pve2")]), "lost");
  assert.equal(quorumOf([node("pve1"), node("pve2")]), "lost", "two nodes and no cluster");
  for (const list of [[], [clusterEntry(1)], [clusterEntry(1), clusterEntry(1), node("pve1")], {}, [7], undefined]) {
    assert.equal(quorumOf(list), "not seen", JSON.stringify(list));
  }
  const none = clusterOf({ kind: "none", left: false, why: { code: "connection-refused" } });
  assert.deepEqual(none.quorum, { diagnostic: { code: "connection-refused" } });
});

test("nodes that membership does not call online are offline", () => {
  const { offline } = clusterOf(
    data([clusterEntry(1), node("pve1"), node("pve2", { online: 0 }), node("pve3", { online: undefined })]),
  );
  assert.deepEqual([...offline], ["pve2", "pve3"]);
});
