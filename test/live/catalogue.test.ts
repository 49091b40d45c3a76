// Every action that the adapter offers, once on a virtual machine and once on a container: from the request to the
// outcome, over HTTPS, with one call that changes something.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, planned } from "./cluster.ts";

const SCENARIO = `version: 1
seed: 3
pve: "9.2.3"
cluster: lab
nodes: [{ name: pve1 }, { name: pve2 }, { name: pve3 }]
guests:
  - { vmid: 101, node: pve1, name: off-01, status: stopped, cores: 2, memory: 2 GiB }
  - { vmid: 102, node: pve2, name: on-01, status: running, cores: 2, memory: 2 GiB, snapshots: [{ name: warm, ram: true }] }
  - { vmid: 201, kind: ct, node: pve1, name: off-02, status: stopped, cores: 1, memory: 512 MiB }
  - { vmid: 202, kind: ct, node: pve3, name: on-02, status: running, cores: 1, memory: 512 MiB }
users: [{ name: dedalus@pve }]
tokens:
  - { id: dedalus@pve!observe, secret: 11111111-1111-4111-8111-111111111111, privsep: true }
  - { id: dedalus@pve!apply, secret: 22222222-2222-4222-8222-222222222222, privsep: true }
roles:
  - name: Applier
    privileges: [VM.PowerMgmt, VM.Snapshot, VM.Snapshot.Rollback, VM.Config.CPU, VM.Config.Memory, VM.Allocate]
acl:
  - { path: /, who: dedalus@pve, role: Administrator, propagate: true }
  - { path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }
  - { path: /vms, who: dedalus@pve!apply, role: Applier, propagate: true }
`;
const NAMES: Readonly<Record<number, string>> = {
  101: "off-01",
  102: "on-01",
  201: "off-02",
  202: "on-02",
};
const WANTED = `version: 1
environment: home
vms:
${Object.entries(NAMES)
  .map(([vmid, name]) => `  - { vmid: ${vmid}, name: ${name}, target: running }\n`)
  .join("")}`;

const HIGH = new Set(["vm.stop", "vm.reset", "vm.snapshot.rollback", "vm.snapshot.delete", "vm.delete"]);

/** Plans, agrees where the tier asks for it, applies; the outcome and the calls that were made for it. */
const carriedOut = async (cluster: Cluster, action: string, vmid: number, more: readonly string[]) => {
  const before = cluster.mutations().length;
  const plan = await planned(cluster, action, vmid, ...more);
  assert.equal(plan.applicable, true, `${action} ${vmid}: ${JSON.stringify(plan)}`);
  assert.equal(cluster.mutations().length, before, "planning changes nothing");
  const isHigh = HIGH.has(action) || plan.steps[0]?.tier === "high";
  if (isHigh) {
    const unapproved = await applied(cluster, plan.id, ...nameOf(action, vmid));
    assert.ok(codesIn(unapproved).includes("approval-missing"), `${action} needs an approval`);
    assert.equal((await cluster.dedalus("approve", plan.id, "--reason", "wanted")).code, 0);
  }
  const result = await applied(cluster, plan.id, ...nameOf(action, vmid));
  assert.equal(result.applied?.[0]?.result.outcome, "succeeded", `${action} ${vmid}: ${JSON.stringify(result)}`);
  return cluster.mutations().slice(before);
};

const nameOf = (action: string, vmid: number): readonly string[] =>
  action === "vm.delete" ? ["--name", NAMES[vmid] ?? ""] : [];

const run = (vmid: number, { simulator }: Cluster): string => {
  const guest = simulator.world().guests.get(vmid);
  return guest === undefined ? "gone" : guest.run.kind === "running" ? guest.run.state : guest.run.kind;
};

type Row = readonly [action: string, vmid: number, more: readonly string[], call: string, left: string];

const VM: readonly Row[] = [
  ["vm.start", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/start", "running"],
  ["vm.suspend", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/suspend", "paused"],
  ["vm.resume", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/resume", "running"],
  ["vm.reboot", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/reboot", "running"],
  ["vm.reset", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/reset", "running"],
  ["vm.resize", 101, ["--memory", "4GiB", "--cpus", "4"], "POST /api2/json/nodes/pve1/qemu/101/config", "running"],
  ["vm.snapshot.create", 101, ["--snapshot", "before"], "POST /api2/json/nodes/pve1/qemu/101/snapshot", "running"],
  ["vm.shutdown", 101, [], "POST /api2/json/nodes/pve1/qemu/101/status/shutdown", "stopped"],
  [
    "vm.snapshot.rollback",
    101,
    ["--snapshot", "before"],
    "POST /api2/json/nodes/pve1/qemu/101/snapshot/before/rollback",
    "stopped",
  ],
  [
    "vm.snapshot.delete",
    101,
    ["--snapshot", "before"],
    "DELETE /api2/json/nodes/pve1/qemu/101/snapshot/before",
    "stopped",
  ],
  ["vm.stop", 102, [], "POST /api2/json/nodes/pve2/qemu/102/status/stop", "stopped"],
  [
    "vm.snapshot.rollback",
    102,
    ["--snapshot", "warm"],
    "POST /api2/json/nodes/pve2/qemu/102/snapshot/warm/rollback",
    "running",
  ],
  ["vm.delete", 101, [], "DELETE /api2/json/nodes/pve1/qemu/101", "gone"],
];
const CT: readonly Row[] = [
  ["vm.start", 201, [], "POST /api2/json/nodes/pve1/lxc/201/status/start", "running"],
  ["vm.reboot", 201, [], "POST /api2/json/nodes/pve1/lxc/201/status/reboot", "running"],
  ["vm.snapshot.create", 201, ["--snapshot", "before"], "POST /api2/json/nodes/pve1/lxc/201/snapshot", "running"],
  ["vm.shutdown", 201, [], "POST /api2/json/nodes/pve1/lxc/201/status/shutdown", "stopped"],
  ["vm.resize", 201, ["--memory", "1GiB"], "PUT /api2/json/nodes/pve1/lxc/201/config", "stopped"],
  [
    "vm.snapshot.rollback",
    201,
    ["--snapshot", "before"],
    "POST /api2/json/nodes/pve1/lxc/201/snapshot/before/rollback",
    "stopped",
  ],
  [
    "vm.snapshot.delete",
    201,
    ["--snapshot", "before"],
    "DELETE /api2/json/nodes/pve1/lxc/201/snapshot/before",
    "stopped",
  ],
  ["vm.stop", 202, [], "POST /api2/json/nodes/pve3/lxc/202/status/stop", "stopped"],
  ["vm.delete", 201, [], "DELETE /api2/json/nodes/pve1/lxc/201", "gone"],
];

for (const [kind, rows] of [
  ["virtual machine", VM],
  ["container", CT],
] as const) {
  test(`every action of the catalogue is applied to a ${kind} with exactly one call`, async () => {
    await atCluster(
      async (cluster) => {
        for (const [action, vmid, more, call, left] of rows) {
          const calls = await carriedOut(cluster, action, vmid, more);
          assert.deepEqual(
            calls.map((line) => line.replace(/\?.*/, "")),
            [call],
            action,
          );
          assert.equal(run(vmid, cluster), left, action);
        }
        assert.match((await cluster.dedalus("status")).out, /0 open, 0 blocked/);
        assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
        assert.equal((await cluster.dedalus("ledger", "verify")).code, 0);
      },
      { scenario: SCENARIO, wanted: WANTED },
    );
  });
}

test("what a container cannot have proven, and what no adapter offers, is not planned", async () => {
  await atCluster(
    async (cluster) => {
      for (const action of ["vm.reset", "vm.suspend", "vm.resume"]) {
        const plan = await planned(cluster, action, 202);
        assert.equal(plan.plan.answers[0]?.kind, "refusal", action);
      }
      for (const action of ["vm.clone", "vm.migrate"]) {
        assert.deepEqual(codesIn(await planned(cluster, action, 102)), ["action-unknown"]);
      }
      assert.deepEqual(cluster.mutations(), []);
    },
    { scenario: SCENARIO, wanted: WANTED },
  );
});
