// What is refused on a live place, from end to end: the plan says why, and no call that changes anything is made.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, type PlanValue, planned, THREE_NODES, WANTED } from "./cluster.ts";

const answerOf = ({ plan }: PlanValue, vmid: number): unknown => plan.answers.find((answer) => answer.vmid === vmid);

/** Refused as planned, and what comes of the plan is not applied either. */
const refusedFor = async (cluster: Cluster, action: string, vmid: number, because: RegExp): Promise<void> => {
  const plan = await planned(cluster, action, vmid);
  assert.equal(plan.plan.answers[0]?.kind, "refusal", JSON.stringify(plan));
  assert.match(JSON.stringify(answerOf(plan, vmid)), because);
  assert.deepEqual(plan.steps, []);
  assert.deepEqual(cluster.mutations(), []);
};

test("N2 a VM named prod- is not stopped, shut down, rebooted or deleted, and is started", async () => {
  await atCluster(async (cluster) => {
    for (const action of ["vm.stop", "vm.shutdown", "vm.reboot", "vm.reset", "vm.suspend"]) {
      const plan = await planned(cluster, action, 103);
      assert.equal(plan.verdict.kind, "refused", action);
      assert.ok(codesIn(plan).includes("production-touched"), action);
      assert.equal(plan.applicable, false);
      assert.ok(codesIn(await applied(cluster, plan.id)).length > 0, `${action} is not applied`);
    }
    assert.deepEqual(cluster.mutations(), []);
    cluster.simulator.change({ kind: "stops", vmid: 103 });
    const start = await planned(cluster, "vm.start", 103);
    assert.equal((await applied(cluster, start.id)).applied?.[0]?.result.outcome, "succeeded");
  });
});

test("N1 a VM on a dead node is unknown: the plan for all is refused, a narrowed one is not", async () => {
  await atCluster(async (cluster) => {
    cluster.simulator.change({ kind: "node-dies", node: "pve3" });
    const all = await cluster.dedalus("plan", "--env", "home");
    assert.equal(all.code, 3);
    assert.match(all.out, /! 105 {2}refused: .+ \(N1, vm-unknown\)/);
    assert.match(all.out, /truth-incomplete/);
    const id = /^plan ([0-9A-Z]{26})$/m.exec(all.out)?.[1] ?? assert.fail(all.out);
    assert.ok(codesIn(await applied(cluster, id)).includes("plan-refused"));
    const some = await cluster.value<PlanValue>("plan", "--env", "home", "--only", "101,102,200");
    assert.equal(some.verdict.kind, "clear");
    assert.equal((await applied(cluster, some.id)).applied?.[0]?.result.outcome, "succeeded");
    assert.equal(cluster.mutations().length, 1);
  });
});

test("without quorum nothing is planned, not even what Proxmox VE would still do", async () => {
  await atCluster(async (cluster) => {
    cluster.simulator.change({ kind: "quorum-lost" });
    await refusedFor(cluster, "vm.stop", 102, /"cause":"quorum-lost"/);
    await refusedFor(cluster, "vm.shutdown", 102, /"cause":"quorum-lost"/);
    await refusedFor(cluster, "vm.start", 101, /"cause":"quorum-lost"/);
    cluster.simulator.change({ kind: "quorum-returns" });
    assert.equal((await planned(cluster, "vm.start", 101)).applicable, true);
  });
});

const MORE = WANTED.replace(
  "  - { vmid: 200",
  `  - { vmid: 104, name: build-01, target: running }
  - { vmid: 106, name: backup-01, target: running }
  - { vmid: 107, name: golden, target: running }
  - { vmid: 200`,
);

test("a lock is named, a template is not started, a paused guest is not shut down, a silent monitor is not trusted", async () => {
  await atCluster(
    async (cluster) => {
      await refusedFor(cluster, "vm.start", 106, /"cause":"locked".*"lock":"backup"/);
      await refusedFor(cluster, "vm.start", 107, /"cause":"template"/);
      await refusedFor(cluster, "vm.shutdown", 104, /paused/);
      cluster.simulator.change({ kind: "monitor-hangs", vmid: 105 });
      await refusedFor(cluster, "vm.shutdown", 105, /"cause":"monitor-silent"/);
      cluster.simulator.change({ key: "lock", kind: "unset", vmid: 106 });
      assert.equal((await planned(cluster, "vm.start", 106)).applicable, true, "the lock was all");
    },
    { wanted: MORE },
  );
});

test("N8 another VM under the same vmid and name is not the one that was planned on", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    cluster.simulator.change({ kind: "replaced", vmid: 101 });
    const { applied: [one] = [] } = await applied(cluster, id);
    assert.deepEqual([one?.result.outcome, one?.result.cause], ["failed", "vm-changed"]);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("N8 a VM with another name than the desired one is left alone", async () => {
  await atCluster(async (cluster) => {
    cluster.simulator.change({ kind: "renamed", name: "other", vmid: 101 });
    await refusedFor(cluster, "vm.start", 101, /name/);
  });
});

test("a VM that nobody registered is neither acted on nor looked at", async () => {
  await atCluster(async (cluster) => {
    assert.ok(codesIn(await planned(cluster, "vm.resume", 104)).includes("vm-not-desired"));
    assert.ok(!cluster.simulator.requests().some(({ path }) => path.includes("/104/")), "nor is it looked at");
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a VM that is missing is refused alone, and only a complete observation calls it missing", async () => {
  await atCluster(async (cluster) => {
    cluster.simulator.change({ kind: "disappears", vmid: 102 });
    const plan = await cluster.dedalus("plan", "--env", "home");
    assert.match(plan.out, /! 102 {2}refused: .+ \(N1, vm-missing\)/);
    assert.match(plan.out, /verdict clear/);
    assert.match(plan.out, / \+ 101 {2}start web-01: /);
  });
});

test("a token that may not see everything makes no VM missing", async () => {
  const scenario = THREE_NODES.replace(
    "{ path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
    "{ path: /vms/101, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
  );
  await atCluster(
    async (cluster) => {
      const plan = await cluster.dedalus("plan", "--env", "home");
      assert.equal(plan.code, 3);
      assert.doesNotMatch(plan.out, /vm-missing/);
      assert.match(plan.out, /! 102 {2}refused: .+ \(N1, vm-unknown\)/);
    },
    { scenario },
  );
});

test("a provider that does not answer, or is not the pinned one, gives nothing to plan on", async () => {
  await atCluster(async (cluster) => {
    await cluster.simulator.stop();
    const { out, code } = await cluster.dedalus("plan", "--env", "home");
    assert.equal(code, 8);
    assert.match(out, /0 steps, 5 refusals, 0 in sync/);
    assert.match(out, /truth-incomplete/);
  });
});

test("a snapshot's name that Proxmox VE forbids is refused when it is planned, for VMs and containers", async () => {
  await atCluster(async (cluster) => {
    for (const [vmid, name, because] of [
      [102, "1x", /"cause":"snapshot-name-unfit"/],
      [102, "current", /"cause":"snapshot-name-reserved".*"snapshot":"current"/],
      [102, "a".repeat(45), /"max":40,"min":2/],
      [200, "1x", /"cause":"snapshot-name-unfit"/],
      [200, "vzdump", /"cause":"snapshot-name-reserved".*"snapshot":"vzdump"/],
    ] as const) {
      const plan = await planned(cluster, "vm.snapshot.create", vmid, "--snapshot", name);
      assert.equal(plan.plan.answers[0]?.kind, "refusal", name);
      assert.match(JSON.stringify(answerOf(plan, vmid)), because);
      assert.match(JSON.stringify(answerOf(plan, vmid)), /"code":"blocked-by-provider"/);
    }
    assert.deepEqual(cluster.mutations(), []);
    const good = await planned(cluster, "vm.snapshot.create", 102, "--snapshot", "vzdump");
    assert.equal((await applied(cluster, good.id)).applied?.[0]?.result.outcome, "succeeded");
  });
});

test("an environment without a credential to apply with is planned for and not applied to", async () => {
  await atCluster(async (cluster) => {
    const file = join(cluster.folder, "dedalus.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("      apply: { file: secrets/apply }\n", ""));
    const { id } = await planned(cluster, "vm.start", 101);
    assert.deepEqual(codesIn(await applied(cluster, id)), ["adapter-unavailable"]);
    assert.deepEqual(cluster.mutations(), []);
    writeFileSync(file, text);
    const again = await planned(cluster, "vm.start", 101);
    assert.equal((await applied(cluster, again.id)).applied?.[0]?.result.outcome, "succeeded");
  });
});
