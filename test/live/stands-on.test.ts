// What a plan stands on, on the command line, in front of a simulated cluster: a VM that is protected or removed after
// its stop was approved, a configuration that was edited in between, and a plan that is made again.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, type PlanValue, planned, WANTED } from "./cluster.ts";

const BATCH = "{ vmid: 102, name: batch-01, target: running }";

const register = async ({ dedalus, folder }: Cluster, text: string): Promise<void> => {
  writeFileSync(join(folder, "changed.yaml"), text);
  const { code, err } = await dedalus("register", "--env", "home", "--yes", "changed.yaml");
  assert.equal(code, 0, err);
};
const statusOf = async ({ value }: Cluster, id: string): Promise<string | undefined> =>
  (await value<PlanValue>("plan", "show", id)).steps[0]?.status;

/** A stop of a running VM, planned and approved. */
const stopApproved = async (cluster: Cluster): Promise<string> => {
  const { id } = await planned(cluster, "vm.stop", 102);
  assert.equal((await cluster.dedalus("approve", id, "--reason", "agreed")).code, 0);
  return id;
};

test("N2 a stop that was approved does not leave after its VM was registered as protected", async () => {
  await atCluster(async (cluster) => {
    const id = await stopApproved(cluster);
    await register(cluster, WANTED.replace(BATCH, BATCH.replace(" }", ", protected: true }")));
    assert.deepEqual(codesIn(await applied(cluster, id)), ["desired-changed", "production-touched"]);
    assert.deepEqual(codesIn(await cluster.value("approve", id, "--reason", "all the same")), [
      "desired-changed",
      "production-touched",
    ]);
    assert.equal(await statusOf(cluster, id), "desired-changed");
    assert.deepEqual(cluster.mutations(), []);
    assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
  });
});

test("P7-A1 a stop that was approved does not leave after its VM was removed, and does after another's was", async () => {
  await atCluster(async (cluster) => {
    const id = await stopApproved(cluster);
    await register(cluster, WANTED.replace(`  - ${BATCH}\n`, ""));
    assert.deepEqual(codesIn(await applied(cluster, id)), ["vm-not-desired"]);
    assert.deepEqual(codesIn(await cluster.value("request-approval", id)), ["vm-not-desired"]);
    assert.equal(await statusOf(cluster, id), "desired-changed");
    assert.deepEqual(cluster.mutations(), []);
    await register(cluster, WANTED.replace("  - { vmid: 105, name: cache-01, target: running }\n", ""));
    const done = await applied(cluster, id);
    assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
  });
});

const EDITS: Readonly<Record<string, (text: string) => string>> = {
  address: (text) => text.replace("https://127.0.0.1", "https://localhost"),
  "approval mode": (text) => text.replace("approval: single-operator", "approval: four-eyes"),
};
for (const [what, edit] of Object.entries(EDITS)) {
  test(`P7-A2 what was approved under one ${what} is not applied under another, and is under the first again`, async () => {
    await atCluster(async (cluster) => {
      const id = await stopApproved(cluster);
      const file = join(cluster.folder, "dedalus.yaml");
      const text = readFileSync(file, "utf8");
      assert.notEqual(edit(text), text);
      writeFileSync(file, edit(text));
      assert.ok(codesIn(await applied(cluster, id)).includes("configuration-differs"));
      assert.equal(await statusOf(cluster, id), "configuration-changed");
      assert.deepEqual(cluster.mutations(), []);
      writeFileSync(file, text);
      const done = await applied(cluster, id);
      assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
    });
  });
}

test("a plan made again is the plan that stands, with its approval", async () => {
  await atCluster(async (cluster) => {
    const id = await stopApproved(cluster);
    const again = await cluster.value<PlanValue & { readonly unchanged?: { readonly endsAt: string } }>(
      ...["plan", "--env", "home", "--action", "vm.stop", "--vm", "102"],
    );
    assert.equal(again.id, id);
    assert.match(again.unchanged?.endsAt ?? "", /^\d{4}-/);
    assert.equal(again.steps[0]?.status, "awaiting-confirmation");
    const shown = await cluster.dedalus("plan", "--env", "home", "--action", "vm.stop", "--vm", "102");
    assert.match(shown.out, new RegExp(`^unchanged: .+\\nplan ${id}\\n  expires in `, "m"));
    const done = await applied(cluster, id);
    assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
    assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
  });
});
