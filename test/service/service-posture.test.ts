// The posture that a service tells whoever watches it counts what its state has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFrom } from "../../src/kernel/state/persistent-map.ts";
import { INITIAL, type IntentState } from "../../src/kernel/state/state.ts";
import { postureOf } from "../../src/service/read/service-posture.ts";
import { OPERATOR, ok, readyToApply, serving } from "./serving.ts";

test("freezes and open intents are counted as they come and go", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const posture = async () => {
    const told = await service.posture();
    assert.ok(!("refusals" in told));
    return [told.freezes, told.openIntents, told.blockedVms];
  };
  assert.deepEqual(await posture(), [0, 0, 0]);
  const ready = await readyToApply(service);
  const release = provider.verdict.close();
  const { value } = ok(await service.apply(OPERATOR, ready));
  assert.deepEqual(await posture(), [0, 1, 0]);
  release();
  await value.underway?.ended;
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "one" }));
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "another" }));
  ok(await service.freeze(OPERATOR, { reason: "everything" }));
  assert.deepEqual(await posture(), [3, 0, 0]);
});

test("VMs whose outcome is unknown are counted", async (t) => {
  const { configuration } = await serving(t);
  const blocked = mapFrom([
    ["home/101", {} as IntentState],
    ["home/102", {} as IntentState],
  ]);
  assert.equal(postureOf({ ...INITIAL, blocked }, 7, configuration).blockedVms, 2);
});
