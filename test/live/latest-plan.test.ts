// `latest` and bare `apply` mean the plan that was answered last, whatever became of it, and never another one.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, type PlanValue, planned, WANTED } from "./cluster.ts";

type Refused = {
  readonly error: {
    readonly refusals: readonly { readonly cause?: string; readonly code: string; readonly facts: object }[];
  };
};

const whole = ({ value }: Cluster): Promise<PlanValue> => value("plan");
const latest = async ({ value }: Cluster): Promise<string> => (await value<PlanValue>("plan", "show", "latest")).id;

test("a plan that is answered again is the latest, though a newer one is open", async () => {
  await atCluster(
    async (cluster) => {
      const { dedalus } = cluster;
      const first = await whole(cluster);
      const newer = await planned(cluster, "reboot", 102);
      assert.equal(await latest(cluster), newer.id);
      const again = await whole(cluster);
      assert.deepEqual([again.id, await latest(cluster)], [first.id, first.id]);
      const walked = await dedalus("apply");
      assert.equal(walked.code, 0, walked.err);
      assert.match(walked.err, new RegExp(`plan ${first.id} of home`));
      assert.ok(cluster.mutations().every((call) => call.includes("/101/")));
    },
    { answer: () => "y" },
  );
});

test("a plan that was denied, canceled or superseded is told as that by bare apply, once, and no other one is offered", async () => {
  await atCluster(
    async (cluster) => {
      const { dedalus, value } = cluster;
      const older = await planned(cluster, "reboot", 102);
      const { id } = await whole(cluster);
      assert.equal((await dedalus("deny", id, "--step", "1", "--reason", "not today")).code, 0);
      const denied = await value<Refused>("apply");
      assert.deepEqual(codesIn(denied), ["step-denied"]);
      assert.equal((await dedalus("apply")).code, 3);
      assert.match((await dedalus("apply")).err, /dedalus plan --env home\n/);
      await dedalus("cancel", id, "--reason", "no longer wanted");
      assert.deepEqual(codesIn(await value<Refused>("apply")), ["plan-closed", "step-denied"]);
      assert.deepEqual(cluster.mutations(), []);
      assert.equal((await dedalus("apply", older.id)).code, 0, "by its id the older one can be applied");
    },
    { answer: () => "y" },
  );
});

test("bare apply of a plan with nothing left says what became of it, and to plan again", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, value } = cluster;
    const refusalOf = async (): Promise<readonly unknown[]> => {
      const [refusal] = (await value<Refused>("apply")).error.refusals;
      return [refusal?.code, refusal?.facts];
    };
    await planned(cluster, "reboot", 102);
    const { id } = await whole(cluster);
    await applied(cluster, id);
    assert.deepEqual(await refusalOf(), ["plan-done", { environment: "home", plan: id, planStatus: "applied" }]);
    assert.equal((await dedalus("apply")).code, 2);
    assert.match((await dedalus("apply")).err, /dedalus plan --env home\n/);
    const inSync = await whole(cluster);
    assert.deepEqual(await refusalOf(), [
      "plan-done",
      { environment: "home", plan: inSync.id, planStatus: "nothing-to-do" },
    ]);
    writeFileSync(join(folder, "desired.yaml"), WANTED.replace("web-01, target: running", "web-01, target: stopped"));
    assert.notEqual((await whole(cluster)).id, inSync.id);
  });
});
