// An intent keeps the approvals that were counted for its own step, and no other of the same person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { vmKey } from "../../src/kernel/state/state.ts";
import { vmidOf, state as vmState, wantStopped } from "../spine/world.ts";
import { ALICE, apply, approve, BOB, planIn, planned, story } from "./story.ts";

test("one who approved two steps is counted for each by the approval of that step", () => {
  const told = story();
  const other = vmidOf(202);
  const { id, of, result } = planned(told, {
    entries: [wantStopped("power-off"), wantStopped("power-off", { name: "web-02", vmid: other })],
    vms: [vmState(), vmState({ name: "web-02", vmid: other })],
  });
  const second = stepRef(id, planIn(told, result), 1) ?? assert.fail("the plan has two steps");
  assert.equal(approve(told, of, BOB).kind, "approved");
  assert.equal(approve(told, second, BOB).kind, "approved");
  assert.equal(apply(told, of, ALICE).kind, "intended");
  const { approvals = [] } = recall(told.state().plans, id) ?? {};
  const own = approvals.filter(({ step }) => step === of.step.hash).map((one) => one.id);
  assert.equal(approvals.length, 2);
  assert.deepEqual(get(told.state().open, vmKey("home", of.step.vmid))?.approvals, own);
});
