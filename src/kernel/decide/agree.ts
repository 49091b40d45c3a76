// The decisions of people on one step: approve, deny, revoke; and the challenge that a confirmation answers.
//
// Each is bound to the plan, the step and the explanation that was read. The explanation is made here again, so that
// nobody agrees to a text that was not the kernel's. Keeps P7-A2, B2.

import type { Ulid } from "../../ledger/record/record.ts";
import type { Explanation, PlanStep, Refusal, Verdict } from "../../spine/model.ts";
import type { Hand } from "../../spine/plan/policy.ts";
import { tierUnder } from "../../spine/plan/safety.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { later } from "../../spine/values/instant.ts";
import type { Command, StepRef } from "../command/request.ts";
import { DONE, refused, unless } from "../command/result.ts";
import { lastDenialOf } from "../state/last-denial.ts";
import { servedOidc } from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { type IntentState, openIntent, type PlanState, type State } from "../state/state.ts";
import { appliersOf, endOf, isOneHand, needsOf } from "./agreement.ts";
import { chosen, environmentOf, foreignPlanRefusal, reasonRefusal } from "./grounds.ts";
import { handsOn } from "./policy-limits.ts";
import { type Decider, RULEBOOK, type Rulebook } from "./rulebook.ts";
import { wordsRefusal } from "./shown-words.ts";
import { policyOf } from "./stands-on.ts";

const CONFIRMATION_MS = 5 * 60_000;

/** Of a plan that was refused nobody can agree to a step, so whoever agrees needs no more than this. */
const AGREEABLE: Verdict = { kind: "needs-approval", tiers: [] };

/**
 * What is read before anybody agrees, under the rules of this program. Whoever only shows it brings the plan's verdict,
 * which may be that it is refused.
 */
export const explanationOf = (
  state: State,
  plan: PlanState,
  step: PlanStep,
  verdict: Verdict = AGREEABLE,
): Explanation => explanationUnder(RULEBOOK, state, plan, step, verdict);

/** With the last denial of the same action on the same VM, of whichever plan. */
export const explanationUnder = (
  { explain }: Rulebook,
  state: State,
  plan: PlanState,
  step: PlanStep,
  verdict: Verdict = AGREEABLE,
): Explanation => {
  const denied = lastDenialOf(state, plan, step);
  const outline = {
    environment: plan.environment,
    hash: plan.hash,
    observation: { complete: plan.complete, gaps: [] },
    ...(plan.asks === undefined ? {} : { policy: plan.asks }),
  };
  return explain(denied === undefined ? outline : { ...outline, denied }, verdict, step, step.vmid);
};

export const decideWaiting: Decider<"request-approval"> = (state, command, at, rules) => {
  const { reason } = command.request;
  const found = chosen(rules, state, command, command.request, at);
  if ("kind" in found) return refused(found);
  return unless([...found.refusals, reason === undefined ? undefined : reasonRefusal(reason)], () => DONE);
};

export const decideApproval: Decider<"approve"> = (state, command, at, rules) => {
  const { of, reason, until } = command.request;
  const found = chosen(rules, state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const policy = policyOf(environmentOf(state, command));
  const end = endOf(rules, of.step, found.plan.observedAt, policy, handsOn(found.plan, command)) ?? at;
  // An approval ends with the token that gave it, if that comes first.
  const ends = [end, until, get(state.subjects, command.actor.id)?.expiresAt].filter((one) => one !== undefined);
  const expiresAt = ends.reduce((first, one) => (one < first ? one : first));
  return unless(
    [
      ...found.refusals,
      reasonRefusal(reason),
      explanationRefusal(rules, state, found.plan, of, command.request.explanation),
      wordsRefusal(state, command, of.step.vmid),
      ...fourEyesRefusals(state, command, found.plan),
    ],
    () => ({ result: { appliers: appliersOf(found.plan), expiresAt, kind: "approved" } }),
  );
};

const explanationRefusal = (
  rules: Rulebook,
  state: State,
  plan: PlanState,
  { index, step }: StepRef,
  shown: string,
): Refusal | undefined =>
  explanationUnder(rules, state, plan, step).hash === shown
    ? undefined
    : refuse("explanation-differs", {
        cause: "approved",
        facts: { plan: plan.id, step: index + 1 },
        vmid: step.vmid,
      });

/**
 * Where four eyes are required, an approval at the ledger's own files is none, and nobody approves who asked for the
 * plan or could be the one who did. The applier is held against it at apply.
 */
const fourEyesRefusals = (state: State, command: Command, plan: PlanState): readonly (Refusal | undefined)[] => {
  const { actor, door } = command;
  if (environmentOf(state, command)?.approval === "single-operator") return [];
  return [
    door === "local" ? serviceNeeded() : undefined,
    requesterRefusal(state, plan),
    plan.requester.id === actor.id
      ? refuse("approval-own", { cause: "asked", facts: { actor: actor.id } })
      : isOneHand(state, actor.id, plan.requester)
        ? oneHand([actor.id], [plan.requester.id])
        : undefined,
  ];
};

/** Where people sign in, whoever asked by a token could be the very person who approves. An agent could not. */
const requesterRefusal = (state: State, { requester: { id, kind } }: PlanState): Refusal | undefined => {
  const isKnown = get(state.people, id)?.known.kind === "oidc";
  const oidc = kind === "person" && !isKnown ? servedOidc(state) : undefined;
  return oidc === undefined
    ? undefined
    : refuse("people-by-oidc", { cause: "requester", facts: { issuer: oidc.issuer, requester: id } });
};

export const serviceNeeded = (): Refusal => refuse("service-needed", { cause: "door" });

export const oneHand = (approvers: readonly string[], others: readonly string[]): Refusal =>
  refuse("approval-made", { facts: { approvers, others } });

/**
 * A denial needs a plan and a reason: it may come at any time, also when the plan is over, because it is kept for good.
 * Only a step that was claimed it cannot stop any more, and then it is never a yes.
 */
export const decideDenial: Decider<"deny"> = (state, command, at, rules) => {
  const { of, reason } = command.request;
  const found = chosen(rules, state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const intent = get(found.plan.consumed, String(of.index));
  return unless(
    [intent === undefined ? undefined : takenRefusal(state, intent, of.step), reasonRefusal(reason)],
    () => DONE,
  );
};

const takenRefusal = (state: State, id: Ulid, about: Partial<Pick<PlanStep, "vmid">> = {}): Refusal => {
  const open = openIntent(state, id);
  const { vmid } = about;
  return open === undefined
    ? refuse("step-consumed", {
        cause: "intent",
        facts: { intent: id },
        ...(vmid === undefined ? {} : { vmid }),
      })
    : claimedRefusal(open);
};

export const claimedRefusal = ({ action, environment, id, name, vmid }: IntentState): Refusal =>
  refuse("step-claimed", { facts: { action, environment, intent: id, name }, vmid });

/** Taking back a yes is a no: where the step is taken it would stop nothing, and is refused as a denial is. */
export const decideRevocation: Decider<"revoke"> = (state, command) => {
  const { actor, request } = command;
  const plan = recall(state.plans, request.plan);
  const foreign = plan === undefined ? undefined : foreignPlanRefusal(state, command, plan);
  if (foreign !== undefined) return refused(foreign);
  const approval = plan?.approvals.find(({ id }) => id === request.approval);
  if (plan === undefined || approval?.by !== actor.id) {
    const unknown =
      approval === undefined
        ? refuse("approval-unknown", { cause: "absent" })
        : refuse("approval-unknown", { cause: "foreign", facts: { by: approval.by } });
    return unless([unknown, reasonRefusal(request.reason)], () => DONE);
  }
  const intent = get(plan.consumed, String(approval.index));
  return unless(
    [intent === undefined ? undefined : takenRefusal(state, intent), reasonRefusal(request.reason)],
    () => DONE,
  );
};

export const decideChallenge: Decider<"challenge"> = (state, command, at, rules) => {
  const found = chosen(rules, state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const { step } = command.request.of;
  return unless([...found.refusals, wordsRefusal(state, command, step.vmid)], () => ({
    result: {
      expiresAt: later(at, CONFIRMATION_MS),
      explanation: explanationUnder(rules, state, found.plan, step).hash,
      kind: "challenged",
      typedName: isNameTyped(rules, state, command, step, handsOn(found.plan, command)),
    },
  }));
};

const isNameTyped = (
  rules: Rulebook,
  state: State,
  command: Command,
  step: PlanStep,
  hands: readonly Hand[],
): boolean => {
  const environment = environmentOf(state, command);
  const mode = environment?.approval ?? "four-eyes";
  const needs = needsOf(rules, tierUnder(step, policyOf(environment), rules.actions, hands), mode, command.actor);
  return needs !== "refused" && needs.typedName;
};
