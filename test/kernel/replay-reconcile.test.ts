// Ends of unknown outcomes, decided again from records and blobs alone: those that were granted, and those that were not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { look, state as vmState } from "../spine/world.ts";
import { again } from "./day.ts";
import { apply, codesOf, lastId, looked, planned, story } from "./story.ts";

test("an end that was refused over its observation is refused again, and the right one is granted again", async () => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.ask({ because: "the reply was lost", intent, kind: "outcome", outcome: "unknown" }, { by: KERNEL_ACTOR });
  told.pass(10 * 60_000 + 1);
  const observation = look([vmState()], { observedAt: told.now() });
  const id = looked(told, observation);
  const other = { given: { observation: look([]) } };
  assert.deepEqual(codesOf(told.ask({ intent, kind: "reconcile", look: id }, other)), ["value-altered"]);
  const unknown = { intent, kind: "reconcile", look: told.instance } as const;
  assert.deepEqual(codesOf(told.ask(unknown, { given: { observation } })), ["look-unknown"]);
  assert.equal(told.ask({ intent, kind: "reconcile", look: id }, { given: { observation } }).kind, "done");
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
  assert.deepEqual(result.kind === "equal" && result.state, told.state());
});
