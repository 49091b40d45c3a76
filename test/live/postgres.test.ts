// The main road with the ledger on a real PostgreSQL server: the same commands, the same records, the same refusals.
//
// What differs is said: a free lock at a server does not tell that the process of an intent has died, so that the time
// to send must be over too before others end what nobody finished.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { mock, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { postgresDesk, sql } from "../ledger/postgres-desk.ts";
import {
  applied,
  applyWords,
  atCluster,
  type Cluster,
  type ClusterOptions,
  codesIn,
  type Explained,
  planned,
  type StatusValue,
} from "./cluster.ts";
import { started } from "./process.ts";

const ENDS = {
  lives: { left: [1, 0], title: "left to it" },
  "was killed": { left: [0, 1], title: "ended as unknown once its lock is free and the time to send is over" },
} as const;

const UP = "SELECT clock_timestamp() - pg_postmaster_start_time() > interval '6 s' AS is_up";
const upLongEnough = async (url: string): Promise<void> => {
  while ((await sql(url, UP))[0]?.["is_up"] !== true) await pause(100);
};

suite("the kernel on PostgreSQL", () => {
  const { fresh, server } = postgresDesk();
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

  for (const fate of ["was killed", "lives"] as const)
    test(`P7-F2 an apply whose process ${fate} is ${ENDS[fate].title}, and never repeated`, async () => {
      let asked: () => void = () => undefined;
      const isAskedFor = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const nowMs = Date.now();
      await onServer(
        async (cluster) => {
          const { dedalus, mutations, value } = cluster;
          const { id } = await planned(cluster, "vm.start", 101);
          const apply = started(cluster.folder, await applyWords(cluster, id));
          await Promise.race([isAskedFor, apply.gone.then(({ err }) => assert.fail(err))]);
          if (fate === "was killed") {
            apply.kill();
            assert.equal((await apply.gone).code, null);
          }
          assert.equal((await dedalus("observe", "--env", "home")).code, 0, "a command that writes");
          assert.match((await dedalus("status")).out, /\+ open {2,}VM 101 {2}start[\s\S]*1 open, 0 blocked/);
          assert.ok(codesIn(await applied(cluster, id)).includes("step-consumed"));
          // Locks prove nothing until the server was up for a while; whoever never held one is free from then on.
          await upLongEnough(server().url);
          mock.timers.enable({ apis: ["Date"], now: Date.now() + 31_000 });
          try {
            assert.equal((await dedalus("freeze", "--reason", "after the time to send")).code, 0);
          } finally {
            mock.timers.reset();
          }
          const { blocked, open } = await value<StatusValue>("status");
          assert.deepEqual([open.length, blocked.length], ENDS[fate].left);
          const records = (await dedalus("ledger", "show", "--json")).out;
          assert.equal(records.includes('"ground":"owner-unlocked"'), fate === "was killed");
          apply.kill();
          await apply.gone;
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
