// A short soak of a real service: killed under load, nothing acknowledged is lost and no step is performed twice.
// The long one is `make soak ONLY=serve`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { growthOf, serveSoak } from "../../tools/soak/serve-soak.ts";

test("a service that is killed under load has lost nothing that it acknowledged, and did nothing twice", async () => {
  const { acknowledged, flaws, kills, reads } = await serveSoak(6, 3);
  assert.deepEqual(flaws, []);
  assert.ok(kills > 0);
  assert.ok(acknowledged > 0 && reads > 0);
});

test("memory is compared by thirds: the last against the middle", () => {
  assert.equal(growthOf([500, 500, 100, 100, 110, 110]), 1.1);
  assert.equal(growthOf([1, 1, 1, 2, 2, 2, 2, 2, 2]), 1);
  assert.equal(growthOf([9, 100, 200]), 2);
});
