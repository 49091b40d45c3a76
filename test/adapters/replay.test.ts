// The replay source gives the recorded observation again and asks nothing of any place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { replayAdapter } from "../../src/adapters/replay/descriptor.ts";
import { replaySource } from "../../src/adapters/replay/replay.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
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

const LISTED = { maxmem: 1, name: "web-01", status: "running", vmid: 101 };

const unasked = (): never => assert.fail("a recorded observation needs nothing but its text");

/** What an environment with this file as its provider observes. */
const observedFrom = async (text: string) => {
  const adapter = await replayAdapter.open(
    { path: "list.json" },
    { environment: "home", now: unasked, secret: unasked, sleep: unasked, text: () => text, trust: unasked },
  );
  assert.ok("source" in adapter, JSON.stringify(adapter));
  return adapter.source.observe([], new AbortController().signal);
};

test("a bare list as a provider has not seen everything, so that it proves nobody missing", async () => {
  const { complete, gaps } = await observedFrom(JSON.stringify([LISTED]));
  assert.deepEqual([complete, gaps.map(({ code }) => code)], [false, ["bare-list"]]);
});

test("a recorded observation is not live, has no secrets and cannot be acted on", () => {
  const { acts, live, secrets } = replayAdapter;
  assert.deepEqual([acts({ path: "x" }), live, secrets({ path: "x" })], [false, false, []]);
});

test("a record that cannot be had, or cannot be read, is refused with the reason", async () => {
  const opened = (text: string | Refusal) =>
    replayAdapter.open(
      { path: "list.json" },
      { environment: "home", now: unasked, secret: unasked, sleep: unasked, text: () => text, trust: unasked },
    );
  const refusal = refuse("service-needed", { cause: "door" });
  assert.equal(await opened(refusal), refusal);
  const unreadable = await opened("{");
  assert.ok("code" in unreadable, JSON.stringify(unreadable));
});
