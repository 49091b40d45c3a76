// What a record leaves in the state, whole: a challenge, an intent, an approval, a denial, an observation, a freeze,
// and what an act on the ledger says of its anchor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bringing } from "../../src/kernel/command/program.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { entries, get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { EVERYWHERE, type IntentState, type PlanState } from "../../src/kernel/state/state.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { observationOf, VMID, state as vmState, wantStopped } from "../spine/world.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  configOf,
  ENDS,
  explanationHash,
  freshToken,
  lastId,
  looked,
  planned,
  ROBO,
  type Setting,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "./story.ts";

const STOP: Setting = { entries: [wantStopped("power-off")], vms: [vmState()] };
const planOf = (told: Story, id: Ulid): PlanState => recall(told.state().plans, id) ?? assert.fail("it is known");
const rootOf = (told: Story) => get(told.state().desired, "home")?.root ?? assert.fail("it is registered");

const challenged = (told: Story, of: StepRef, more: object = {}) => {
  const result = told.ask({ kind: "challenge", of, ...more });
  assert.ok(result.kind === "challenged", JSON.stringify(result));
  const { expiresAt, explanation } = result;
  const common = {
    by: "alice",
    expiresAt,
    explanation,
    id: lastId(told),
    index: of.index,
    plan: of.plan,
    registered: rootOf(told),
    step: of.step.hash,
    words: OWN_WORDS.digest,
  };
  return { challenge: recall(told.state().challenges, lastId(told)), common };
};

test("a challenge is kept with what it was shown on; the last denial and the asking process only where there are any", () => {
  const told = story();
  const { of } = planned(told);
  const plain = challenged(told, of);
  assert.deepEqual(plain.challenge, plain.common);
  const here = challenged(told, of, { here: true });
  assert.deepEqual(here.challenge, { ...here.common, instance: told.instance });
  told.ask({ kind: "deny", of, reason: "not today" }, { by: BOB });
  const denied = lastId(told);
  told.pass(1_000);
  told.ask({ kind: "cancel", plan: of.plan, reason: "again" });
  const again = challenged(told, planned(told).of);
  assert.deepEqual(again.challenge, { ...again.common, denied });
  const elsewhere = planned(told, { environment: "away" });
  const result = told.ask({ kind: "challenge", of: elsewhere.of }, { environment: "away" });
  assert.equal(result.kind, "challenged");
  const other = recall(told.state().challenges, lastId(told));
  assert.deepEqual(
    [other?.denied, other?.registered],
    [undefined, get(told.state().desired, "away")?.root],
    "a denial is of its environment, and so is what is registered",
  );
});

test("an intent is kept with everything that it was claimed by, and the approvals of its own step that were counted", () => {
  const told = story("four-eyes");
  const { id, of } = planned(told, { ...STOP, by: CAROL });
  approve(told, of, BOB, { door: "service" });
  const approval = lastId(told);
  approve(told, of, ALICE);
  const result = apply(told, of, CAROL, { door: "service" });
  assert.ok(result.kind === "intended", JSON.stringify(result));
  const { approvedBy, sendBy, settleBy } = result;
  const counted = planOf(told, id).approvals.filter(({ by }) => approvedBy.includes(by));
  assert.ok(counted.some((one) => one.id === approval));
  const intent: IntentState = {
    action: "vm.stop",
    approvals: counted.map((one) => one.id),
    environment: "home",
    id: lastId(told),
    index: 0,
    name: "web-01",
    owner: told.instance,
    plan: id,
    registered: rootOf(told),
    sendBy,
    settleBy,
    step: of.step.hash,
    token: tokenOf(told, "carol"),
    vmid: VMID,
  };
  assert.deepEqual([...entries(told.state().open)], [["home/101", intent]]);
  assert.equal(get(planOf(told, id).consumed, "0"), intent.id);
  told.ask({ ...ENDS.unknown, intent: intent.id, kind: "outcome", reference: "UPID:7" }, { by: KERNEL_ACTOR });
  const ended = { ...intent, end: ENDS.unknown, endedAt: told.now(), reference: "UPID:7" };
  assert.deepEqual([...entries(told.state().open)], []);
  assert.deepEqual([...entries(told.state().blocked)], [["home/101", ended]]);
  assert.deepEqual(recall(told.state().intents, intent.id), ended);
});

test("an intent that nobody approved or showed a token for has neither, and one that failed blocks nothing", () => {
  const told = story();
  apply(told, planned(told).of);
  const [[, intent] = assert.fail("it is open")] = [...entries(told.state().open)];
  assert.deepEqual([intent.approvals, "token" in intent, "reference" in intent], [[], false, false]);
  told.ask({ intent: intent.id, kind: "dispatched", reference: "UPID:8" }, { by: KERNEL_ACTOR });
  assert.equal(get(told.state().open, "home/101")?.reference, "UPID:8");
  told.ask({ ...ENDS.failed, intent: intent.id, kind: "outcome" }, { by: KERNEL_ACTOR });
  assert.deepEqual([told.state().blocked.size, told.state().open.size], [0, 0]);
  assert.deepEqual(recall(told.state().intents, intent.id), {
    ...intent,
    end: ENDS.failed,
    endedAt: told.now(),
    reference: "UPID:8",
  });
});

test("what lost its performer is ended by the ground that it was recovered on", () => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.ask({ ground: "owner-ended", intent, kind: "recover" }, { by: KERNEL_ACTOR, instance: told.other });
  assert.deepEqual(get(told.state().blocked, "home/101")?.end, { cause: "owner-ended", outcome: "unknown" });
});

test("an approval and a denial are kept with their plan, and the denial outlives it by its action", () => {
  const told = story();
  const { id, of } = planned(told, STOP);
  const explanation = explanationHash(told, of);
  approve(told, of, BOB, { door: "service" });
  const approved = told.records.at(-1)?.body["result"] as Pick<
    PlanState["approvals"][number],
    "appliers" | "expiresAt"
  >;
  const { appliers, expiresAt } = approved;
  const given = { by: "bob", door: "service", id: lastId(told), index: 0, seq: told.records.length - 1 } as const;
  assert.deepEqual(planOf(told, id).approvals, [{ appliers, expiresAt, explanation, step: of.step.hash, ...given }]);
  told.ask({ kind: "deny", of, reason: "not today" }, { by: BOB });
  const denial = { by: "bob", id: lastId(told), reason: "not today" };
  assert.deepEqual(planOf(told, id).denials, [{ ...denial, step: of.step.hash }]);
  assert.deepEqual([...entries(told.state().denials)], [["home/101/vm.stop", { ...denial, at: told.now() }]]);
});

test("a request for approval is kept once for each step, and an approval that is revoked is gone alone", () => {
  const told = story();
  const { id, of } = planned(told, { ...STOP, by: ROBO });
  const asks = () => told.ask({ kind: "request-approval", of }, { by: ROBO, door: "service" });
  const asked = () => [{ by: "robo", id: lastId(told) }];
  asks();
  const waiting = { asked: asked(), since: told.records.length - 1, step: of.step.hash };
  asks();
  assert.deepEqual(planOf(told, id).waiting, [waiting]);
  approve(told, of, BOB);
  const first = lastId(told);
  approve(told, of, CAROL);
  const second = lastId(told);
  told.ask({ approval: first, kind: "revoke", plan: id, reason: "mistaken" }, { by: BOB });
  assert.deepEqual(
    planOf(told, id).approvals.map((one) => one.id),
    [second],
  );
  assert.deepEqual(planOf(told, id).waiting, [], "people are to be asked again");
  asks();
  assert.deepEqual(planOf(told, id).waiting, [{ ...waiting, asked: asked(), since: told.records.length - 1 }]);
});

test("of each who asks for approval the first reason stands, beside those of others, until people are asked anew", () => {
  const told = story();
  const { id, of } = planned(told, STOP);
  const asks = (by: Actor, reason?: string) => {
    told.ask({ kind: "request-approval", of, ...(reason === undefined ? {} : { reason }) }, { by });
    return { by: by.id, id: lastId(told), ...(reason === undefined ? {} : { reason }) };
  };
  const since = told.records.length;
  asks(CAROL, " ");
  const alice = asks(ALICE, "first");
  const carol = asks(CAROL, "mine too");
  const whole = [{ asked: [alice, carol], since: since + 1, step: of.step.hash }];
  assert.deepEqual(planOf(told, id).waiting, whole, "what is refused changes nothing");
  asks(ALICE, "second");
  asks(ALICE);
  approve(told, of, BOB);
  asks(ALICE, "after somebody decided");
  assert.deepEqual(planOf(told, id).waiting, whole);
  told.ask({ approval: planOf(told, id).approvals[0]?.id ?? id, kind: "revoke", plan: id, reason: "no" }, { by: BOB });
  const anew = asks(ALICE, "asked anew");
  assert.deepEqual(planOf(told, id).waiting[0]?.asked, [anew]);
});

test("an observation is kept by when it began, live where its environment is, and with its own time where it has one", () => {
  for (const live of [true, false]) {
    const told = story("single-operator", live);
    const observation = observationOf([vmState()], { observedAt: later(told.now(), -7) });
    const id = looked(told, observation, { seen: { tookMs: 1_500 } });
    const kept = { at: later(told.now(), -1_500), digest: observe(observation).digest, environment: "home", live };
    assert.deepEqual(recall(told.state().observations, id), { ...kept, observedAt: later(told.now(), -7) });
    const { observedAt: _, ...timeless } = observation;
    const other = looked(told, timeless);
    assert.deepEqual(recall(told.state().observations, other), {
      ...kept,
      at: told.now(),
      digest: observe(timeless).digest,
    });
  }
});

test("a freeze is of its environment or of everything, and is lifted where it is", () => {
  const told = story();
  told.ask({ kind: "freeze", reason: "here" });
  const here = { at: told.now(), by: "alice", id: lastId(told), reason: "here" };
  told.ask({ kind: "freeze", reason: "all" }, { everywhere: true });
  const all = { at: told.now(), by: "alice", id: lastId(told), reason: "all" };
  assert.deepEqual(get(told.state().freezes, "home"), [here]);
  assert.deepEqual(get(told.state().freezes, EVERYWHERE), [all]);
  told.ask({ kind: "unfreeze", reason: "over" }, { everywhere: true });
  assert.deepEqual([...entries(told.state().freezes)], [["home", [here]]]);
});

const BRINGS = bringing(configOf("single-operator"), "1");
const reAnchors = (told: Story, reason: string) =>
  told.ask({
    ...BRINGS,
    found: "anchor-absent",
    kind: "ledger.re-anchor",
    notes: 0,
    reason,
    root: sha256("a root"),
    size: told.state().size,
  });

test("an anchor that was made anew is counted, with who did it, why, and over how many records", () => {
  const told = story();
  for (const count of [1, 2]) {
    const size = told.state().size;
    assert.equal(reAnchors(told, `loss ${count}`).kind, "done");
    assert.deepEqual(told.state().reAnchored, {
      at: told.now(),
      by: "alice",
      count,
      found: "anchor-absent",
      reason: `loss ${count}`,
      seq: size,
      size,
    });
  }
  const size = told.state().size;
  const anchored = { root: sha256("later"), size: size + 4 };
  const restore = { ...BRINGS, copy: sha256("a copy"), kind: "ledger.restore", root: sha256("a root") } as const;
  told.ask({ ...restore, anchored, reason: "the disk died", size });
  assert.deepEqual(told.state().reAnchored, {
    at: told.now(),
    by: "alice",
    count: 3,
    found: "ledger-cut-short",
    lost: 4,
    reason: "the disk died",
    seq: size,
    size,
  });
  const first = story();
  first.ask({ ...restore, reason: "the disk died", size: first.state().size });
  const { count, found, lost } = first.state().reAnchored ?? assert.fail("it was restored");
  assert.deepEqual([count, found, lost], [1, "ledger-absent", 0]);
});

test("a copy that is declared gone is kept with the act, and what a seal names with its place", () => {
  const told = story();
  const copy = sha256("a copy");
  const size = told.state().size;
  told.ask({ ...BRINGS, copy, kind: "ledger.seal", root: sha256("a root"), size, to: "elsewhere" });
  assert.deepEqual(told.state().seal, { copy, seq: size });
  told.ask({ ...BRINGS, copy, kind: "ledger.unseal", reason: "its disk died" });
  assert.deepEqual([...entries(told.state().voided)], [[copy, lastId(told)]]);
  assert.deepEqual(get(told.state().freezes, EVERYWHERE), [
    { at: told.now(), by: "alice", id: lastId(told), reason: "its disk died" },
  ]);
  assert.deepEqual([told.state().subjects.size, told.state().tokens.size], [0, 0]);
});

test("a token is kept with its makers: those of the maker too, and its own where its subject rotates it", () => {
  const told = story();
  const subject = { id: "dora", kind: "person", roles: ["operator"] } as const;
  const made = tokenRequest(told, subject);
  told.ask(made);
  const { expiresAt, hash, token } = made;
  const grants = [{ environments: "all", roles: ["operator"] }];
  const dora = { expiresAt, grants, hash, id: "dora", kind: "person", makers: ["alice"], token };
  assert.deepEqual(get(told.state().subjects, "dora"), dora);
  assert.deepEqual(get(told.state().tokens, made.hash), dora);
  const fresh = freshToken(told.now(), 901);
  told.ask({ act: "rotate", ...fresh, kind: "token", subject: "dora" });
  assert.deepEqual(get(told.state().subjects, "dora"), { ...dora, ...fresh });
  assert.equal(get(told.state().tokens, made.hash), undefined);
  const own = freshToken(told.now(), 902);
  const by = { id: "dora", kind: "person", roles: ["operator"] } as const;
  const rotated = told.ask({ act: "rotate", ...own, kind: "token", subject: "dora" }, { by, door: "service" });
  assert.equal(rotated.kind, "done", JSON.stringify(rotated));
  assert.deepEqual(get(told.state().subjects, "dora"), { ...dora, ...own });
});

test("everything that is kept for a day or two is of the day of the last record", () => {
  const told = story();
  const days = (): readonly string[] => {
    const { answered, challenges, intents, latest, observations, plans } = told.state();
    return [answered, challenges, intents, latest, observations, plans].map(({ day }) => day);
  };
  assert.deepEqual(days(), Array(6).fill("2026-11-15"));
  const { id } = planned(told);
  told.pass(24 * 60 * 60_000);
  told.ask({ kind: "annotate", text: "the next day" });
  assert.deepEqual(days(), Array(6).fill("2026-11-16"));
  assert.equal(recall(told.state().plans, id)?.id, id);
  told.pass(24 * 60 * 60_000);
  told.ask({ kind: "annotate", text: "the day after" });
  assert.equal(recall(told.state().plans, id), undefined);
});
