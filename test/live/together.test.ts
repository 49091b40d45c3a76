// Several processes at once on one ledger and one place: a step is tried by one of them, and nobody waits for the
// others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applyWords, atCluster, planned, type StatusValue, THREE_NODES } from "./cluster.ts";
import { started } from "./process.ts";

test("B6 four processes that apply the same step at the same time make one call", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const words = await applyWords(cluster, id);
    const all = await Promise.all([1, 2, 3, 4].map(() => started(cluster.folder, words).gone));
    assert.deepEqual(all.map(({ code }) => code).sort(), [0, 3, 3, 3], JSON.stringify(all));
    for (const { code, err } of all) if (code === 3) assert.match(err, /step-consumed|vm-busy/);
    assert.equal(cluster.mutations().length, 1);
    const { blocked, last, open } = await cluster.value<StatusValue>("status");
    assert.deepEqual([blocked.length, open.length, last.map(({ end }) => end?.outcome)], [0, 0, ["succeeded"]]);
    assert.match((await cluster.dedalus("replay")).out, /every decision comes out the same/);
  });
});

test("two plans for one VM and one for another, applied at the same time, are one call for each VM", async () => {
  await atCluster(
    async (cluster) => {
      const first = await planned(cluster, "vm.start", 101);
      const second = await cluster.value<{ readonly id: string }>("plan", "--env", "home", "--only", "101");
      const other = await planned(cluster, "vm.suspend", 102);
      const words = [];
      for (const { id } of [first, second, other]) words.push(await applyWords(cluster, id));
      const all = await Promise.all(words.map((argv) => started(cluster.folder, argv).gone));
      const codes = all.map(({ code }) => code);
      assert.equal(codes[2], 0, all[2]?.err);
      assert.equal(codes.slice(0, 2).filter((code) => code === 0).length, 1, JSON.stringify(all));
      assert.equal(cluster.mutations().filter((line) => line.includes("/101/")).length, 1);
      assert.equal(cluster.mutations().length, 2);
    },
    { scenario: THREE_NODES },
  );
});
