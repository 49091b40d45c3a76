// What a refusal for want of agreement says, whole: its cause, whose approval is meant, how many there are and how many
// are needed. Whether it is refused at all is test/cannot's matter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { validApprovals } from "../../src/kernel/decide/agreement.ts";
import { agreedOf, applierRefusals } from "../../src/kernel/decide/apply-step.ts";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { keep, recall } from "../../src/kernel/state/recent.ts";
import type { Approval, PlanState } from "../../src/kernel/state/state.ts";
import { decide } from "../../src/kernel/versions.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { desiredFor, NAME, VMID, vmidOf, state as vmState, wantStopped } from "../spine/world.ts";
import { ended } from "./applied.ts";
import { entryIn } from "./doors.ts";
import {
  ALICE,
  type Ask,
  apply,
  approve,
  BOB,
  CAROL,
  configOf,
  DAN,
  explanationHash,
  lastId,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenRequest,
} from "./story.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
const DELETE: Setting = {
  action: { kind: "vm.delete" },
  entries: [wantStopped("power-off")],
  vms: [vmState({ status: "stopped" })],
};
const SERVICE: Ask & { readonly door: "service" } = { door: "service" };
const vmid = VMID;

const planOf = (told: Story, { plan }: StepRef): PlanState =>
  recall(told.state().plans, plan) ?? assert.fail("the plan is known");

const minted = (told: Story, by: Actor, id: string): Actor => {
  const subject = { id, kind: "person", roles: ["approver"] } as const;
  assert.equal(told.ask(tokenRequest(told, subject), { by, ...SERVICE }).kind, "done");
  return subject;
};

test("who asked for a plan and who approves it are named where they are one hand", () => {
  const told = story("four-eyes");
  const eve = minted(told, CAROL, "eve");
  const { of } = planned(told, { ...STOP, by: CAROL });
  assert.deepEqual(refusalsOf(approve(told, of, eve, SERVICE)), [
    refuse("approval-made", { facts: { approvers: ["eve"], others: ["carol"] } }),
  ]);
  assert.deepEqual(refusalsOf(approve(told, of, CAROL, SERVICE)), [
    refuse("approval-own", { cause: "asked", facts: { actor: "carol" } }),
  ]);
  assert.equal(approve(told, of, BOB, SERVICE).kind, "approved");
});

test("an approval that is one hand with the applier is named, with everybody whom it is held against", () => {
  const told = story("four-eyes");
  const eve = minted(told, CAROL, "eve");
  const { of } = planned(told, { ...STOP, by: DAN });
  approve(told, of, eve, SERVICE);
  assert.deepEqual(refusalsOf(apply(told, of, CAROL, SERVICE)), [
    refuse("approval-made", { facts: { approvers: ["eve"], others: ["dan", "carol"] }, vmid }),
  ]);
  assert.equal(apply(told, of, DAN, SERVICE).kind, "intended");
});

test("of two approvals only the one that does not count is named", () => {
  const told = story("four-eyes");
  const eve = minted(told, DAN, "eve");
  const { of } = planned(told, { ...DELETE, by: CAROL });
  for (const by of [BOB, eve]) assert.equal(approve(told, of, by, SERVICE).kind, "approved");
  assert.deepEqual(refusalsOf(apply(told, of, DAN, { ...SERVICE, name: NAME })), [
    refuse("approval-made", { facts: { approvers: ["eve"], others: ["carol", "dan"] }, vmid }),
  ]);
  assert.equal(apply(told, of, CAROL, { ...SERVICE, name: NAME }).kind, "intended");
});

/** Approvals as a ledger may hold them from when another mode held; dan asks, carol applies under four eyes. */
const counted = (approvers: readonly string[], applier: Actor = CAROL) => {
  const told = story("four-eyes");
  minted(told, DAN, "eve");
  const { of } = planned(told, { ...STOP, by: DAN });
  const explanation = explanationHash(told, of);
  const approvals = approvers.map(
    (by, at): Approval => ({
      appliers: { kind: "people" },
      by,
      door: "service",
      expiresAt: later(told.now(), 60_000),
      explanation,
      id: told.records[at]?.auditId ?? assert.fail("there are records"),
      index: 0,
      seq: at,
      step: of.step.hash,
    }),
  );
  const plan = { ...planOf(told, of), approvals };
  const needs = { approvals: 1, confirmation: true, localCounts: false, ownCounts: false, typedName: false };
  const agreed = agreedOf(told.state(), plan, of.step, told.now(), applier, needs, explanation);
  const refusals = applierRefusals(told.state(), plan, of, { actor: applier, door: "service" }, agreed);
  return refusals.filter((one) => one !== undefined);
};

test("an approval is one's own for whoever asked as for whoever applies, and who does both is named once", () => {
  const own = refuse("approval-own", { cause: "counted", facts: { approvals: 0, needed: 1 }, vmid });
  assert.deepEqual(counted(["dan"]), [own]);
  assert.deepEqual(counted(["carol"]), [own]);
  assert.deepEqual(counted(["eve"]), [
    refuse("approval-made", { facts: { approvers: ["eve"], others: ["dan", "carol"] }, vmid }),
  ]);
  assert.deepEqual(counted(["eve"], DAN), [
    refuse("approval-made", { facts: { approvers: ["eve"], others: ["dan"] }, vmid }),
  ]);
  assert.deepEqual(counted(["bob"]), []);
});

test("too few approvals are told with how many there are, and not as if one of them did not count", () => {
  const told = story("four-eyes");
  const { id, of } = planned(told, { ...DELETE, by: DAN });
  const asked = () => refusalsOf(apply(told, of, DAN, { ...SERVICE, name: NAME }));
  const few = (approvals: number) =>
    refuse("approval-missing", { cause: "too-few", facts: { approvals, needed: 2, plan: id, step: 1 }, vmid });
  assert.deepEqual(asked(), [few(0)]);
  approve(told, of, BOB, SERVICE);
  assert.deepEqual(asked(), [few(1)]);
  approve(told, of, CAROL, SERVICE);
  assert.deepEqual(asked(), []);
});

test("approvals that do not count are told apart from those that do", () => {
  const told = story("four-eyes");
  const { id, of } = planned(told, { ...DELETE, by: DAN });
  const until = later(told.now(), 60_000);
  const explanation = explanationHash(told, of);
  told.ask({ explanation, kind: "approve", of, reason: "for a minute", until }, { by: BOB, ...SERVICE });
  approve(told, of, CAROL, SERVICE);
  told.pass(60_000);
  const facts = { approvals: 1, needed: 2, plan: id, step: 1, uncounted: 1 };
  assert.deepEqual(refusalsOf(apply(told, of, DAN, { ...SERVICE, name: NAME })), [
    refuse("approval-missing", { cause: "uncounted", facts, vmid }),
  ]);
});

test("an agent's approvals are missing to a person by the name of the agent", () => {
  const told = story("four-eyes");
  const { of } = planned(told, { ...STOP, by: ROBO });
  approve(told, of, BOB, SERVICE);
  const facts = { approvals: 0, needed: 1, requester: "robo" };
  assert.deepEqual(refusalsOf(apply(told, of, CAROL, SERVICE)), [
    refuse("approval-missing", { cause: "for-the-agent", facts, vmid }),
  ]);
});

test("a confirmation that came too late is told with the instant at which it ended", () => {
  const confirmed = (afterMs: number) => {
    const told = story();
    const { of } = planned(told);
    const challenge = told.ask({ kind: "challenge", of });
    assert.ok(challenge.kind === "challenged");
    const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
    told.pass(afterMs);
    const facts = { end: challenge.expiresAt, plan: of.plan, step: 1 };
    const ended = refuse("confirmation-spent", { cause: "ended", facts, vmid });
    return { ended, refusals: refusalsOf(told.ask({ confirmation, kind: "apply", of })) };
  };
  const late = confirmed(5 * 60_000);
  assert.deepEqual(late.refusals, [late.ended]);
  assert.deepEqual(confirmed(5 * 60_000 - 1).refusals, []);
});

/** A stop of web-01, and of web-02 where a second VM is said; bob approves each. */
const approvedStops = (told: Story, count: 1 | 2): readonly StepRef[] => {
  const vms = [
    { name: NAME, vmid },
    { name: "web-02", vmid: vmidOf(102) },
  ].slice(0, count);
  const { id, result } = planned(told, {
    entries: vms.map((vm) => wantStopped("power-off", vm)),
    vms: vms.map((vm) => vmState(vm)),
  });
  const plan = planIn(told, result);
  return vms.map((_, index) => {
    const of = stepRef(id, plan, index) ?? assert.fail("the plan has this step");
    assert.equal(approve(told, of, BOB).kind, "approved");
    return of;
  });
};
const challenged = (told: Story, of: StepRef): Ulid => {
  assert.equal(told.ask({ kind: "challenge", of }).kind, "challenged");
  return lastId(told);
};

test("approvals are counted by the text of their own step, whatever challenge is answered", () => {
  const told = story();
  const [first, second] = approvedStops(told, 2);
  assert.ok(first !== undefined && second !== undefined);
  const confirmation = { challenge: challenged(told, first), explanation: explanationHash(told, second) };
  const facts = { plan: second.plan, step: 2 };
  assert.deepEqual(refusalsOf(told.ask({ confirmation, kind: "apply", of: second })), [
    refuse("confirmation-spent", { cause: "unbound", facts, vmid: second.step.vmid }),
  ]);
  assert.equal(apply(told, second).kind, "intended");
});

test("approvals are counted by the text of their own plan, though another has the same step", () => {
  const told = story();
  const [alone] = approvedStops(told, 1);
  assert.ok(alone !== undefined);
  const challenge = challenged(told, alone);
  const [beside] = approvedStops(told, 2);
  assert.ok(beside !== undefined);
  assert.equal(alone.step.hash, beside.step.hash);
  const explanation = explanationHash(told, beside);
  assert.notEqual(explanationHash(told, alone), explanation);
  const facts = { plan: beside.plan, step: 1 };
  assert.deepEqual(refusalsOf(told.ask({ confirmation: { challenge, explanation }, kind: "apply", of: beside })), [
    refuse("confirmation-spent", { cause: "unbound", facts, vmid }),
  ]);
  assert.equal(apply(told, beside).kind, "intended");
});

test("approval of a plan that is not there is not asked for", () => {
  const told = story();
  const { of } = planned(told, STOP);
  const forgotten = { ...of, plan: told.other };
  assert.deepEqual(refusalsOf(told.ask({ kind: "request-approval", of: forgotten })), [
    refuse("plan-unknown", { facts: { plan: told.other } }),
  ]);
  assert.equal(told.ask({ kind: "request-approval", of }).kind, "done");
});

test("what was tried is named by its intent, with its VM where the step was brought", () => {
  const told = story();
  const { id: plan, of } = planned(told, STOP);
  approve(told, of, BOB);
  const approval = lastId(told);
  assert.equal(apply(told, of).kind, "intended");
  const intent = lastId(told);
  ended(told, intent, "failed");
  const tried = { cause: "intent", facts: { intent } } as const;
  assert.deepEqual(refusalsOf(told.ask({ kind: "deny", of, reason: "no" }, { by: BOB })), [
    refuse("step-consumed", { ...tried, vmid }),
  ]);
  const reason = "on second thought";
  assert.deepEqual(refusalsOf(told.ask({ approval, kind: "revoke", plan, reason }, { by: BOB })), [
    refuse("step-consumed", tried),
  ]);
});

test("whoever withdraws what is not theirs is told whose it is, and that a reason is missing", () => {
  const told = story();
  const { id: plan, of } = planned(told, STOP);
  approve(told, of, BOB);
  const approval = lastId(told);
  const withdrawn = (one: typeof approval, by: Actor, reason = "after all not") =>
    refusalsOf(told.ask({ approval: one, kind: "revoke", plan, reason }, { by }));
  const foreign = refuse("approval-unknown", { cause: "foreign", facts: { by: "bob" } });
  const blank = refuse("reason-missing", { cause: "blank" });
  assert.deepEqual(withdrawn(approval, CAROL), [foreign]);
  assert.deepEqual(withdrawn(approval, ALICE, " "), [foreign, blank]);
  assert.deepEqual(withdrawn(told.other, BOB), [refuse("approval-unknown", { cause: "absent" })]);
  assert.deepEqual(withdrawn(approval, BOB, " "), [blank]);
  assert.deepEqual(withdrawn(approval, BOB), []);
});

test("an approval is of one step, until its end, of one text and for one applier", () => {
  const told = story();
  const { of } = planned(told, STOP);
  assert.equal(approve(told, of, BOB).kind, "approved");
  const plan = planOf(told, of);
  const [given = assert.fail("it is approved")] = plan.approvals;
  const { expiresAt, explanation } = given;
  const valid = (more: Partial<Approval>, at = later(expiresAt, -1), applier: Actor = ALICE) =>
    validApprovals({ ...plan, approvals: [{ ...given, ...more }] }, of.step, at, applier, explanation).length;
  assert.equal(valid({}), 1);
  assert.equal(valid({ step: sha256("another step") }), 0);
  assert.equal(valid({ explanation: sha256("another text") }), 0);
  assert.equal(valid({}, expiresAt), 0);
  assert.equal(valid({}, later(expiresAt, -1), ROBO), 0);
});

test("an approval of a plan that says not when the world was seen is refused as over", () => {
  const approved = (dated: boolean) => {
    const told = story();
    const { id, of } = planned(told, STOP);
    const { observedAt, ...bare } = planOf(told, of);
    assert.ok(observedAt !== undefined);
    const plans = keep(told.state().plans, id, dated ? { ...bare, observedAt } : bare);
    const registered = entryIn(desiredFor([wantStopped("power-off")]));
    const explanation = explanationHash(told, of);
    const { ids, instance, now } = told;
    const desk = { actor: ALICE, configHash: configHash(configOf("single-operator")), door: "local" } as const;
    const request = { explanation, kind: "approve", of, reason: "agreed", registered } as const;
    const words = OWN_WORDS.digest;
    const command = commandOf({ ...desk, ids, instance, now, words }, request, { environment: "home" });
    return refusalsOf(decide({ ...told.state(), plans }, command, undefined).draft.body["result"] as Result);
  };
  assert.deepEqual(approved(false), [refuse("step-expired", { cause: "undated", vmid })]);
  assert.deepEqual(approved(true), []);
});
