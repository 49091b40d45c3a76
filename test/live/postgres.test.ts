// The main road with the ledger on a real PostgreSQL server: the same commands, the same records, the same refusals.
//
// What differs is said: a server does not tell whether the process of an intent has died, so that only its settle time
// ends an intent that nobody finished.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { postgresDesk } from "../ledger/postgres-desk.ts";
import {
  applied,
  atCluster,
  type Cluster,
  type ClusterOptions,
  codesIn,
  type Explained,
  planned,
  type StatusValue,
} from "./cluster.ts";
import { started } from "./process.ts";

suite("the kernel on PostgreSQL", () => {
  const { fresh } = postgresDesk();
  const onServer = async (work: (cluster: Cluster) => Promise<void>, options: ClusterOptions = {}): Promise<void> => {
    const { remove, where } = await fresh();
    try {
      await atCluster(work, { ...options, ledgerUrl: where });
    } finally {
      await remove();
    }
  };

  test("drift is mended by one call, and the ledger verifies and replays", async () => {
    await onServer(async (cluster) => {
      const { dedalus, folder, mutations, value } = cluster;
      const plan = await value<{ readonly id: string }>("plan", "--env", "home");
      assert.equal((await applied(cluster, plan.id)).applied?.[0]?.result.outcome, "succeeded");
      assert.equal(mutations().length, 1);
      assert.ok(codesIn(await applied(cluster, plan.id)).includes("step-consumed"));
      const { blocked, last, open } = await value<StatusValue>("status");
      assert.deepEqual([blocked.length, open.length, last.map(({ end }) => end?.outcome)], [0, 0, ["succeeded"]]);
      assert.match((await dedalus("replay")).out, /every decision comes out the same/);
      assert.equal((await dedalus("ledger", "verify")).code, 0);
      assert.equal(existsSync(join(folder, "ledger")), false, "nothing of it is on this disk");
    });
  });

  test("B6 four processes that apply the same step at the same time make one call", async () => {
    await onServer(async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const {
        explanation: { hash },
      } = await cluster.value<Explained>("explain", id, "--step", "1", "--challenge");
      const words = ["apply", id, "--step", "1", "--confirm", hash];
      const all = await Promise.all([1, 2, 3, 4].map(() => started(cluster.folder, words).gone));
      assert.deepEqual(all.map(({ code }) => code).sort(), [0, 3, 3, 3], JSON.stringify(all));
      assert.equal(cluster.mutations().length, 1);
      assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
    });
  });

  test("P7-F2 an apply that was killed stays open before its settle time, and is not repeated", async () => {
    let asked: () => void = () => undefined;
    const isAskedFor = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const nowMs = Date.now();
    await onServer(
      async (cluster) => {
        const { dedalus, mutations, value } = cluster;
        const { id } = await planned(cluster, "vm.start", 101);
        const {
          explanation: { hash },
        } = await value<Explained>("explain", id, "--step", "1", "--challenge");
        const apply = started(cluster.folder, ["apply", id, "--step", "1", "--confirm", hash]);
        await Promise.race([isAskedFor, apply.gone.then(({ err }) => assert.fail(err))]);
        apply.kill();
        assert.equal((await apply.gone).code, null);
        assert.equal((await dedalus("observe", "--env", "home")).code, 0, "a command that writes");
        assert.match((await dedalus("status")).out, /\+ open {2,}VM 101 {2}start[\s\S]*1 open, 0 blocked/);
        assert.ok(codesIn(await applied(cluster, id)).includes("step-consumed"));
        assert.equal(mutations().length, 1);
        assert.match((await dedalus("replay")).out, /every decision comes out the same/);
      },
      {
        clock: { kind: "follows", nowMs: () => nowMs },
        onRequest: ({ path }) => {
          if (/\/tasks\/UPID[^/]*\/status$/.test(path)) asked();
        },
      },
    );
  });
});
