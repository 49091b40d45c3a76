// Where a plan and its steps stand at an instant: derived from the state, never stored.

import type { Actor } from "../ledger/record.ts";
import type { Instant, PlanStep, Tier } from "../spine/model.ts";
import { type Policy, tierUnder } from "../spine/safety.ts";
import { approversOf, endOf, needsOf } from "./agreement.ts";
import type { EnvironmentSnapshot } from "./config-snapshot.ts";
import { openIntent } from "./decide-outcome.ts";
import { policyNamed, policyOf } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import { recall } from "./recent.ts";
import type { PlanState, State } from "./state.ts";

export type StepStatus =
  | "planned"
  | "refused"
  | "denied"
  | "awaiting-approval"
  | "awaiting-confirmation"
  | "applying"
  | "applied"
  | "failed"
  | "unknown"
  | "expired"
  | "policy-changed"
  | "canceled"
  | "superseded"
  | "voided";

const ENDED = { failed: "failed", succeeded: "applied", unknown: "unknown" } as const;

export type StepStanding = {
  readonly approvedBy: readonly string[];
  readonly endsAt: Instant | undefined;
  readonly needed: number; // approvals; 0 where none are
  readonly status: StepStatus;
  readonly tier: Tier;
};

/** What of an environment's configuration a step is judged by. */
export type Terms = Pick<EnvironmentSnapshot, "approval" | "policy">;

/** How one step stands, for somebody who would apply it. */
export const standingOf = (
  state: State,
  plan: PlanState,
  index: number,
  step: PlanStep,
  at: Instant,
  terms: Terms,
  applier: Pick<Actor, "id" | "kind">,
): StepStanding => {
  const policy = policyOf(terms);
  const tier = tierUnder(step, policy);
  const needs = needsOf(tier, terms.approval, applier);
  const approvedBy = needs === undefined ? [] : approversOf(plan, step, at, applier, needs);
  const endsAt = endOf(step, plan.observedAt, policy);
  const needed = needs?.approvals ?? 0;
  const status = statusOf(state, plan, index, step, at, policy, approvedBy.length >= needed);
  return { approvedBy, endsAt, needed, status, tier };
};

const statusOf = (
  state: State,
  plan: PlanState,
  index: number,
  step: PlanStep,
  at: Instant,
  policy: Policy,
  isAgreed: boolean,
): StepStatus => {
  const intent = get(plan.consumed, String(index));
  if (intent !== undefined) {
    const outcome = openIntent(state, intent) === undefined ? recall(state.intents, intent)?.outcome : undefined;
    return outcome === undefined ? "applying" : ENDED[outcome];
  }
  if (plan.verdict === "refused") return "refused";
  if (plan.denials.some((denial) => denial.step === step.hash)) return "denied";
  if (plan.closed !== undefined) return plan.closed;
  if (plan.policy !== policyNamed(policy)) return "policy-changed";
  const end = endOf(step, plan.observedAt, policy);
  if (end === undefined || at >= end) return "expired";
  if (!isAgreed) return "awaiting-approval";
  return plan.bars === undefined ? "awaiting-confirmation" : "planned";
};
