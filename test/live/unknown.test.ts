// What is not known is said, blocks its VM, and ends only by an observation that comes late enough. Time is the
// process's own clock, moved by the test runner; the program has no way to move it.

import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import {
  type AppliedValue,
  applied,
  atCluster,
  type Cluster,
  codesIn,
  type PlanValue,
  planned,
  type StatusValue,
  THREE_NODES,
} from "./cluster.ts";

const MINUTE_MS = 60_000;

/** The wall clock goes on from here by hand, and the place's own clock with it. */
const clockOf = (t: TestContext): ((cluster: Cluster, ms: number) => void) => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  t.after(() => mock.timers.reset());
  return ({ simulator }, ms) => {
    mock.timers.tick(ms);
    simulator.advance(ms);
  };
};

const faulty = (fault: string): string => THREE_NODES.replace("faults: []", `faults:\n  - ${fault}`);

const outcomeIn = ({ applied: [one] = [] }: AppliedValue) => one?.result ?? assert.fail("nothing was applied");

const codesOf = ({ diagnostics = [] }: ReturnType<typeof outcomeIn>): readonly string[] =>
  diagnostics.map(({ code }) => code);

const blockedIn = async ({ value }: Cluster): Promise<StatusValue["blocked"][number]> =>
  (await value<StatusValue>("status")).blocked[0] ?? assert.fail("nothing is blocked");

for (const how of ["reset", "html", "cut"]) {
  test(`an answer that is lost (${how}) is found in the node's list, and its verdict is waited for`, async () => {
    await atCluster(
      async (cluster) => {
        const { id } = await planned(cluster, "vm.start", 101);
        const result = outcomeIn(await applied(cluster, id));
        assert.equal(result.outcome, "succeeded", JSON.stringify(result));
        assert.equal(result.cause, "provider-done");
        assert.deepEqual(codesOf(result).slice(-2), ["task-listed", "task-done"]);
        assert.match(result.reference ?? "", /^UPID:pve1:/);
        assert.equal(cluster.mutations().length, 1);
        assert.match((await cluster.dedalus("status")).out, /0 open, 0 blocked/);
        assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
      },
      {
        clock: { kind: "driven", requestMs: 1_000 },
        scenario: faulty(`{ on: { call: start }, fate: { kind: lost-reply, how: ${how} } }`),
      },
    );
  });
}

test("a verdict that is lost is unknown, blocks the VM, and nothing is sent again", async (t) => {
  const pass = clockOf(t);
  await atCluster(
    async (cluster) => {
      const { dedalus, mutations, value } = cluster;
      const { id } = await planned(cluster, "vm.start", 101);
      const result = outcomeIn(await applied(cluster, id));
      assert.equal(result.outcome, "unknown", JSON.stringify(result));
      assert.equal(result.cause, "verdict-unknown");
      assert.deepEqual(codesOf(result), ["task-verdict-lost"]);
      assert.match(result.reference ?? "", /^UPID:pve1:/);
      assert.equal(mutations().length, 1);

      const { settleBy } = await blockedIn(cluster);
      assert.match((await dedalus("status")).out, /\? blocked {2}VM 101 {2}start web-01: outcome unknown/);
      assert.ok(codesIn(await applied(cluster, id)).includes("step-consumed"));
      const other = await planned(cluster, "vm.suspend", 101);
      assert.ok(codesIn(await applied(cluster, other.id)).includes("vm-blocked"));
      const elsewhere = await planned(cluster, "vm.suspend", 102);
      assert.equal(outcomeIn(await applied(cluster, elsewhere.id)).outcome, "succeeded", "others are free");

      const early = await value<AppliedValue>("reconcile", "--env", "home", "--vm", "101");
      assert.deepEqual(codesIn(early), ["reconcile-early"]);
      pass(cluster, Date.parse(settleBy) - Date.now());
      assert.deepEqual(codesIn(await value("reconcile", "--env", "home", "--vm", "101")), ["reconcile-early"]);
      // An observation is as old as its beginning, and here only the wall clock stands still meanwhile.
      pass(cluster, MINUTE_MS);
      const ended = await dedalus("reconcile", "--env", "home", "--vm", "101");
      assert.equal(ended.code, 0, ended.err);
      assert.match(ended.out, /VM 101 web-01 is running; the outcome of start stays unknown/);
      assert.match((await dedalus("status")).out, /0 open, 0 blocked/);
      assert.equal(mutations().length, 2, "the start was sent once, whatever was asked");
      const after = await planned(cluster, "vm.suspend", 101);
      assert.equal(outcomeIn(await applied(cluster, after.id)).outcome, "succeeded", "it is free again");
      assert.match((await dedalus("replay")).out, /every decision comes out the same/);
    },
    {
      clock: { kind: "driven", requestMs: 1_000 },
      scenario: faulty("{ on: { call: start }, fate: { kind: verdict-lost } }"),
    },
  );
});

test("a call that never arrived is unknown too, and the observation afterwards tells that nothing runs", async (t) => {
  const pass = clockOf(t);
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const result = outcomeIn(await applied(cluster, id));
      assert.deepEqual([result.outcome, result.cause], ["unknown", "call-unanswered"]);
      assert.equal(codesOf(result).at(-1), "task-not-listed");
      pass(cluster, 11 * MINUTE_MS);
      assert.match(
        (await cluster.dedalus("reconcile", "--env", "home", "--vm", "101")).out,
        /VM 101 web-01 is stopped/,
      );
      const again = await cluster.value<PlanValue>("plan", "--env", "home", "--only", "101");
      assert.equal(outcomeIn(await applied(cluster, again.id)).outcome, "succeeded", "a new plan is a new decision");
    },
    {
      clock: { kind: "driven", requestMs: 1_000 },
      scenario: faulty("{ on: { call: start, nth: 1, times: 1 }, fate: { kind: unheard, how: reset } }"),
    },
  );
});

test("a task that says OK while nothing happened is no success", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const result = outcomeIn(await applied(cluster, id));
      assert.deepEqual([result.outcome, result.cause], ["unknown", "after-status-other"]);
    },
    { scenario: faulty("{ on: { call: start }, fate: { kind: lies } }") },
  );
});

test("a task without a verdict is unknown, though the VM runs", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      assert.equal(outcomeIn(await applied(cluster, id)).outcome, "unknown");
      assert.equal(cluster.simulator.world().guests.get(101)?.run.kind, "running");
    },
    { scenario: faulty("{ on: { call: start }, fate: { kind: verdict-lost } }") },
  );
});

test("a task with warnings has succeeded", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const { cause, diagnostics, outcome } = outcomeIn(await applied(cluster, id));
      assert.deepEqual([outcome, cause], ["succeeded", "provider-done"]);
      assert.deepEqual(diagnostics, [{ code: "task-warned", said: "WARNINGS: 1" }]);
    },
    { scenario: faulty("{ on: { call: start }, fate: { kind: warns } }") },
  );
});

test("a world that moved between plan and apply gets no call, and the step has failed", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    cluster.simulator.change({ kind: "starts", vmid: 101 });
    const { cause, changed, outcome } = outcomeIn(await applied(cluster, id));
    assert.deepEqual([outcome, cause], ["failed", "vm-changed"]);
    assert.deepEqual(changed, [{ field: "boot" }, { field: "status", now: "running", was: "stopped" }]);
    assert.deepEqual(cluster.mutations(), []);
    assert.match((await cluster.dedalus("status")).out, /! failed {2,}VM 101 {2}start[\s\S]*0 open, 0 blocked/);
  });
});

test("a plan that has grown old is not applied", async (t) => {
  const pass = clockOf(t);
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    pass(cluster, 61 * MINUTE_MS);
    assert.ok(codesIn(await applied(cluster, id)).includes("step-expired"));
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a reconcile while the place still works on the VM is refused, and ends it when the place is done", async (t) => {
  const pass = clockOf(t);
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      assert.equal(outcomeIn(await applied(cluster, id)).outcome, "unknown");
      pass(cluster, 11 * MINUTE_MS);
      const busy = await cluster.value<AppliedValue>("reconcile", "--env", "home", "--vm", "101");
      assert.deepEqual(codesIn(busy), ["reconcile-unclear"]);
      cluster.simulator.change({ key: "lock", kind: "unset", vmid: 101 });
      assert.equal((await cluster.dedalus("reconcile", "--env", "home", "--vm", "101")).code, 0);
    },
    {
      scenario: THREE_NODES.replace(
        "faults: []",
        `faults:
  - { on: { call: start }, fate: { kind: verdict-lost } }
  - { after: { call: start }, change: { kind: set, vmid: 101, key: lock, value: backup } }`,
      ),
    },
  );
});

test("who keeps a secret that Proxmox VE does not accept learns that nothing was done", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const { cause, diagnostics, outcome } = outcomeIn(await applied(cluster, id));
      assert.deepEqual([outcome, cause], ["failed", "call-refused"]);
      assert.deepEqual(diagnostics?.[0]?.facts, { httpStatus: 401 });
      assert.equal(cluster.simulator.world().guests.get(101)?.run.kind, "stopped");
    },
    { scenario: THREE_NODES.replace("22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333") },
  );
});

test("a refusal at once that leaves no task and no change is failed, and the VM is free", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.resize", 101, "--memory", "1GiB");
      const result = outcomeIn(await applied(cluster, id));
      assert.equal(result.outcome, "failed", JSON.stringify(result));
      assert.match(result.diagnostics?.[0]?.said ?? "", /^balloon value too large/);
      assert.match((await cluster.dedalus("status")).out, /0 open, 0 blocked/);
      assert.equal(cluster.mutations().length, 1);
    },
    { scenario: THREE_NODES.replace("name: web-01,", "name: web-01, settings: { balloon: 1536 },") },
  );
});

test("a task that failed and left the VM untouched is failed, and the VM is free", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const { cause, diagnostics, outcome } = outcomeIn(await applied(cluster, id));
      assert.deepEqual([outcome, cause], ["failed", "provider-failed"]);
      assert.match(diagnostics?.[0]?.said ?? "", /storage 'nfs1' is not online/);
      assert.match((await cluster.dedalus("status")).out, /0 open, 0 blocked/);
    },
    { scenario: faulty(`{ on: { call: start }, fate: { kind: fails, text: "storage 'nfs1' is not online" } }`) },
  );
});

test("a task that failed while the VM changed is unknown", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const { cause, diagnostics, outcome } = outcomeIn(await applied(cluster, id));
      assert.deepEqual([outcome, cause], ["unknown", "provider-failed-changed"]);
      assert.match(diagnostics?.[0]?.said ?? "", /storage 'nfs1' is not online/);
    },
    {
      scenario: THREE_NODES.replace(
        "faults: []",
        `faults:
  - { on: { call: start }, fate: { kind: fails, text: "storage 'nfs1' is not online" } }
  - { after: { call: start }, change: { kind: set, vmid: 101, key: tags, value: touched } }`,
      ),
    },
  );
});

test("a paused VM is reconciled as paused", async (t) => {
  const pass = clockOf(t);
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.suspend", 102);
      assert.equal(outcomeIn(await applied(cluster, id)).outcome, "unknown");
      pass(cluster, 11 * MINUTE_MS);
      const found = await cluster.value<{ readonly vmStatus: string }>("reconcile", "--env", "home", "--vm", "102");
      assert.equal(found.vmStatus, "paused");
      assert.match((await cluster.dedalus("status")).out, /0 open, 0 blocked/);
    },
    { scenario: faulty("{ on: { call: suspend }, fate: { kind: verdict-lost } }") },
  );
});
