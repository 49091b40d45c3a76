// A VM that was destroyed and made anew with the same number and name, at the command line: refused, then accepted.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { applied, atCluster, codesIn, type PlanValue, planned, THREE_NODES } from "./cluster.ts";

type Refused = Refusal & { readonly facts: Readonly<Record<string, string>> };
const refusalIn = ({ plan }: PlanValue, vmid: number): Refused =>
  Object(plan.answers.find((answer) => answer.vmid === vmid));

test("a VM that was made anew is not planned for until an operator accepts it", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, simulator, value } = cluster;
    assert.equal((await planned(cluster, "vm.start", 101)).steps.length, 1);
    simulator.change({ kind: "replaced", vmid: 101 });
    const seen = await dedalus("observe", "--env", "home");
    assert.match(seen.out, /VM 101 is not the one that had this number before: dedalus plan --env home/);
    const refused = await planned(cluster, "vm.start", 101);
    const refusal = refusalIn(refused, 101);
    assert.equal(refusal.code, "identity-changed");
    const { observedIdentity = "", rememberedIdentity = "" } = refusal.facts;
    assert.notEqual(observedIdentity, rememberedIdentity);
    assert.deepEqual(nextStepsOf(refusal), [
      { ask: "acceptIdentity", with: { environment: "home", identity: observedIdentity, vmid: 101 } },
    ]);

    const accept = (identity: string, ...reason: readonly string[]): Promise<unknown> =>
      value("accept-identity", "--env", "home", "--vm", "101", "--identity", identity, "--reason", ...reason);
    assert.deepEqual(codesIn(await accept("uuid of somebody else", "a guess")), ["identity-not-observed"]);
    assert.equal(refusalIn(await planned(cluster, "vm.start", 101), 101).code, "identity-changed");
    const accepted = await accept(observedIdentity, "rebuilt on purpose");
    assert.deepEqual(accepted, {
      ...(accepted as object),
      identity: observedIdentity,
      vmid: 101,
      was: rememberedIdentity,
    });
    const { id } = await planned(cluster, "vm.start", 101);
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
    assert.equal((await dedalus("replay")).code, 0);
  });
});

test("a VM that is made anew between plan and apply is not started, whatever was planned", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    cluster.simulator.change({ kind: "replaced", vmid: 101 });
    const { result: file } = (await applied(cluster, id)).applied?.[0] ?? assert.fail("it was tried");
    assert.deepEqual([file.outcome, file.cause], ["failed", "vm-changed"]);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a fault script can make a VM anew", async () => {
  const scenario = THREE_NODES.replace(
    /^faults:.*$/m,
    "faults:\n  - { after: { call: observe, vmid: 101, nth: 3 }, change: { kind: replaced, vmid: 101 } }",
  );
  await atCluster(
    async (cluster) => {
      await planned(cluster, "vm.start", 101);
      assert.equal(refusalIn(await planned(cluster, "vm.start", 101), 101).code, "identity-changed");
    },
    { scenario },
  );
});
