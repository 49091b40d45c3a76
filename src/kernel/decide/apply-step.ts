// apply: the decision that a step will be tried, once. Everything is judged here together and on one state: the plan,
// the step, what it stands on, who agreed, the confirmation, the VM. What is granted is an intent with its deadlines.
//
// Every objection is listed, not the first. Keeps P7-A2, P7-E1, P7-E2, B1, B2, B6.

import type { Actor } from "../../ledger/record/record.ts";
import type { Instant, PlanStep, Refusal, Sha256, Vmid } from "../../spine/model.ts";
import { tierUnder } from "../../spine/plan/safety.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { later } from "../../spine/values/instant.ts";
import type { Command, Door, StepRef } from "../command/request.ts";
import { refused, unless } from "../command/result.ts";
import { lastDenialOf } from "../state/last-denial.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { SEND_MS, SETTLE_MS } from "../state/spans.ts";
import { type Approval, type Challenge, type PlanState, type State, vmKey } from "../state/state.ts";
import { explanationUnder, oneHand, serviceNeeded } from "./agree.ts";
import { appliersOf, approversOf, mayApply, type Needs, needsOf, type Subject, validApprovals } from "./agreement.ts";
import { chosen, environmentOf, unknownEnvironment } from "./grounds.ts";
import { handsOn, windowEnd } from "./policy-limits.ts";
import type { Decider } from "./rulebook.ts";
import { confirmedWordsRefusal, wordsRefusal } from "./shown-words.ts";
import { policyOf } from "./stands-on.ts";

type Apply = Command<"apply">;

export const decideApply: Decider<"apply"> = (state, command, at, rules) => {
  const { step } = command.request.of;
  const found = chosen(rules, state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const environment = environmentOf(state, command);
  if (environment === undefined) return refused(unknownEnvironment(command));
  const policy = policyOf(environment);
  const hands = handsOn(found.plan, command);
  const tier = tierUnder(step, policy, rules.actions, hands);
  const needs = needsOf(rules, tier, environment.approval, command.actor);
  if (needs === "refused") return refused(irreversibleByAgent(step));
  const explanation =
    explainedBefore(state, command, found.plan) ?? explanationUnder(rules, state, found.plan, step).hash;
  const { actor, door } = command;
  const agreed = agreedOf(state, found.plan, step, at, actor, needs, explanation);
  const { approvedBy } = agreed;
  return unless(
    [
      ...found.refusals,
      ...applierRefusals(state, found.plan, command.request.of, { actor, door }, agreed),
      ...confirmationRefusals(state, command, { explanation, needs }, at),
    ],
    () => ({
      result: {
        approvedBy,
        kind: "intended",
        sendBy: earlier(later(at, SEND_MS), windowEnd(policy, step, hands, at)),
        settleBy: later(at, SETTLE_MS(step.action.kind)),
      },
    }),
  );
};

/** The call is not sent after the hours that a policy allows, also where it was claimed within them. */
const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one;

/**
 * What the challenge explained, where it was this step of this plan and the last denial is the same: an explanation is
 * made of nothing else, and to make it again would give the same hash.
 */
const explainedBefore = (
  state: State,
  { request: { confirmation, of } }: Apply,
  plan: PlanState,
): Sha256 | undefined => {
  const challenge = confirmation === undefined ? undefined : recall(state.challenges, confirmation.challenge);
  const isSame =
    challenge !== undefined &&
    challenge.plan === plan.id &&
    challenge.step === of.step.hash &&
    challenge.denied === lastDenialOf(state, plan, of.step)?.id;
  return isSame ? challenge.explanation : undefined;
};

export const irreversibleByAgent = ({ action, vmid }: PlanStep): Refusal =>
  refuse("agent-irreversible", { facts: { action: action.kind }, vmid });

type Agreed = {
  readonly approvals: readonly Approval[];
  readonly approvedBy: readonly string[];
  readonly needs: Needs;
};

/** Who agreed to a step, and what its tier needs of whoever applies it. */
export const agreedOf = (
  state: State,
  plan: PlanState,
  step: PlanStep,
  at: Instant,
  applier: Subject,
  needs: Needs,
  explanation: Sha256,
): Agreed => {
  const approvals = validApprovals(plan, step, at, applier, explanation);
  return { approvals, approvedBy: approversOf(state, approvals, plan, applier, needs), needs };
};

/** Who applies, and by which door. */
export type ApplierAtDoor = { readonly actor: Pick<Actor, "id" | "kind">; readonly door: Door };

/** What stands against this applier, the VM or the approvals; everything but the plan itself and the confirmation. */
export const applierRefusals = (
  state: State,
  plan: PlanState,
  of: Pick<StepRef, "index" | "step">,
  { actor, door }: ApplierAtDoor,
  agreed: Agreed,
): readonly (Refusal | undefined)[] => [
  door === "local" && !agreed.needs.localCounts ? serviceNeeded() : undefined,
  foreignRefusal(plan, actor, of.step),
  vmRefusal(state, plan, of.step),
  agreed.approvedBy.length < agreed.needs.approvals ? approvalRefusal(state, plan, of, actor, agreed) : undefined,
];

/** Whatever was agreed to was agreed to for the agent that asked. */
const foreignRefusal = ({ requester }: PlanState, actor: Subject, { vmid }: PlanStep): Refusal | undefined =>
  actor.kind !== "agent" || requester.id === actor.id
    ? undefined
    : refuse("agent-foreign-plan", { facts: { actor: actor.id, requester: requester.id }, vmid });

const vmRefusal = (state: State, { environment }: PlanState, { vmid }: PlanStep): Refusal | undefined => {
  const key = vmKey(environment, vmid);
  const blocking = get(state.blocked, key);
  if (blocking !== undefined) {
    return refuse("vm-blocked", { facts: { action: blocking.action, environment, intent: blocking.id }, vmid });
  }
  const open = get(state.open, key);
  return open === undefined ? undefined : refuse("vm-busy", { facts: { action: open.action, intent: open.id }, vmid });
};

/** Says what would have been enough if it counted; otherwise that there is too little. */
const approvalRefusal = (
  state: State,
  plan: PlanState,
  { index, step }: Pick<StepRef, "index" | "step">,
  actor: Subject,
  { approvedBy, needs, approvals }: Agreed,
): Refusal => {
  const hands = [plan.requester, actor];
  const given = approversOf(state, approvals, plan, actor, { ...needs, ownCounts: true });
  const facts = { approvals: approvedBy.length, needed: needs.approvals };
  if (given.length < needs.approvals) {
    const { requester } = plan;
    // No further approval would help: whatever is approved of this plan is approved for the agent that asked.
    if (!mayApply({ appliers: appliersOf(plan) }, actor)) {
      const cause = "for-the-agent";
      return refuse("approval-missing", { cause, facts: { ...facts, requester: requester.id }, vmid: step.vmid });
    }
    const uncounted = plan.approvals.filter((one) => one.step === step.hash).length - approvedBy.length;
    const of = { plan: plan.id, step: index + 1 };
    return uncounted === 0
      ? refuse("approval-missing", { cause: "too-few", facts: { ...facts, ...of }, vmid: step.vmid })
      : refuse("approval-missing", { cause: "uncounted", facts: { ...facts, ...of, uncounted }, vmid: step.vmid });
  }
  if (given.some((by) => hands.some(({ id }) => id === by))) {
    return refuse("approval-own", { cause: "counted", facts, vmid: step.vmid });
  }
  const made = given.filter((by) => !approvedBy.includes(by));
  return { ...oneHand(made, [...new Set(hands.map(({ id }) => id))]), vmid: step.vmid };
};

const confirmationRefusals = (
  state: State,
  command: Apply,
  { explanation, needs }: { readonly explanation: Sha256; readonly needs: Needs },
  at: Instant,
): readonly (Refusal | undefined)[] => {
  const { actor, instance, request } = command;
  const { confirmation, of } = request;
  const facts = { plan: of.plan, step: of.index + 1 };
  if (!needs.confirmation) {
    return confirmation === undefined
      ? []
      : [refuse("confirmation-spent", { cause: "unneeded", facts, vmid: of.step.vmid })];
  }
  const { step } = of;
  if (confirmation === undefined) {
    return [refuse("confirmation-missing", { cause: "absent", facts, vmid: step.vmid })];
  }
  const challenge = recall(state.challenges, confirmation.challenge);
  const isBound =
    challenge !== undefined &&
    challenge.by === actor.id &&
    challenge.plan === of.plan &&
    challenge.step === step.hash &&
    challenge.explanation === confirmation.explanation &&
    (challenge.instance === undefined || challenge.instance === instance);
  return [
    // A challenge is of what was explained then; somebody may have denied the same since.
    confirmation.explanation === explanation
      ? undefined
      : refuse("explanation-differs", { cause: "confirmed", facts, vmid: step.vmid }),
    wordsRefusal(state, command, step.vmid) ??
      (isBound ? confirmedWordsRefusal(challenge.words, command.words, step.vmid) : undefined),
    isBound
      ? endedRefusal(challenge, facts, at, step.vmid)
      : refuse("confirmation-spent", { cause: "unbound", facts, vmid: step.vmid }),
    (needs.typedName || confirmation.name !== undefined) && confirmation.name !== step.name
      ? refuse("name-not-typed", { facts: { name: step.name }, vmid: step.vmid })
      : undefined,
  ];
};

const endedRefusal = (
  { expiresAt: end }: Challenge,
  facts: { readonly plan: string; readonly step: number },
  at: Instant,
  vmid: Vmid,
): Refusal | undefined =>
  at < end ? undefined : refuse("confirmation-spent", { cause: "ended", facts: { ...facts, end }, vmid });
