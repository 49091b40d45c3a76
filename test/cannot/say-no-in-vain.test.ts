// P7-A2: a no stops what it is about, or says that it cannot; and it is read by everybody who agrees to the same later.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Confirmation, StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { lastDenialOf } from "../../src/kernel/state/last-denial.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Explanation, PlanStep, Refusal } from "../../src/spine/model.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  explanationHash,
  lastId,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };

const TWO: Setting = {
  vms: [vmState({ status: "stopped" }), vmState({ name: "web-02", status: "stopped", vmid: vmidOf(102) })],
  entries: [wantRunning(), wantRunning({ name: "web-02", vmid: vmidOf(102) })],
};

/** What was claimed last succeeds. */
const endLast = (told: Story): void => {
  const said = { cause: "provider-done", outcome: "succeeded", said: "running" } as const;
  assert.equal(told.ask({ ...said, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR }).kind, "ended");
};

type At = "claimed" | "ended" | "unclaimed";
/** A plan of two steps; the first is untouched, claimed, or over. */
const scene = (at: At, setting: Setting = TWO): { readonly of: readonly StepRef[]; readonly told: Story } => {
  const told = story();
  const { id, result } = planned(told, setting);
  const plan = planIn(told, result);
  const of = [0, 1].flatMap((index) => stepRef(id, plan, index) ?? []);
  if (at !== "unclaimed") assert.equal(apply(told, of[0] ?? assert.fail("it has a step")).kind, "intended");
  if (at === "ended") endLast(told);
  return { of, told };
};

const denied = (at: At, index = 0): readonly Refusal[] => {
  const { of, told } = scene(at);
  const before = told.state().denials.size;
  const step = of[index] ?? assert.fail("it has two steps");
  const refusals = refusalsOf(told.ask({ kind: "deny", of: step, reason: "not today" }, { by: BOB }));
  assert.equal(told.state().denials.size, before + (refusals.length === 0 ? 1 : 0), "a no that is refused is none");
  return refusals;
};
cannot("P7-A2", "deny a step that is claimed as if that stopped its call", {
  neighbour: () => denied("unclaimed"),
  offence: () => coded("step-claimed", denied("claimed")),
});
cannot("B6", "deny a step that was tried", {
  neighbour: () => denied("ended", 1),
  offence: () => coded("step-consumed", denied("ended")),
});
test("the other steps of a plan are denied while one is claimed", () => {
  assert.deepEqual(denied("claimed", 1), []);
});

const canceled = (at: At, setting?: Setting): readonly Refusal[] => {
  const { of, told } = scene(at, setting);
  const plan = of[0]?.plan ?? assert.fail("it has a step");
  const refusals = refusalsOf(told.ask({ kind: "cancel", plan, reason: "not needed" }));
  assert.equal(recall(told.state().plans, plan)?.closed, refusals.length === 0 ? "canceled" : undefined);
  return refusals;
};
cannot("P7-A2", "cancel a plan of which a step is claimed as if that stopped its call", {
  neighbour: () => canceled("unclaimed"),
  offence: () => coded("step-claimed", canceled("claimed")),
});
cannot("B6", "cancel a plan of which every step was tried", {
  neighbour: () => canceled("ended"),
  offence: () => coded("step-consumed", canceled("ended", {})),
});
/** An approval of one step is taken back by whoever gave it; the first step is untouched, claimed, or over. */
const takenBack = (at: At, index = 0, environment = "home"): readonly Refusal[] => {
  const { of, told } = scene("unclaimed");
  const [first, approved] = [of[0], of[index]].map((one) => one ?? assert.fail("it has two steps"));
  assert.equal(approve(told, approved ?? assert.fail("it is there"), BOB).kind, "approved");
  const approval = lastId(told);
  if (at !== "unclaimed") assert.equal(apply(told, first ?? assert.fail("it is there")).kind, "intended");
  if (at === "ended") endLast(told);
  const plan = first?.plan ?? assert.fail("it is there");
  const revoking = { approval, kind: "revoke", plan, reason: "on second thought" } as const;
  const refusals = refusalsOf(told.ask(revoking, { by: BOB, environment }));
  assert.equal(recall(told.state().plans, plan)?.approvals.length, refusals.length === 0 ? 0 : 1);
  return refusals;
};
cannot("P7-A2", "take back an approval of a step that is claimed as if that stopped its call", {
  neighbour: () => takenBack("unclaimed"),
  offence: () => coded("step-claimed", takenBack("claimed")),
});
cannot("B6", "take back an approval of a step that was tried", {
  neighbour: () => takenBack("ended", 1),
  offence: () => coded("step-consumed", takenBack("ended")),
});
cannot("B3", "take back an approval from another environment than its plan's", {
  neighbour: () => takenBack("unclaimed"),
  offence: () => coded("plan-foreign", takenBack("unclaimed", 0, "away")),
});
test("approvals of the other steps of a plan are taken back while one is claimed", () => {
  assert.deepEqual(takenBack("claimed", 1), []);
});
test("what is claimed is named by its intent, with what would stop a call that has not left", () => {
  const { of, told } = scene("claimed");
  const intent = lastId(told);
  const step = of[0] ?? assert.fail("it has a step");
  const [refusal] = refusalsOf(told.ask({ kind: "deny", of: step, reason: "not today" }, { by: BOB }));
  assert.deepEqual(refusal?.facts, { action: "vm.start", environment: "home", intent, name: "web-01" });
  assert.deepEqual(nextStepsOf(refusal ?? assert.fail()), [{ ask: "freeze", with: { environment: "home" } }]);
});

/** A stop is denied; then it is planned again. */
const deniedBefore = (): { readonly of: StepRef; readonly told: Story } => {
  const told = story();
  const first = planned(told, STOP);
  told.ask({ kind: "deny", of: first.of, reason: "not during business hours" }, { by: BOB });
  return { of: planned(told, STOP).of, told };
};
const deniedIn = (told: Story, { plan, step }: StepRef): Explanation["denied"] =>
  explanationOf(told.state(), recall(told.state().plans, plan) ?? assert.fail("it is known"), step).denied;

test("the last denial of an action on a VM is a fact of every later explanation of the same, and of nothing else", () => {
  const { of, told } = deniedBefore();
  const denial = told.records.find(({ kind }) => kind === "deny") ?? assert.fail("it was denied");
  const { auditId: id, processTime: at } = denial;
  assert.deepEqual(deniedIn(told, of), { at, by: "bob", id, reason: "not during business hours" });
  const isNone = (one: StepRef): boolean => deniedIn(told, one) === undefined;
  const reset = planned(told, { ...STOP, action: { kind: "vm.reset" } });
  assert.ok(isNone(reset.of), "another action");
  const elsewhere = planned(told, { ...STOP, environment: "away" });
  assert.ok(isNone(elsewhere.of), "another environment");
  const other = planned(told, {
    vms: [vmState(), vmState({ name: "web-02", vmid: vmidOf(102) })],
    entries: [wantRunning(), wantStopped("power-off", { name: "web-02", vmid: vmidOf(102) })],
  });
  assert.ok(isNone(other.of), "another VM");
});

test("a denial is kept for good, and a later one takes its place", () => {
  const { told } = deniedBefore();
  told.pass(400 * 24 * 60 * 60_000);
  const { of } = planned(told, STOP);
  const environment = { environment: "home" };
  assert.equal(lastDenialOf(told.state(), environment, of.step)?.by, "bob");
  told.ask({ kind: "deny", of, reason: "still not" });
  assert.equal(lastDenialOf(told.state(), environment, of.step)?.by, "alice");
  const { by, reason } = deniedIn(told, planned(told, STOP).of) ?? {};
  assert.deepEqual([by, reason], ["alice", "still not"]);
});

cannot("P7-A2", "approve what was denied before without having read that", {
  neighbour: () => {
    const { of, told } = deniedBefore();
    return [...refusalsOf(approve(told, of, CAROL)), ...refusalsOf(apply(told, of))];
  },
  offence: () => {
    const told = story();
    const first = planned(told, STOP);
    // What would be read if nobody had ever said no.
    const explanation = explanationHash(told, planned(told, { ...STOP, by: CAROL }).of);
    told.ask({ kind: "deny", of: first.of, reason: "no" }, { by: BOB });
    const { of } = planned(told, { ...STOP, by: CAROL });
    const result = told.ask({ explanation, kind: "approve", of, reason: "agreed" }, { by: CAROL });
    return coded("explanation-differs", refusalsOf(result));
  },
});

type Between = (told: Story) => void;
/** Another plan's same step is denied, or another step is, after people agreed to this one. */
const denying =
  (setting: Setting): Between =>
  (told) => {
    const { of } = planned(told, { ...setting, by: CAROL });
    assert.equal(told.ask({ kind: "deny", of, reason: "no" }, { by: BOB }).kind, "done");
  };
const RESET: Setting = { ...STOP, action: { kind: "vm.reset" } };

const approvedThen = (between: Between): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, STOP);
  approve(told, of, ALICE);
  between(told);
  return refusalsOf(apply(told, of));
};
cannot("P7-A2", "count an approval that was given before somebody denied the same", {
  neighbour: () => approvedThen(denying(RESET)),
  offence: () => coded("approval-missing", approvedThen(denying(STOP))),
});
const agentThen = (between: Between): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, { ...STOP, by: ROBO });
  approve(told, of, BOB);
  approve(told, of, CAROL);
  between(told);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, door: "service" }));
};
cannot("P7-A2", "let an agent apply on approvals that were given before somebody denied the same", {
  neighbour: () => agentThen(denying(RESET)),
  offence: () => coded("approval-missing", agentThen(denying(STOP))),
});
const challenged = (told: Story, of: StepRef): Confirmation => {
  const challenge = told.ask({ kind: "challenge", of });
  const explanation = challenge.kind === "challenged" ? challenge.explanation : assert.fail("it is challenged");
  return { challenge: lastId(told), explanation };
};
const challengedThen = (between: Between): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, STOP);
  const confirmation = challenged(told, of);
  between(told);
  approve(told, of, CAROL);
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }));
};
cannot("P7-A2", "confirm with a challenge of before somebody denied the same", {
  neighbour: () => challengedThen(denying(RESET)),
  offence: () => coded("explanation-differs", challengedThen(denying(STOP))),
});

test("a step is explained anew where the same was denied in between, and where it is another, though its plan is untouched", () => {
  const confirmed = (between: Between, change: Partial<PlanStep> = {}): readonly string[] => {
    const told = story();
    const { of } = planned(told, STOP);
    const confirmation = challenged(told, of);
    between(told);
    return codesOf(told.ask({ confirmation, kind: "apply", of: { ...of, step: { ...of.step, ...change } } }));
  };
  assert.deepEqual(confirmed(denying(RESET)), ["approval-missing"]);
  assert.deepEqual(confirmed(denying(STOP)), ["approval-missing", "explanation-differs"]);
  assert.deepEqual(confirmed(denying(RESET), { name: "another" }), ["step-unknown"]);
});

test("what was denied before is approved and applied by whoever read that", () => {
  const { of, told } = deniedBefore();
  assert.deepEqual(codesOf(apply(told, of)), ["approval-missing"]);
  assert.equal(approve(told, of, BOB).kind, "approved");
  assert.equal(apply(told, of).kind, "intended");
});
