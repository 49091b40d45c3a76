// The replay source gives the recorded observation again and asks nothing of any place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { replaySource } from "../../src/adapters/replay/replay.ts";
import { observationOf, state, VMID, vmidOf } from "../spine/world.ts";

const recorded = observationOf([state(), state({ vmid: vmidOf(102) })]);

test("a replay is the recorded observation, whole, whatever was wanted", async () => {
  const source = replaySource(recorded);
  for (const wanted of [[], [{ vmid: VMID }], [{ vmid: vmidOf(999) }]]) {
    assert.equal(await source.observe(wanted, new AbortController().signal), recorded);
  }
});

test("a replay has no verbs but observe", () => {
  assert.deepEqual(Object.keys(replaySource(recorded)), ["observe"]);
});
