// An apply whose checkpoint cannot be kept was still done, and says so.

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AppliedValue, applied, atCluster, planned } from "./cluster.ts";

test("an anchor that is lost during an apply does not hide what was applied", async () => {
  let onCall = (): void => undefined;
  await atCluster(
    async (cluster) => {
      const anchor = join(cluster.folder, "anchor/checkpoints.txt");
      const { id } = await planned(cluster, "vm.start", 101);
      onCall = () => {
        renameSync(anchor, `${anchor}.kept`);
        mkdirSync(anchor);
      };
      const result = await applied(cluster, id);
      const { beside, error } = result as AppliedValue & { readonly beside?: readonly AppliedValue[] };
      assert.equal(error, undefined, "what was asked was done");
      assert.equal(result.applied?.[0]?.result.outcome, "succeeded");
      assert.deepEqual(
        beside?.map((one) => [one.error?.outcome, one.error?.refusals.map(({ code }) => code)]),
        [["executed", ["file-unwritable"]]],
      );
      rmSync(anchor, { recursive: true });
      renameSync(`${anchor}.kept`, anchor);
      assert.equal((await cluster.dedalus("ledger", "verify")).code, 0);
      assert.match((await cluster.dedalus("status")).out, /\+ succeeded {2}VM 101/);
    },
    {
      onRequest: ({ method }) => {
        if (method === "POST") onCall();
      },
    },
  );
});
