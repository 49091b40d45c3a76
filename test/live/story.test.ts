// The main road, on the command line against a simulated cluster: register, observe, plan, explain, confirm, apply,
// account.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  APPLY_TOKEN,
  type AppliedValue,
  applied,
  atCluster,
  codesIn,
  type Explained,
  OBSERVE_TOKEN,
  type PlanValue,
  planned,
} from "./cluster.ts";

const START_101 = "POST /api2/json/nodes/pve1/qemu/101/status/start";

test("drift is found, explained, confirmed and mended by one call, and result.json says so", async () => {
  await atCluster(async ({ dedalus, folder, mutations, simulator, value }) => {
    const seen = await dedalus("observe", "--env", "home", "--out", "current.json");
    assert.equal(seen.code, 0, seen.err);
    assert.match(seen.out, /101 {2}web-01 +stopped[\s\S]*the observation is complete/);
    const plan = await dedalus("plan", "--env", "home", "--out", "plan.json");
    assert.equal(plan.code, 4, plan.err);
    assert.match(plan.out, /^ \+ 101 {2}start web-01: stopped → running {2}\[low\] {2}step 1$/m);
    assert.match(plan.out, /1 step, 0 refusals, 4 in sync\nverdict clear/);
    const id = /^plan ([0-9A-Z]{26})$/m.exec(plan.out)?.[1] ?? assert.fail(plan.out);
    const {
      explanation: { hash },
    } = await value<Explained>("explain", id, "--step", "1", "--challenge");
    assert.deepEqual(mutations(), [], "looking, planning and explaining change nothing");

    const apply = await dedalus("apply", id, "--step", "1", "--confirm", hash, "--out", "result.json");
    assert.equal(apply.code, 0, apply.err);
    assert.match(
      apply.out,
      /\+ step 1: VM 101 start succeeded: .+: the task ended OK\n {2}intent [0-9A-Z]{26}, UPID:pve1:/,
    );
    assert.deepEqual(mutations(), [START_101]);
    assert.equal(simulator.world().guests.get(101)?.run.kind, "running");
    const result = JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
    assert.deepEqual(
      [result.environment, result.action, result.vmid, result.outcome],
      ["home", "vm.start", 101, "succeeded"],
    );

    const again = await dedalus("plan", "--env", "home");
    assert.equal(again.code, 0, "nothing is left to do");
    assert.match(
      (await dedalus("status")).out,
      /\+ succeeded {2}VM 101 {2}start web-01[\s\S]*0 open, 0 blocked, 0 waiting for approval, 0 approved, 0 frozen/,
    );
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
    assert.equal((await dedalus("ledger", "verify")).code, 0);
  });
});

test("B6 a step that was applied is not applied again, whoever asks again", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
    for (let again = 0; again < 2; again += 1) {
      assert.ok(codesIn(await applied(cluster, id)).includes("step-consumed"));
    }
    assert.deepEqual(cluster.mutations(), [START_101]);
  });
});

test("a plan that was begun is gone on with where it stopped, and a plan that is over says so", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    await applied(cluster, id);
    const walked = await cluster.dedalus("apply", id);
    assert.equal(walked.code, 0, walked.err);
    assert.match(walked.out, /every step of this plan has been tried/);
    assert.deepEqual(cluster.mutations(), [START_101]);
  });
});

test("a result that cannot be written does not hide what was applied", async () => {
  let onCall = (): void => undefined;
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      // A folder appears in the place of the unfinished file while the step is performed.
      onCall = () => mkdirSync(join(cluster.folder, "result.json.part"), { recursive: true });
      const value = await applied(cluster, id, "--out", "result.json");
      assert.equal(value.applied?.[0]?.result.outcome, "succeeded");
      assert.deepEqual(codesIn((value as { readonly beside?: unknown }).beside), ["file-unwritable"]);
    },
    {
      onRequest: ({ method }) => {
        if (method === "POST") onCall();
      },
    },
  );
});

test("a confirmation that is no hash is bad input, before anything is claimed", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const { code, err } = await cluster.dedalus("apply", id, "--step", "1", "--confirm", "yes");
    assert.equal(code, 2);
    assert.match(err, /--confirm takes the 64 hex digits/);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a start that is applied costs one observation before the call, one after it, and the task's own verdict", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const before = cluster.simulator.requests().length;
    await applied(cluster, id);
    const requests = cluster.simulator.requests().slice(before);
    const paths = requests.map(({ path }) => path.replace(/^\/api2\/json|\?.*/g, "").replace(/UPID[^/]*/, "UPID"));
    const observation = [
      "/cluster/resources",
      "/cluster/status",
      "/nodes/pve1/qemu/101/pending",
      "/nodes/pve1/qemu/101/status/current",
      "/nodes/pve1/tasks",
    ];
    const call = paths.indexOf("/nodes/pve1/qemu/101/status/start");
    assert.deepEqual(paths.slice(0, call).sort(), observation);
    assert.equal(paths[call + 1], "/nodes/pve1/tasks/UPID/status");
    assert.deepEqual(paths.slice(call + 2).sort(), observation);
  });
});

test("a freeze stops an apply, and its lifting lets it go on", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const {
      explanation: { hash },
    } = await cluster.value<Explained>("explain", id, "--step", "1", "--challenge");
    assert.equal((await cluster.dedalus("freeze", "--env", "home", "--reason", "incident")).code, 0);
    const frozen = await cluster.value<AppliedValue>("apply", id, "--step", "1", "--confirm", hash);
    assert.deepEqual(codesIn(frozen), ["frozen"]);
    assert.deepEqual(cluster.mutations(), []);
    assert.equal((await cluster.dedalus("unfreeze", "--env", "home", "--reason", "over")).code, 0);
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
  });
});

test("P7-A2 apply without a terminal and without a hash is refused, and a wrong hash as well", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const silent = await cluster.dedalus("apply", id);
    assert.equal(silent.code, 3);
    assert.match(silent.err, /no terminal: .*confirmation-missing\)/);
    const wrong = await cluster.value<AppliedValue>("apply", id, "--step", "1", "--confirm", "0".repeat(64));
    assert.deepEqual(codesIn(wrong), ["confirmation-missing"], JSON.stringify(wrong));
    assert.deepEqual(cluster.mutations(), []);
  });
});

/** Everything that a folder holds but the secrets themselves. */
const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/secrets"))
    .map((entry) => join(entry.parentPath, entry.name));

test("B5 no secret is in what is printed, in the ledger, or in any file that is written", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder } = cluster;
    const printed: string[] = [];
    const keep = async (...argv: readonly string[]): Promise<void> => {
      const { err, out } = await dedalus(...argv);
      printed.push(out, err);
    };
    const { id } = await planned(cluster, "vm.start", 101);
    printed.push(JSON.stringify(await applied(cluster, id)));
    await keep("observe", "--env", "home", "--out", "current.json");
    await keep("plan", "--env", "home", "--json", "--out", "plan.json");
    await keep("doctor");
    await keep("status");
    await keep("ledger", "show", "--json");
    await keep("ledger", "export", "--out", "audit");
    const secrets = [OBSERVE_TOKEN, APPLY_TOKEN].map((token) => token.split("=")[1] ?? assert.fail(token));
    const files = filesUnder(folder);
    assert.ok(files.some((file) => file.endsWith("audit_export.jsonl")));
    for (const secret of secrets) {
      for (const text of printed) assert.ok(!text.includes(secret), "a secret was printed");
      for (const file of files) assert.ok(!readFileSync(file).includes(secret), file);
    }
  });
});

test("a plan of many steps is applied one at a time, and stops at the first that does not succeed", async () => {
  const scenario = `version: 1
seed: 4
pve: "8.4.1"
nodes: [{ name: pve1 }]
guests:
  - { vmid: 101, node: pve1, name: a-01, status: stopped }
  - { vmid: 102, node: pve1, name: a-02, status: stopped }
  - { vmid: 103, node: pve1, name: a-03, status: stopped }
users: [{ name: dedalus@pve }]
tokens:
  - { id: dedalus@pve!observe, secret: 11111111-1111-4111-8111-111111111111, privsep: false }
  - { id: dedalus@pve!apply, secret: 22222222-2222-4222-8222-222222222222, privsep: false }
roles: []
acl: [{ path: /, who: dedalus@pve, role: Administrator, propagate: true }]
faults:
  - { on: { call: start, vmid: 102 }, fate: { kind: fails, text: "start failed: QEMU exited with code 1" } }
`;
  const wanted = `version: 1
environment: home
vms:
  - { vmid: 101, name: a-01, target: running }
  - { vmid: 102, name: a-02, target: running }
  - { vmid: 103, name: a-03, target: running }
`;
  const questions: string[] = [];
  const answer = (question: string): string => {
    questions.push(question);
    return "yes";
  };
  await atCluster(
    async (cluster) => {
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const { code, err, out } = await cluster.dedalus("apply", id);
      assert.equal(code, 5, err);
      assert.match(
        err,
        /1\/3 {2}\+ start a-01[\s\S]*2\/3 {2}\+ start a-02/,
        "each step is told before it is asked for",
      );
      assert.match(out, /\+ step 1: VM 101 start succeeded[\s\S]*[!?] step 2: VM 102 start (?:failed|unknown): /);
      assert.doesNotMatch(out, /step 3/);
      assert.deepEqual(questions, ["Start a-01 (VM 101)? [y/N/e/s/q] ", "Start a-02 (VM 102)? [y/N/e/s/q] "]);
      assert.equal(cluster.mutations().length, 2);
    },
    { answer, scenario, wanted },
  );
});

test("whoever does not say yes changes nothing", async () => {
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const { code, err } = await cluster.dedalus("apply", id);
      assert.equal(code, 3);
      assert.match(err, /stopped after 0 of 1 step/);
      assert.deepEqual(cluster.mutations(), []);
    },
    { answer: () => "ye" },
  );
});
