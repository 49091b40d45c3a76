// The source as a whole: what it asks, how much at a time, and that nothing in it ticks.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { GUESTS_PER_NODE } from "../../../src/adapters/proxmox/observe/pve-source.ts";
import { snapshotsOf } from "../../../src/adapters/proxmox/observe/snapshot-list.ts";
import { wantedFor } from "../../../src/kernel/apply/perform-apply.ts";
import type { ActionKind, VmState } from "../../../src/spine/model.ts";
import {
  CALM,
  config,
  configAt,
  containerConfig,
  node,
  row,
  running,
  sourceFor,
  statusAt,
  stopped,
  vmid,
} from "./answers.ts";
import { type Answers, openProvider, type Written } from "./provider.ts";

const signal = new AbortController().signal;

const one = async (t: TestContext, answers: Answers): Promise<VmState> => {
  const provider = await openProvider(t, { ...CALM, ...answers });
  const { vms } = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
  assert.equal(vms.length, 1);
  return vms[0] as VmState;
};
const blocker = (state: VmState, kind: ActionKind): string | undefined => {
  const { code, facts = {} } = state.blockers?.find(({ actions }) => actions === "all" || actions.includes(kind)) ?? {};
  return code === undefined ? undefined : [code, ...Object.values(facts)].join(" ");
};

test("observing sends nothing but GET, even when everything goes wrong", async (t) => {
  const worlds: readonly Answers[] = [
    CALM,
    {},
    { ...CALM, ...statusAt({ reason: "no", status: 500 }) },
    { ...CALM, "GET /cluster/resources?type=vm": { data: [] } },
  ];
  for (const answers of worlds) {
    const provider = await openProvider(t, answers);
    await sourceFor(provider).observe([{ vmid: vmid(101) }, { vmid: vmid(102) }], signal, ["snapshots"]);
    assert.ok(provider.asked.length >= 2);
    assert.deepEqual([...new Set(provider.asked.map(({ verb }) => verb))], ["GET"]);
    assert.ok(provider.asked.every(({ body }) => body === ""));
  }
});

test("only the wanted VMs are looked at", async (t) => {
  const provider = await openProvider(t, {
    ...CALM,
    "GET /cluster/resources?type=vm": { data: [row(101), row(102), row(103)] },
  });
  await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
  assert.deepEqual(
    provider.asked.filter(({ what }) => /10[23]/.test(what)),
    [],
  );
  assert.equal(provider.asked.length, 5);
});

test("an observation that is complete for a VM proves no other vmid free; one that is asked for a clone's vmid says so", async (t) => {
  const rights = { "/vms/101": { "VM.Audit": 1 } };
  const provider = await openProvider(t, { ...CALM, "GET /access/permissions": { data: rights } });
  const source = sourceFor(provider);
  assert.equal((await source.observe([{ vmid: vmid(101) }], signal)).complete, true);
  const clone = { kind: "vm.clone", name: "web-09", to: vmid(109) } as const;
  const { complete, gaps } = await source.observe(
    wantedFor(clone, vmid(101)).map((id) => ({ vmid: id })),
    signal,
  );
  assert.equal(complete, false);
  assert.deepEqual(
    gaps.map(({ code, facts }) => [code, facts?.["vm"]]),
    [["vm-not-visible", 109]],
  );
});

test("two observations of an unchanged VM are equal, whatever counts on", async (t) => {
  let observations = 0;
  const provider = await openProvider(t, {
    ...CALM,
    "GET /nodes/pve1/qemu/101/status/current": () => {
      observations += 1;
      return {
        data: running(101, {
          cpu: observations / 7,
          mem: observations,
          netin: observations * 1000,
          uptime: 256 + observations * 33,
        }),
      };
    },
  });
  const source = sourceFor(provider);
  const [first, second] = [
    await source.observe([{ vmid: vmid(101) }], signal),
    await source.observe([{ vmid: vmid(101) }], signal),
  ];
  assert.equal(observations, 2);
  assert.deepEqual(first, second);
});

test("a VM that was started anew has another boot, and a pause leaves it as it was", async (t) => {
  const before = await one(t, statusAt({ data: running(101) }));
  const paused = await one(t, statusAt({ data: running(101, { qmpstatus: "paused" }) }));
  const anew = await one(t, statusAt({ data: running(101, { pid: 580, uptime: 3 }) }));
  assert.equal(before.boot, "pve1:579");
  assert.equal(paused.boot, before.boot);
  assert.notEqual(anew.boot, before.boot);
  assert.equal((await one(t, {})).boot, undefined);
});

test("without a process id a reboot could not be proven, so it is not begun", async (t) => {
  const state = await one(t, statusAt({ data: running(101, { pid: undefined }) }));
  assert.equal(blocker(state, "vm.reboot"), "process-not-shown");
  assert.equal(blocker(await one(t, statusAt({ data: running(101) })), "vm.reboot"), undefined);
});

test("a task that is at work on a VM blocks everything, and a console does not", async (t) => {
  const task = (type: string, more: object = {}): object => ({
    id: "101",
    node: "pve1",
    upid: `UPID:pve1:000003F7:0002929E:6AFA32FB:${type}:101:root@pam:`,
    ...more,
  });
  const busy = await one(t, { "GET /nodes/pve1/tasks": { data: [task("qmshutdown"), task("vncproxy")] } });
  assert.equal(blocker(busy, "vm.start"), "task-at-work qmshutdown");
  const idle = await one(t, {
    "GET /nodes/pve1/tasks": { data: [task("vncproxy"), task("qmstart", { endtime: 1794781947, status: "OK" })] },
  });
  assert.equal(blocker(idle, "vm.start"), undefined);
});

test("a VM under HA is judged where that can be judged", async (t) => {
  const under = (ha: object): Promise<VmState> => one(t, statusAt({ data: stopped(101, { ha }) }));
  assert.equal(blocker(await under({ managed: 1, state: "stopped" }), "vm.start"), undefined);
  assert.equal(blocker(await under({ managed: 1, state: "stopped" }), "vm.delete"), "ha-managed");
  assert.equal(blocker(await under({ managed: 1, state: "fence" }), "vm.start"), "ha-at-work fence");
  assert.equal(blocker(await under({ managed: 1 }), "vm.start"), "ha-at-work unknown");
});

test("sizes are the plugged processors and the memory in bytes, in every form PVE writes", async (t) => {
  const sizes = async (more: Record<string, unknown>): Promise<unknown> => {
    const { cpus, maxmem } = await one(t, configAt({ data: config(101, more) }));
    return [cpus, maxmem];
  };
  assert.deepEqual(await sizes({ cores: 4, sockets: 2 }), [8, 536870912]);
  assert.deepEqual(await sizes({ cores: "4", sockets: undefined }), [4, 536870912]);
  assert.deepEqual(await sizes({ cores: 4, sockets: 2, vcpus: 3 }), [3, 536870912]);
  assert.deepEqual(await sizes({ memory: "current=2048" }), [2, 2147483648]);
  assert.deepEqual(await sizes({ memory: 2048 }), [2, 2147483648]);
});

test("a resize is hot only where the hotplug settings cover both sizes", async (t) => {
  const up = statusAt({ data: running(101) });
  const manner = async (more: Record<string, unknown>): Promise<unknown> => {
    const state = await one(t, { ...up, ...configAt({ data: config(101, more) }) });
    return [state.resize, blocker(state, "vm.resize") === undefined];
  };
  assert.deepEqual(await manner({}), [undefined, true]);
  assert.deepEqual(await manner({ hotplug: "network,disk,usb" }), [undefined, true]);
  assert.deepEqual(await manner({ cores: 8, hotplug: "cpu,memory", numa: 1, vcpus: 2 }), ["hot", true]);
  assert.deepEqual(await manner({ cores: 8, hotplug: "cpu,memory", numa: 1 }), [undefined, false]);
  assert.deepEqual(await manner({ cores: 8, hotplug: "cpu,memory", vcpus: 2 }), [undefined, false]);
  assert.deepEqual(await manner({ cores: 8, hotplug: "cpu", vcpus: 2 }), [undefined, false]);
});

const CONTAINER: Answers = {
  "GET /cluster/resources?type=vm": { data: [row(101, { id: "lxc/101", name: "ct-101", type: "lxc" })] },
  "GET /nodes/pve1/lxc/101/pending": { data: containerConfig(101) },
  "GET /nodes/pve1/lxc/101/status/current": {
    data: { cpus: 1, ha: { managed: 0 }, name: "ct-101", pid: 4711, status: "running", type: "lxc", vmid: 101 },
  },
};

test("a container is seen as one, and what PVE does not show of it is not done", async (t) => {
  const state = await one(t, CONTAINER);
  assert.deepEqual(
    [state.kind, state.status, state.cpus, state.maxmem, state.boot],
    ["ct", "running", 1, 536870912, "pve1:4711"],
  );
  assert.equal(state.identity, "rootfs local:101/vm-101-disk-0.raw, hostname ct-101");
  for (const kind of ["vm.reset", "vm.suspend", "vm.resume", "vm.resize"] as const) {
    assert.notEqual(blocker(state, kind), undefined, kind);
  }
  assert.equal(blocker(state, "vm.shutdown"), undefined);
});

test("which snapshots hold RAM is told for VMs that say it of all, never for containers, and never guessed", () => {
  const entry = (name: string, more: object = {}) => ({ description: "", name, snaptime: 1, ...more });
  const told = (kind: "ct" | "vm", ...entries: readonly object[]) =>
    snapshotsOf([...entries, { digest: "d", name: "current", running: 0 }], kind);
  const both = [entry("s2", { vmstate: 1 }), entry("s1", { vmstate: 0 })];
  assert.deepEqual(told("vm", ...both), { names: ["s1", "s2"], withRam: ["s2"] });
  assert.deepEqual(told("vm"), { names: [], withRam: [] });
  assert.deepEqual(told("vm", entry("s1", { vmstate: "1" })), { names: ["s1"], withRam: ["s1"] });
  for (const odd of [undefined, null, 2, "", true, "local:101/state.raw"]) {
    assert.deepEqual(told("vm", ...both, entry("s3", { vmstate: odd })), { names: ["s1", "s2", "s3"] });
  }
  assert.deepEqual(told("ct", entry("s1")), { names: ["s1"], withRam: [] });
});

test("snapshots are listed when they are asked for, in order and with the parent", async (t) => {
  const list = [
    { name: "s2", parent: "before-upgrade", snaptime: 2 },
    { name: "before-upgrade", snaptime: 1 },
    { digest: "x", name: "current", parent: "s2", running: 0 },
  ];
  const provider = await openProvider(t, { ...CALM, "GET /nodes/pve1/qemu/101/snapshot": { data: list } });
  const asked = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal, ["snapshots"]);
  const plain = await sourceFor(provider).observe([{ vmid: vmid(101) }], signal);
  assert.deepEqual(asked.vms[0]?.snapshots, { names: ["before-upgrade", "s2"], parent: "s2" });
  assert.equal(plain.vms[0]?.snapshots, undefined);
  const torn = await openProvider(t, { ...CALM, "GET /nodes/pve1/qemu/101/snapshot": { data: [list[1], list[2]] } });
  assert.equal(
    (await sourceFor(torn).observe([{ vmid: vmid(101) }], signal, ["snapshots"])).vms[0]?.snapshots,
    undefined,
  );
});

const fleet = (ids: readonly number[], nodeOf: (id: number) => string): Answers => ({
  ...CALM,
  "GET /cluster/resources?type=vm": { data: ids.map((id) => row(id, { node: nodeOf(id) })) },
  "GET /cluster/status": { data: [node("pve1")] },
  ...Object.fromEntries(
    ids.flatMap((id) => [
      [`GET /nodes/${nodeOf(id)}/qemu/${id}/status/current`, { data: stopped(id) }],
      [`GET /nodes/${nodeOf(id)}/qemu/${id}/pending`, { data: config(id) }],
    ]),
  ),
});

test("no more VMs of one node are looked at together than its bound, and progress is told for each", async (t) => {
  const ids = Array.from({ length: 30 }, (_, at) => 101 + at);
  let under = 0;
  let most = 0;
  const slow = Object.fromEntries(
    ids.map((id) => [
      `GET /nodes/pve1/qemu/${id}/status/current`,
      {
        raw: (response: { end: (text: string) => unknown }) => {
          under += 1;
          most = Math.max(most, under);
          setTimeout(() => {
            under -= 1;
            response.end(JSON.stringify({ data: stopped(id) }));
          }, 3);
        },
      },
    ]),
  );
  const provider = await openProvider(t, { ...fleet(ids, () => "pve1"), ...slow });
  const told: number[] = [];
  const source = sourceFor(provider, undefined, { onProgress: ({ observed, wanted }) => told.push(observed, wanted) });
  const { vms } = await source.observe(
    ids.map((id) => ({ vmid: vmid(id) })),
    signal,
  );
  assert.equal(vms.filter(({ status }) => status === "stopped").length, 30);
  assert.equal(most, GUESTS_PER_NODE);
  assert.deepEqual(told.slice(-2), [30, 30]);
});

test("a node that never answers is given up after its first VMs, and delays nobody meanwhile", async (t) => {
  const ids = Array.from({ length: 40 }, (_, at) => 101 + at);
  const isDead = (id: number): boolean => id > 120;
  const held: (() => void)[] = [];
  let seen = 0;
  // The silent node breaks down only when every VM of the other one has been seen.
  const silence: Written = {
    raw: (response) => {
      if (seen < 20) held.push(() => response.destroy());
      else response.destroy();
    },
  };
  const onSeen = (): void => {
    seen += 1;
    if (seen === 20) for (const cut of held) cut();
  };
  const silent = Object.fromEntries(
    ids.filter(isDead).flatMap((id) => [
      [`GET /nodes/pve2/qemu/${id}/status/current`, silence],
      [`GET /nodes/pve2/qemu/${id}/pending`, silence],
    ]),
  );
  const provider = await openProvider(t, { ...fleet(ids, (id) => (isDead(id) ? "pve2" : "pve1")), ...silent });
  const { vms } = await sourceFor(provider, undefined, { onSeen }).observe(
    ids.map((id) => ({ vmid: vmid(id) })),
    signal,
  );
  assert.deepEqual(
    [...new Set(vms.map(({ status, vmid: id }) => `${isDead(id)} ${status}`))],
    ["false stopped", "true unknown"],
  );
  const asked = provider.asked.filter(({ what }) => what.includes("pve2") && what.includes("status/current"));
  assert.equal(asked.length, GUESTS_PER_NODE);
});

test("an observation that is broken off says so for every VM that it did not see", async (t) => {
  const abort = new AbortController();
  const provider = await openProvider(t, { ...CALM, ...statusAt({ raw: () => abort.abort() }) });
  const seen = await sourceFor(provider).observe([{ vmid: vmid(101) }], abort.signal);
  assert.equal(seen.vms[0]?.because?.code, "node-silent");
});
