// What a day at the terminal asks for: what waits and for whom, what was applied, what differs, and the command that
// goes on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, type PlanValue, planned, THREE_NODES, WANTED } from "./cluster.ts";

type Plans = {
  readonly plans: readonly {
    readonly does: readonly { readonly action: string; readonly count: number; readonly name?: string }[];
    readonly id: string;
    readonly status: string;
  }[];
};
type Status = {
  readonly freezes: readonly { readonly reason: string }[];
  readonly waiting: readonly {
    readonly by: string;
    readonly needed: number;
    readonly ownCounts: boolean;
    readonly planId: string;
    readonly step: number;
    readonly vmid: number;
  }[];
};
type Listed = {
  readonly vms: readonly {
    readonly observed?: {
      readonly appliedSince?: { readonly action: string };
      readonly at: string;
      readonly vmStatus: string;
    };
    readonly vmid: number;
  }[];
};
type Explained = {
  readonly compared?: readonly { readonly attribute: string; readonly desired: unknown; readonly seen?: unknown }[];
};
type History = {
  readonly events: readonly {
    readonly answer?: { readonly kind: string };
    readonly intent?: string;
    readonly kind: string;
    readonly planId?: string;
    readonly reference?: string;
  }[];
};

const seen = async ({ value }: Cluster, vmid: number) =>
  (await value<Listed>("list")).vms.find((vm) => vm.vmid === vmid)?.observed;
/** Written and waiting: batch-01 runs with 4 CPUs, and is to have 2. */
const SMALLER = WANTED.replace("batch-01, target: running", "batch-01, target: running, cpus: 2");

test("plans says how each plan stands and what it does", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    await applied(cluster, (await value<PlanValue>("plan")).id);
    await value("plan");
    await planned(cluster, "stop", 103);
    await planned(cluster, "stop", 102);
    const denied = await planned(cluster, "reboot", 102);
    await dedalus("deny", denied.id, "--step", "1", "--reason", "not now");
    const canceled = await planned(cluster, "reboot", 105);
    await dedalus("cancel", canceled.id, "--reason", "not at all");
    await planned(cluster, "suspend", 105);
    const { plans } = await value<Plans>("plans");
    assert.deepEqual(
      plans.map(({ does: [first], status }) => [status, first?.action, first?.name]),
      [
        ["applied", "vm.start", "web-01"],
        ["nothing-to-do", undefined, undefined],
        ["refused", "vm.stop", "prod-db"],
        ["awaiting-approval", "vm.stop", "batch-01"],
        ["denied", "vm.reboot", "batch-01"],
        ["canceled", "vm.reboot", "cache-01"],
        ["planned", "vm.suspend", "cache-01"],
      ],
    );
    const { out } = await dedalus("plans");
    assert.match(out, /home {2}nothing to do {2,}- /);
    assert.match(out, /home {2}awaiting approval {2}power off batch-01 /);
  });
});

test("plans counts what a plan of several steps does", async () => {
  await atCluster(
    async ({ dedalus, value }) => {
      await value("plan");
      assert.match((await dedalus("plans")).out, /home {2}awaiting approval {2}\+1 ~1 -1 /);
    },
    { wanted: SMALLER.replace("cache-01, target: running", "cache-01, target: stopped, stop: power-off") },
  );
});

test("status alone leads whoever is asked to approve to the plan and the step, and only while it waits", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const low = await planned(cluster, "reboot", 105);
    const { id } = await planned(cluster, "stop", 102);
    const [step, ...others] = (await value<Status>("status")).waiting;
    assert.deepEqual(others, [], `and not ${low.id}, which waits for nobody`);
    assert.deepEqual([step?.planId, step?.step, step?.vmid, step?.by], [id, 1, 102, "alice"]);
    assert.deepEqual([step?.needed, step?.ownCounts], [1, true]);
    const { code, out } = await dedalus("status");
    assert.equal(code, 0, "what waits for an approval is no failure");
    const pasted = /dedalus (approve [0-9A-Z]{26} --step 1) --reason "…"/.exec(out)?.[1] ?? assert.fail(out);
    assert.deepEqual((await value<Status>("status", "--vm", "101")).waiting, []);
    assert.equal((await dedalus(...pasted.split(" "), "--reason", "agreed")).code, 0);
    assert.deepEqual((await value<Status>("status")).waiting, []);
  });
});

test("status of a frozen environment has every reason, and the command that lifts them", async () => {
  await atCluster(async ({ dedalus, value }) => {
    await dedalus("freeze", "--env", "home", "--reason", "disk is full");
    await dedalus("freeze", "--env", "home", "--reason", "audit");
    assert.deepEqual(
      (await value<Status>("status")).freezes.map(({ reason }) => reason),
      ["disk is full", "audit"],
    );
    const { out } = await dedalus("status");
    assert.deepEqual(out.match(/dedalus unfreeze --env home --reason "…"/g)?.length, 1);
    assert.equal((await dedalus("unfreeze", "--env", "home", "--reason", "done")).code, 0);
    assert.deepEqual((await value<Status>("status")).freezes, []);
    assert.doesNotMatch((await dedalus("status")).out, /unfreeze/);
  });
});

test("list shows what an apply has proven since the observation", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    await dedalus("observe");
    const before = await seen(cluster, 101);
    assert.equal(before?.vmStatus, "stopped");
    await applied(cluster, (await planned(cluster, "start", 101)).id);
    const started = await seen(cluster, 101);
    assert.equal(started?.vmStatus, "running");
    assert.ok((started?.at ?? "") > (before?.at ?? ""));
    await applied(cluster, (await planned(cluster, "suspend", 101)).id);
    assert.equal((await seen(cluster, 101))?.vmStatus, "paused");
    await applied(cluster, (await planned(cluster, "snapshot.create", 102, "--snapshot", "before")).id);
    const after = await seen(cluster, 102);
    assert.deepEqual([after?.vmStatus, after?.appliedSince?.action], ["running", "vm.snapshot.create"]);
    assert.match((await dedalus("list")).out, /batch-01 .*, before snapshot[^\n]* succeeded\n/);
    await value("observe");
    assert.equal((await seen(cluster, 102))?.appliedSince, undefined, "a newer observation has seen what it did");
  });
});

test("list does not show an outcome that nobody knows as what the VM is", async () => {
  await atCluster(
    async (cluster) => {
      await applied(cluster, (await planned(cluster, "start", 101)).id);
      const unclear = await seen(cluster, 101);
      assert.deepEqual([unclear?.vmStatus, unclear?.appliedSince?.action], ["stopped", "vm.start"]);
    },
    {
      scenario: THREE_NODES.replace("faults: []", "faults:\n  - { on: { call: start }, fate: { kind: verdict-lost } }"),
    },
  );
});

test("drift speaks in differences, and of what waits for a restart as that", async () => {
  await atCluster(
    async (cluster) => {
      const { dedalus, value } = cluster;
      const first = await dedalus("drift");
      assert.equal(first.code, 4);
      assert.match(first.out, /~ 101 {2}web-01: stopped, desired running\n/);
      assert.match(first.out, /~ 102 {2}batch-01: cpus 4, desired 2\n/);
      const { id } = await planned(cluster, "resize", 102, "--cpus", "2");
      await applied(cluster, id);
      await applied(cluster, (await planned(cluster, "start", 101)).id);
      for (const command of ["drift", "plan"]) {
        const { code, out } = await dedalus(command);
        assert.equal(code, 4, out);
        assert.match(out, /~ 102 {2}cpus 2 is written and waits for a restart\n {2,}dedalus reboot 102 --env home\n/);
        assert.doesNotMatch(out, /refused:/);
        assert.deepEqual(codesIn(await value(command)), ["waits-for-restart"]);
      }
      assert.match((await dedalus("drift")).out, /^home: 1 drifted, 0 refused, 4 in sync/m);
    },
    { wanted: SMALLER },
  );
});

test("plan lists each VM once, with its tier, and says how it goes on", async () => {
  await atCluster(async (cluster) => {
    const { dedalus } = cluster;
    const { out } = await dedalus("plan");
    assert.equal(out.match(/\b101\b/g)?.length, 1, out);
    assert.match(out, /\+ 101 {2}start web-01: stopped → running {2}\[low\] {2}step 1\n/);
    assert.match(out, /\nnext: dedalus apply\n$/);
    const refused = (await dedalus("plan", "--action", "stop", "--vm", "103")).out;
    assert.match(refused, /- 103 {2}power off prod-db: running → stopped {2}\[high\]/);
    assert.doesNotMatch(
      refused,
      /dedalus (approve|apply)/,
      "nothing that anybody does makes a refused plan applicable",
    );
    const waits = (await dedalus("plan", "--action", "stop", "--vm", "102")).out;
    assert.match(waits, /\[high\] {2}step 1, awaiting approval, approvals 0 of 1\n/);
    assert.doesNotMatch(waits, /dedalus apply/);
  });
});

test("a new token comes with what its owner does next", async () => {
  await atCluster(async ({ dedalus }) => {
    const { out } = await dedalus("token", "create", "--name", "bob", "--role", "approver", "--days", "9");
    assert.match(out, /export DEDALUS_TOKEN\n +dedalus whoami\n/);
  });
});

test("history has what a plan answered, and the names of what was done", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const { id } = await value<PlanValue>("plan");
    await value("plan");
    await applied(cluster, id);
    const { events } = await value<History>("history", "web-01");
    assert.deepEqual(
      events.map(({ answer, kind, planId }) => [kind, answer?.kind, planId]),
      [
        ["plan", "step", undefined],
        ["plan", undefined, id],
        ["challenge", undefined, id],
        ["apply", undefined, id],
        ["dispatched", undefined, undefined],
        ["outcome", undefined, undefined],
      ],
    );
    const reference = events.at(-2)?.reference ?? "";
    assert.match(reference, /^UPID:pve1:/);
    assert.equal(events.at(-1)?.reference, reference);
    const { out } = await dedalus("history", "web-01");
    assert.match(out, /plan +alice +start web-01: stopped → running {2}plan /);
    assert.match(out, new RegExp(`apply +alice .* intent ${events.at(-1)?.intent}\\n`));
    assert.match(
      (await dedalus("status")).out,
      new RegExp(`intent ${events.at(-1)?.intent}, ${reference.slice(0, 20)}`),
    );
  });
});

test("explain of a VM in sync has what is desired beside what was observed", async () => {
  await atCluster(
    async ({ dedalus, value }) => {
      await value("plan");
      const { compared } = await value<Explained>("explain", "latest", "--vm", "105");
      assert.deepEqual(compared, [
        { attribute: "target", desired: "running", seen: "running" },
        { attribute: "name", desired: "cache-01", seen: "cache-01" },
        { attribute: "memory", desired: 2 * 1024 ** 3, seen: 2 * 1024 ** 3 },
      ]);
      assert.match((await dedalus("explain", "latest", "--vm", "105")).out, /memory: desired 2 GiB, observed 2 GiB\n/);
      assert.equal((await value<Explained>("explain", "latest", "--vm", "101")).compared, undefined, "a step says it");
    },
    { wanted: WANTED.replace("cache-01, target: running", "cache-01, target: running, memory: 2 GiB") },
  );
});
