// The performer in every interleaving with another process whose clock is ahead: what is not its own any more is not
// called.
//
// The walk is tools/sim/explore.ts, on the real kernel, a ledger in memory and a simulated provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explore } from "../../tools/sim/explore.ts";
import { REAL } from "../../tools/sim/parts.ts";
import { HASTY } from "../../tools/sim/scopes.ts";
import { verdictOfWalk } from "../../tools/sim/verdict.ts";

test("an intent that another process ended is not called, wherever in between that happens", async () => {
  const { because, kind } = verdictOfWalk(await explore({ ...HASTY, contest: "twins" }, REAL));
  assert.equal(kind, "HELD", because);
});
