// When people who were asked to approve are asked again: each conjunct once, with the nearest case that is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isAskedInVain } from "../../src/kernel/decide/asked-approval.ts";
import type { StepStatus } from "../../src/kernel/decide/plan-status.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Approval } from "../../src/kernel/state/state.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { approve, BOB, planned, story } from "./story.ts";

const told = story();
const { of } = planned(told, { entries: [wantStopped("power-off")], vms: [vmState()] });
assert.equal(told.ask({ kind: "request-approval", of }).kind, "done");
const asked = { at: told.now(), seq: told.records.length - 1, step: of.step.hash };
assert.equal(approve(told, of, BOB).kind, "approved");
const { approvals, waiting } = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
const [given = assert.fail("it is approved")] = approvals;
const { expiresAt } = given;

type Otherwise = {
  readonly approval?: Partial<Approval>;
  readonly approvedBy?: readonly string[];
  readonly at?: typeof expiresAt;
  readonly since?: number;
  readonly status?: StepStatus;
};
const isInVain = ({ approval, approvedBy = [], at = expiresAt, since = asked.seq, status }: Otherwise = {}): boolean =>
  isAskedInVain(
    { approvals: [{ ...given, ...approval }], waiting: waiting.map((one) => ({ ...one, since })) },
    asked,
    { approvedBy, status: status ?? "awaiting-approval" },
    at,
  );

test("a state says by which record an approval was given", () => {
  assert.equal(given.seq, asked.seq + 1);
});

test("a request is in vain once an approval that was given since counts no more", () => {
  assert.equal(isInVain(), true);
  assert.equal(isInVain({ at: later(expiresAt, -1) }), true, "whatever it counts no more for");
  assert.equal(isInVain({ approvedBy: [given.by] }), false, "it counts");
  assert.equal(isInVain({ approval: { step: sha256("another step") } }), false);
});

test("a request is in vain once an approval that stood then has ended", () => {
  const before = { seq: asked.seq - 1 };
  assert.equal(isInVain({ approval: before }), true);
  assert.equal(isInVain({ approval: before, at: later(expiresAt, -1) }), false, "it has not ended");
  assert.equal(isInVain({ approval: { ...before, expiresAt: asked.at } }), false, "it had ended when it was asked");
});

test("a request of a step that does not wait for approval is never in vain", () => {
  for (const status of ["applied", "applying", "approved", "canceled", "denied", "expired", "superseded"] as const)
    assert.equal(isInVain({ status }), false, status);
});

test("a request is in vain once an approval of its step was withdrawn, and stands where it was asked after that", () => {
  assert.equal(isInVain({ approvedBy: [given.by], since: asked.seq + 1 }), true);
  assert.equal(isInVain({ approvedBy: [given.by], since: asked.seq }), false);
});
