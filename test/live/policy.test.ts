// A policy file on the command line, in front of a simulated cluster: what it refuses is not planned, what it raises
// waits for people, and what was planned under one is not applied under another.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AppliedValue, applied, atCluster, type Cluster, codesIn, planned } from "./cluster.ts";

const POLICY = "version: 1\ntighten:\n  - { action: vm.stop, to: refused }\n  - { action: vm.start, to: high }\n";

/** The environment of the cluster's file is its last part. */
const ruled = ({ folder }: Cluster, policy = POLICY): void => {
  writeFileSync(join(folder, "policy.yaml"), policy);
  const file = join(folder, "dedalus.yaml");
  if (!readFileSync(file, "utf8").includes("policy:")) appendFileSync(file, "    policy: policy.yaml\n");
};

test("P7-A2 an action that the policy refuses is neither planned nor applied", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, mutations, value } = cluster;
    ruled(cluster);
    const refused = await dedalus("plan", "--env", "home", "--action", "vm.stop", "--vm", "102");
    assert.equal(refused.code, 3, refused.err);
    assert.match(refused.out, /the policy refuses stop/);
    const { id, verdict } = await planned(cluster, "vm.stop", 102);
    assert.equal(verdict.kind, "refused");
    const approving = await value("approve", id, "--reason", "all the same");
    assert.deepEqual(codesIn(approving), ["plan-refused", "policy-refuses"]);
    assert.deepEqual(codesIn(await applied(cluster, id)), ["plan-refused", "policy-refuses"]);
    assert.deepEqual(mutations(), []);
  });
});

test("P7-A2 what the policy raises waits for an approval, and everybody is shown why", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, mutations } = cluster;
    ruled(cluster);
    const { id, steps, verdict } = await planned(cluster, "vm.start", 101);
    assert.deepEqual([verdict.kind, steps[0]?.status, steps[0]?.tier], ["needs-approval", "awaiting-approval", "high"]);
    assert.match((await dedalus("explain", id, "--step", "1")).out, /tier high/);
    assert.match((await dedalus("plan", "show", id)).out, /\[high\] {2}step 1, awaiting approval, approvals 0 of 1/);
    assert.match((await dedalus("plans")).out, /home {2}awaiting approval {2}start web-01/);
    assert.match((await dedalus("status")).out, /^policy of home: start high, stop refused$/m);
    assert.deepEqual(codesIn(await applied(cluster, id)), ["approval-missing"]);
    assert.deepEqual(mutations(), []);
    assert.equal((await dedalus("approve", id, "--reason", "agreed")).code, 0);
    const done = await applied(cluster, id);
    assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
    assert.equal(mutations().length, 1);
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
  });
});

test("P7-A3 what was planned under one policy is not applied under another, and replays without any file", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, mutations, value } = cluster;
    const free = await planned(cluster, "vm.start", 101);
    ruled(cluster);
    assert.deepEqual(codesIn(await applied(cluster, free.id)), ["policy-differs"]);
    const bound = await planned(cluster, "vm.start", 101);
    assert.equal((await dedalus("approve", bound.id, "--reason", "agreed")).code, 0);
    ruled(cluster, POLICY.replace("high", "medium"));
    assert.match((await dedalus("plan", "show", bound.id)).out, /\[medium\] {2}step 1, policy changed/);
    const changed: AppliedValue = await applied(cluster, bound.id);
    assert.deepEqual(codesIn(changed), ["policy-differs"]);
    const refusing = await dedalus("approve", bound.id, "--reason", "agreed again");
    assert.equal(refusing.code, 3);
    assert.match(refusing.err, /P7-A3, policy-differs[\s\S]*Plan again\./);
    assert.equal((await dedalus("deny", bound.id, "--reason", "the policy changed")).code, 0);
    assert.deepEqual(mutations(), []);
    const file = join(cluster.folder, "dedalus.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("    policy: policy.yaml\n", ""));
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
    const { records } = await value<{ readonly records: readonly { readonly body: object }[] }>(
      ...["ledger", "show", "--kind", "start"],
    );
    assert.ok(records.some(({ body }) => JSON.stringify(body).includes('"policyFile":"policy.yaml"')));
  });
});
