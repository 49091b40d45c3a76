// Where a proof or an export cannot be written.

import assert from "node:assert/strict";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ANCHOR, codesIn, withLedger } from "./ledger-desk.ts";

test("that --out of a proof or an export cannot be written is said before the ledger is opened", async () => {
  await withLedger(1, async (dedalus, folder) => {
    assert.equal((await dedalus("ledger", "prove", "0", "--out", "kept")).code, 0);
    chmodSync(join(folder, "kept"), 0o400);
    rmSync(join(folder, ANCHOR));
    for (const argv of [
      ["ledger", "prove", "0", "--out", "kept"],
      ["ledger", "prove", "0", "--out", "kept/0.tlog-proof"],
      ["ledger", "prove", "0", "--out", "nowhere/0.tlog-proof"],
      ["ledger", "export", "--out", "kept/audit"],
    ]) {
      const answer = await dedalus(...argv, "--json");
      assert.deepEqual([answer.code, codesIn(answer)], [2, ["file-unwritable"]], argv.join(" "));
    }
    for (const argv of [
      ["ledger", "prove", "0"],
      ["ledger", "export", "--out", "new/audit"],
    ])
      assert.deepEqual(codesIn(await dedalus(...argv, "--json")), ["anchor-absent"], argv.join(" "));
  });
});
