// What ends with a token, a clock or a second word, and what does not: each beside its neighbour, in the state itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { PlanState } from "../../src/kernel/state/state.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { later, msOf } from "../../src/spine/values/instant.ts";
import { vmidOf, state as vmState, wantRunning } from "../spine/world.ts";
import { accepted } from "./clocks.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  lastId,
  planIn,
  planned,
  ROBO,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "./story.ts";

const DAY_MS = 24 * 60 * 60_000;
const planOf = (told: Story, id: Ulid): PlanState => recall(told.state().plans, id) ?? assert.fail("it is known");

/** A plan of two starts, and both of its steps. */
const twoSteps = (told: Story, by = ALICE) => {
  const vms = [101, 102].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));
  const { id, result } = planned(told, {
    by,
    entries: vms.map((vm) => wantRunning(vm)),
    vms: vms.map((vm) => vmState({ ...vm, status: "stopped" })),
  });
  const plan = planIn(told, result);
  const stepAt = (index: number) => stepRef(id, plan, index) ?? assert.fail("a step");
  return { first: stepAt(0), id, second: stepAt(1) };
};

test("the steps that wait for approval and the denials of a plan are kept beside each other", () => {
  const told = story();
  const { first, id, second } = twoSteps(told, ROBO);
  for (const step of [first, second]) {
    told.ask({ kind: "request-approval", of: step }, { by: ROBO, door: "service" });
  }
  assert.deepEqual(
    planOf(told, id).waiting.map(({ step }) => step),
    [first.step.hash, second.step.hash],
  );
  for (const step of [first, second]) told.ask({ kind: "deny", of: step, reason: "not today" }, { by: BOB });
  assert.deepEqual(
    planOf(told, id).denials.map(({ step }) => step),
    [first.step.hash, second.step.hash],
  );
});

test("an approval of one step counts for no other, and neither does its id", () => {
  const told = story();
  const { first, second } = twoSteps(told, ROBO);
  approve(told, first, BOB);
  const approval = lastId(told);
  approve(told, second, BOB);
  told.ask({ kind: "apply", of: first }, { by: ROBO, door: "service" });
  assert.deepEqual(get(told.state().open, "home/101")?.approvals, [approval]);
});

test("freezes of one place stand beside each other, the oldest first", () => {
  const told = story();
  const freezes = ["one", "two", "three"].map((reason) => {
    told.ask({ kind: "freeze", reason });
    return { at: told.now(), by: "alice", id: lastId(told), reason };
  });
  assert.deepEqual(get(told.state().freezes, "home"), freezes);
});

test("whoever made the maker's token is a maker too", () => {
  const told = story();
  told.ask(tokenRequest(told, { id: "dora", kind: "person", roles: ["operator"] }));
  assert.deepEqual(get(told.state().subjects, "dora")?.makers, ["alice"]);
  const dora = { id: "dora", kind: "person", roles: ["operator"] } as const;
  const made = told.ask(tokenRequest(told, { id: "emil", kind: "agent", roles: ["agent"] }), {
    by: dora,
    door: "service",
  });
  assert.equal(made.kind, "done", JSON.stringify(made));
  assert.deepEqual(get(told.state().subjects, "emil")?.makers, ["dora", "alice"]);
});

const revokes = (told: Story, subject: string): void => {
  const result = told.ask({ act: "revoke", kind: "token", token: tokenOf(told, subject) });
  assert.equal(result.kind, "done", JSON.stringify(result));
};

test("a token that is revoked takes its approvals and its subject's plans, and touches no plan beside", () => {
  const told = story();
  const approved = planned(told);
  approve(told, approved.of, BOB);
  approve(told, approved.of, CAROL);
  const kept = lastId(told);
  const canceled = planned(told, { by: ROBO });
  told.ask({ kind: "cancel", plan: canceled.id, reason: "not needed" }, { by: ROBO, door: "service" });
  const asked = planned(told, { by: ROBO, environment: "away" });
  told.pass(DAY_MS);
  revokes(told, "bob");
  assert.deepEqual(
    planOf(told, approved.id).approvals.map(({ id }) => id),
    [kept],
  );
  assert.equal(get(told.state().plans.young, asked.id), undefined, "it is of the day before, as it was");
  revokes(told, "robo");
  assert.deepEqual(
    [canceled, asked, approved].map(({ id }) => planOf(told, id).closed),
    ["canceled", "requester-revoked", undefined],
  );
});

test("a token that had ended by the head, at that very instant too, is gone with an accepted clock", () => {
  for (const [ms, isLeft] of [
    [0, false],
    [1, true],
  ] as const) {
    const told = story();
    const { token } = get(told.state().subjects, "bob") ?? assert.fail("bob has a token");
    const ends = get(told.state().subjects, "bob")?.expiresAt ?? assert.fail("it ends");
    const ahead = msOf(later(ends, -ms)) - msOf(told.now());
    told.pass(ahead);
    told.ask({ kind: "annotate", text: "recorded by a clock that is ahead" });
    told.pass(-ahead);
    assert.deepEqual(accepted(told), []);
    const left = get(told.state().subjects, "bob");
    assert.equal(left?.token, isLeft ? token : undefined);
    assert.equal(told.state().tokens.size > 0, isLeft);
  }
});

test("a plan that is superseded says so, and one that was called off before that stays called off", () => {
  const told = story();
  const first = planned(told);
  apply(told, first.of);
  planned(told);
  assert.equal(planOf(told, first.id).closed, "superseded");
  const other = story();
  const gone = planned(other);
  other.ask({ kind: "cancel", plan: gone.id, reason: "not needed" });
  planned(other);
  assert.equal(planOf(other, gone.id).closed, "canceled");
});
