// Files that somebody edits while a walk stands at its question, at a real terminal: dedalus.yaml and a policy are read
// again right before each claim.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, type Cluster, type PlanValue } from "./cluster.ts";

const TWO_STEPS = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: batch-01, target: stopped, stop: shutdown }
`;
const START = "POST /api2/json/nodes/pve1/qemu/101/status/start";
const FIRST = /Start web-01 \(VM 101\)\? \[y\/N\/e\/s\/q\] /;
const SECOND = /Shut down batch-01 \(VM 102\)\? \[y\/N\/e\/s\/q\] /;

const kindsOf = async (cluster: Cluster): Promise<readonly string[]> => {
  const { out } = await cluster.dedalus("ledger", "show", "--json");
  return Array.from(out.matchAll(/"kind":"(challenge|apply)","prev/g), ([, kind = ""]) => kind);
};

const policyOf = (action: string): string => `version: 1\ntighten:\n  - { action: ${action}, to: refused }\n`;
const NOT_MEANT = policyOf("vm.delete");

/** A walk that stands at its first question, with a policy that refuses none of its steps. */
const walkingUnderPolicy = (work: (cluster: Cluster, plan: string, policy: string) => Promise<void>) =>
  atCluster(
    async (cluster) => {
      const policy = join(cluster.folder, "policy.yaml");
      writeFileSync(policy, NOT_MEANT);
      appendFileSync(join(cluster.folder, "dedalus.yaml"), "    policy: policy.yaml\n");
      await work(cluster, (await cluster.value<PlanValue>("plan", "--env", "home")).id, policy);
    },
    { wanted: TWO_STEPS },
  );

test("P7-A3 a policy that is tightened while the question stands refuses the step, and nothing is claimed", async () => {
  await walkingUnderPolicy(async (cluster, plan, policy) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [{ does: () => writeFileSync(policy, policyOf("vm.start")), says: FIRST, types: "y\n" }],
    );
    assert.equal(code, 3, printed);
    assert.match(printed, /policy-differs/);
    assert.deepEqual(cluster.mutations(), []);
    assert.deepEqual(await kindsOf(cluster), ["challenge"]);
  });
});

test("P7-A3 files that are written anew with the same text change nothing, and each step is held against them", async () => {
  await walkingUnderPolicy(async (cluster, plan, policy) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { does: () => writeFileSync(policy, NOT_MEANT), says: FIRST, types: "y\n" },
        { does: () => writeFileSync(policy, policyOf("vm.shutdown")), says: SECOND, types: "y\n" },
      ],
    );
    assert.equal(code, 5, printed);
    assert.deepEqual(cluster.mutations(), [START]);
  });
});

test("P7-A2 a configuration that is edited or broken while the question stands claims nothing", async () => {
  const edits = [
    { code: 3, edit: (text: string) => text.replace("single-operator", "four-eyes"), says: /configuration-differs/ },
    {
      code: 3,
      edit: (text: string) => text.replace("operator: alice", "operator: bob"),
      says: /configuration-differs/,
    },
    { code: 2, edit: (text: string) => text.replace("version: 1", "version: none"), says: /dedalus\.yaml/ },
  ];
  for (const { code: expected, edit, says } of edits) {
    await atCluster(
      async (cluster) => {
        const { id: plan } = await cluster.value<PlanValue>("plan", "--env", "home");
        const file = join(cluster.folder, "dedalus.yaml");
        const text = readFileSync(file, "utf8");
        const { code, printed } = await atTerminal(
          cluster.folder,
          ["apply", plan],
          [{ does: () => writeFileSync(file, edit(text)), says: FIRST, types: "y\n" }],
        );
        assert.equal(code, expected, printed);
        assert.match(printed, says);
        assert.deepEqual(cluster.mutations(), []);
        writeFileSync(file, text);
        assert.deepEqual(await kindsOf(cluster), ["challenge"]);
      },
      { wanted: TWO_STEPS },
    );
  }
});
