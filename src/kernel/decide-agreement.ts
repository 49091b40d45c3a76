// The decisions of people on one step: approve, deny, revoke; and the challenge that a confirmation answers.
//
// Each is bound to the plan, the step and the explanation that was read. The explanation is made here again, so that
// nobody agrees to a text that was not the kernel's. Keeps P7-A2, B2.

import { explainAnswer } from "../spine/explain.ts";
import { later } from "../spine/instant.ts";
import type { Explanation, PlanStep, Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { tierUnder } from "../spine/safety.ts";
import { endOf, needsOf } from "./agreement.ts";
import { chosen, environmentOf, reasonRefusal } from "./grounds.ts";
import { recall } from "./recent.ts";
import type { Command } from "./request.ts";
import { type Decider, DONE, refused, unless } from "./result.ts";
import { policyOf } from "./stands-on.ts";
import type { PlanState, State } from "./state.ts";

export const CONFIRMATION_MS = 5 * 60_000;

/** What is read before anybody agrees. A plan that was refused has no step to agree to, so the verdict is never that. */
export const explanationOf = (plan: PlanState, step: PlanStep): Explanation =>
  explainAnswer(
    { environment: plan.environment, hash: plan.hash, look: { complete: plan.complete, gaps: [] } },
    { kind: "needs-approval", tiers: [] },
    step,
    step.vmid,
  );

export const decideWaiting: Decider<"request-approval"> = (state, command, at) => {
  const found = chosen(state, command, command.request, at);
  return "kind" in found ? refused(found) : unless(found.refusals, () => DONE);
};

export const decideApproval: Decider<"approve"> = (state, command, at) => {
  const { of, reason, until } = command.request;
  const found = chosen(state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const end = endOf(of.step, found.plan.observedAt, policyOf(environmentOf(state, command))) ?? at;
  const expiresAt = until !== undefined && until < end ? until : end;
  return unless(
    [
      ...found.refusals,
      reasonRefusal(reason),
      explanationRefusal(found.plan, of.step, command.request.explanation),
      ownRefusal(state, command, found.plan),
    ],
    () => ({ result: { expiresAt, kind: "approved" } }),
  );
};

export const explanationRefusal = (plan: PlanState, step: PlanStep, shown: string): Refusal | undefined =>
  explanationOf(plan, step).hash === shown
    ? undefined
    : refuse("explanation-differs", { because: "the hash is not that of this step's explanation", vmid: step.vmid });

/** Where four eyes are required, whoever asked for the plan cannot approve it. The applier is held against it at apply. */
const ownRefusal = (state: State, command: Command, plan: PlanState): Refusal | undefined => {
  const isOwn = plan.requester.id === command.actor.id;
  return isOwn && environmentOf(state, command)?.approval !== "single-operator"
    ? refuse("approval-own", { because: `${command.actor.id} asked for the plan` })
    : undefined;
};

/** A denial needs a plan and a reason and nothing more: it may come at any time, also when the plan is over. */
export const decideDenial: Decider<"deny"> = (state, command, at) => {
  const found = chosen(state, command, command.request, at);
  return "kind" in found ? refused(found) : unless([reasonRefusal(command.request.reason)], () => DONE);
};

export const decideRevocation: Decider<"revoke"> = (state, { actor, request }) => {
  const approval = recall(state.plans, request.plan)?.approvals.find(({ id }) => id === request.approval);
  const because = approval === undefined ? "there is no such approval" : `it is ${approval.by}'s`;
  return unless(
    [approval?.by === actor.id ? undefined : refuse("approval-unknown", { because }), reasonRefusal(request.reason)],
    () => DONE,
  );
};

export const decideChallenge: Decider<"challenge"> = (state, command, at) => {
  const found = chosen(state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const { step } = command.request.of;
  return unless(found.refusals, () => ({
    result: {
      expiresAt: later(at, CONFIRMATION_MS),
      explanation: explanationOf(found.plan, step).hash,
      kind: "challenged",
      typedName: isNameTyped(state, command, step),
    },
  }));
};

const isNameTyped = (state: State, command: Command, step: PlanStep): boolean => {
  const environment = environmentOf(state, command);
  const mode = environment?.approval ?? "four-eyes";
  return needsOf(tierUnder(step, policyOf(environment)), mode, command.actor)?.typedName ?? false;
};
