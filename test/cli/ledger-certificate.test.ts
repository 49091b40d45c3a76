// A certificate that is missing is bad input wherever it is named, and not a refusal of the rules.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codesIn, moveTo, withLedger } from "./ledger-desk.ts";

test("a missing certificate of the ledger exits as one of an adapter does", async () => {
  await withLedger(1, async (dedalus, folder) => {
    writeFileSync(join(folder, "url"), "postgres://a:b@ledger.example/c", { mode: 0o600 });
    moveTo(folder, "  engine: postgres\n  url: { file: url }\n  tls: { verify: ca, file: none.pem }\n");
    for (const command of ["show", "verify", "checkpoint"]) {
      const missing = await dedalus("ledger", command, "--json");
      assert.deepEqual([missing.code, codesIn(missing)], [2, ["file-unreadable"]], command);
      assert.equal(JSON.parse(missing.out).error.domain, "input");
    }
  });
});
