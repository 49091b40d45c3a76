// P7-A2: an operator accepts a clock, and setting it right wins nobody any time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { vmKey } from "../../src/kernel/state/state.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { instantOf, later, msOf } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import { accepted, blockedAt, MINUTE_MS, wasAhead, YEAR_MS } from "../kernel/clocks.ts";
import { again } from "../kernel/day.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  codesOf,
  DAN,
  explanationHash,
  lastId,
  looked,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded, desiredFor, observationOf, VMID, state as vmState, wantStopped } from "../spine/world.ts";

// Who may accept a clock, and when.

/** Ahead for an hour, so that everybody's token still stands at the head. */
const ahead = (by: Actor, reason?: string): readonly Refusal[] => {
  const told = story();
  wasAhead(told, 60 * MINUTE_MS);
  return accepted(told, by, reason);
};
for (const [who, by] of [
  ["an approver", BOB],
  ["an agent", ROBO],
] as const) {
  cannot("P7-A1", `accept a clock as ${who}`, {
    neighbour: () => ahead(DAN),
    offence: () => coded("role-missing", ahead(by)),
  });
}
/** What somebody whose token ends within a month may say after the clock was set right. */
const saidAfter = (aheadMs: number): readonly Refusal[] => {
  const told = story();
  wasAhead(told, aheadMs);
  assert.deepEqual(accepted(told), []);
  return refusalsOf(told.ask({ kind: "annotate", text: "here" }, { by: BOB, door: "service", token: BOBS_TOKEN }));
};
const BOBS_TOKEN = tokenOf(story(), BOB.id);
cannot("B2", "bring a token that had ended back to life by setting the clock right", {
  neighbour: () => saidAfter(60 * MINUTE_MS),
  offence: () => coded("actor-unknown", saidAfter(YEAR_MS)),
});
/** A token for as long as one may have it is made by a clock that is ten years ahead; what it may say so much later. */
const saidWithToken = (laterMs: number): readonly Refusal[] => {
  const told = story();
  told.pass(10 * YEAR_MS);
  const made = { ...tokenRequest(told, ERIN), expiresAt: later(told.now(), YEAR_MS) };
  assert.equal(told.ask(made).kind, "done");
  told.pass(-10 * YEAR_MS);
  assert.deepEqual(accepted(told), []);
  const { subjects, tokens } = told.state();
  assert.deepEqual(get(tokens, made.hash), get(subjects, ERIN.id), "both maps tell the same");
  told.pass(laterMs);
  return refusalsOf(told.ask({ kind: "annotate", text: "here" }, { by: ERIN, door: "service", token: made.token }));
};
const ERIN = { id: "erin", kind: "person", roles: ["approver"] } as const;
cannot("B2", "keep a token that was made by a clock that was ahead for longer than a token may live", {
  neighbour: () => saidWithToken(YEAR_MS - 1),
  offence: () => coded("token-expired", saidWithToken(YEAR_MS)),
});
test("a token that was made in its time ends when it would have", () => {
  const told = story();
  const before = get(told.state().subjects, BOB.id)?.expiresAt;
  wasAhead(told, 60 * MINUTE_MS);
  assert.deepEqual(accepted(told), []);
  assert.equal(get(told.state().subjects, BOB.id)?.expiresAt, before);
});
cannot("P7-A2", "accept a clock without a reason", {
  neighbour: () => ahead(ALICE),
  offence: () => coded("reason-missing", ahead(ALICE, " ")),
});
cannot("P7-A2", "turn time back where no record is ahead of the clock", {
  neighbour: () => ahead(ALICE),
  offence: () => coded("clock-not-ahead", accepted(story())),
});
const aheadFor = (ms: number): readonly Refusal[] => {
  const told = story();
  wasAhead(told, ms);
  return accepted(told);
};
cannot("P7-A2", "turn time back by a minute or less", {
  neighbour: () => aheadFor(MINUTE_MS + 1),
  offence: () => coded("clock-not-ahead", aheadFor(MINUTE_MS)),
});
test("a clock that is not accepted is decided again as it was: the record does not hold the clock, and needs none", async () => {
  const told = story();
  wasAhead(told, MINUTE_MS / 3);
  coded("clock-not-ahead", accepted(told));
  assert.equal((await again(told)).kind, "equal");
});
/** It was asked when the ledger was so much shorter. */
const acceptedSince = (records: number): readonly Refusal[] => {
  const told = story();
  wasAhead(told, YEAR_MS);
  const size = told.state().size - records;
  return refusalsOf(told.ask({ kind: "accept-clock", reason: "the clock was ahead", size }));
};
cannot("P7-A2", "accept a clock that was read before the last record came", {
  neighbour: () => acceptedSince(0),
  offence: () => coded("ledger-moved", acceptedSince(1)),
});
test("a clock that is not accepted is stamped like everything else, and replays as it was", async () => {
  const told = story();
  wasAhead(told, YEAR_MS);
  const head = told.records.at(-1)?.processTime;
  for (const by of [BOB, ROBO]) accepted(told, by);
  accepted(told, ALICE, " ");
  assert.deepEqual(
    told.records.slice(-3).map(({ processTime }) => processTime),
    [head, head, head],
  );
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
});
for (const kind of ["annotate", "freeze"]) {
  test(`no other record is stamped earlier than the one before: replay finds it (${kind})`, async () => {
    const told = story();
    told.pass(MINUTE_MS);
    told.ask(kind === "freeze" ? { kind: "freeze", reason: "stop" } : { kind: "annotate", text: "noted" });
    const last = told.records.at(-1) ?? assert.fail("there is one");
    const before = instantOf(msOf(last.processTime) - 2 * MINUTE_MS);
    const result = await again(told, [...told.records.slice(0, -1), { ...last, processTime: before }]);
    assert.equal(result.kind, "differs");
  });
}
test("an accepted clock that says it was accepted, and was not, is found by replay", async () => {
  const told = story();
  told.pass(MINUTE_MS);
  accepted(told);
  const last = told.records.at(-1) ?? assert.fail("there is one");
  const forged = { ...last, body: { ...last.body, result: { head: last.processTime, kind: "clock-accepted" } } };
  assert.equal((await again(told, [...told.records.slice(0, -1), forged])).kind, "differs");
});

// What turning back could be good for, and is not.

/** A high step: planned and approved, and not yet confirmed. */
const approvedStop = (told: Story): ReturnType<typeof planned>["of"] => {
  const { of } = planned(told, { vms: [vmState()], entries: [wantStopped("power-off")] });
  approve(told, of, ALICE);
  return of;
};
const turnedBack = (told: Story, aheadMs: number, accepts: boolean): void => {
  told.pass(aheadMs);
  told.ask({ kind: "annotate", text: "later" });
  told.pass(-aheadMs);
  if (accepts) accepted(told);
};
cannot("P7-A2", "bring a plan to life again by turning time back", {
  neighbour: () => {
    const told = story();
    turnedBack(told, 20 * MINUTE_MS, true);
    return refusalsOf(apply(told, approvedStop(told)));
  },
  offence: () => {
    const told = story();
    const of = approvedStop(told);
    turnedBack(told, 20 * MINUTE_MS, true);
    return coded("plan-closed", refusalsOf(apply(told, of))).map((refusal) => ({ ...refusal, rule: "P7-A2" }));
  },
});
test("what stood on the clock before is void, each by its name", () => {
  const told = story();
  const of = approvedStop(told);
  const explanation = explanationHash(told, of);
  const challenge = told.ask({ kind: "challenge", of });
  assert.equal(challenge.kind, "challenged");
  const confirmation = { challenge: lastId(told), explanation };
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const seen = looked(told, observation);
  const desired = desiredFor([wantStopped("power-off")]);
  turnedBack(told, 2 * MINUTE_MS, true);
  assert.deepEqual(codesOf(told.ask({ confirmation, kind: "apply", of })), [
    "plan-closed",
    "approval-missing",
    "confirmation-spent",
  ]);
  assert.deepEqual(codesOf(approve(told, of, ALICE)), ["plan-closed"]);
  assert.deepEqual(codesOf(told.ask({ kind: "challenge", of })), ["plan-closed"]);
  const given = { given: { observation, desired } };
  assert.deepEqual(codesOf(told.ask({ kind: "plan", observation: seen, scope: "all" }, given)), [
    "observation-unknown",
  ]);
});
test("a plan that was canceled or taken stays what it was, and a step that was taken stays taken", () => {
  const told = story();
  const canceled = planned(told).of;
  told.ask({ kind: "cancel", plan: canceled.plan, reason: "not needed" });
  const taken = planned(told).of;
  apply(told, taken);
  turnedBack(told, 2 * MINUTE_MS, true);
  const [young] = [told.state().plans.young];
  assert.equal(get(young, canceled.plan)?.closed, "canceled");
  assert.ok(codesOf(told.ask({ kind: "apply", of: taken })).includes("step-consumed"));
});

const KEY = vmKey("home", VMID);
for (const map of ["open", "blocked"] as const) {
  const settling = (told: Story) => get(told.state()[map], KEY)?.settleBy;
  const opened = (told: Story): void => {
    if (map === "blocked") blockedAt(told);
    else apply(told, planned(told).of);
  };
  test(`what is ${map} waits a full window from when the clock was accepted, whether that was ahead or not`, () => {
    const [before, wrong] = [story(), story()];
    opened(before);
    turnedBack(before, 9 * MINUTE_MS, true);
    assert.equal(settling(before), later(before.now(), 10 * MINUTE_MS), "begun by a clock that was right");
    wrong.pass(YEAR_MS);
    wrong.ask({ kind: "annotate", text: "a clock that is ahead" });
    // Its provider is ahead too, or the observation would not have been taken down.
    opened(wrong);
    wrong.pass(-YEAR_MS);
    accepted(wrong);
    assert.equal(settling(wrong), later(wrong.now(), 10 * MINUTE_MS), "begun by the one that was ahead");
  });
}
const recoveredAfter = (ms: number): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  turnedBack(told, 9 * MINUTE_MS, true);
  told.pass(ms);
  const asked = { ground: "past-settle-by", intent, kind: "recover" } as const;
  return refusalsOf(told.ask(asked, { by: KERNEL_ACTOR, instance: told.other }));
};
cannot("P7-F2", "take an intent for left behind before a full window on the accepted clock", {
  neighbour: () => recoveredAfter(10 * MINUTE_MS + 1),
  offence: () => coded("owner-alive", recoveredAfter(10 * MINUTE_MS)),
});
