// Where a plan and its steps stand at an instant: derived from the state, never stored.

import type { Actor } from "../../ledger/record/record.ts";
import type { Instant, InvitedParty, PlanStep, Sha256, Tier, Vmid } from "../../spine/model.ts";
import { refusedByPolicy, tierUnder } from "../../spine/plan/safety.ts";
import type { RefusalCode } from "../../spine/rules/refusals.ts";
import type { RecordedEnvironment } from "../command/recorded-config.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { type PlanState, type State, vmKey } from "../state/state.ts";
import { explanationOf } from "./agree.ts";
import { approversOf, endOf, type Needs, needsOf, validApprovals } from "./agreement.ts";
import { agreementsOf, type TierAgreement } from "./agreement-table.ts";
import { invitedParties } from "./invited-parties.ts";
import { handsOn } from "./policy-limits.ts";
import { RULEBOOK } from "./rulebook.ts";
import { groundRefusals, groundsOf, policyOf } from "./stands-on.ts";

export type StepStatus =
  | "planned"
  | "refused"
  | "denied"
  | "blocked"
  | "awaiting-approval"
  | "approved"
  | "awaiting-confirmation"
  | "applying"
  | "applied"
  | "failed"
  | "unknown"
  | "expired"
  | "configuration-changed"
  | "desired-changed"
  | "policy-changed"
  | "rules-changed"
  | "canceled"
  | "requester-revoked"
  | "superseded"
  | "voided";

const ENDED = { failed: "failed", succeeded: "applied", unknown: "unknown" } as const;

const CHANGED: { readonly [K in RefusalCode]?: StepStatus } = {
  "configuration-differs": "configuration-changed",
  "policy-differs": "policy-changed",
  "rules-differ": "rules-changed",
};

export type StepProgress = {
  /** What its tier needs here, of people and of agents. */
  readonly agreements: readonly TierAgreement[];
  readonly approvedBy: readonly string[];
  readonly endsAt: Instant | undefined;
  /** Who asked for it or approved it, and was invited. */
  readonly invited: readonly InvitedParty[];
  readonly needed: number; // approvals; 0 where none are
  readonly status: StepStatus;
  readonly tier: Tier;
};

/** What a step is judged by: of its environment's configuration, and what is registered for its VM. */
export type Terms = Pick<RecordedEnvironment, "approval" | "policy"> & {
  /** The hash of a VM's registered entry; undefined where it has none. */
  readonly entryOf: (vmid: Vmid) => Sha256 | undefined;
  readonly section?: Sha256; // absent where the environment is not configured
};

/** How one step stands, for whoever would apply it. */
export const stepProgressOf = (
  state: State,
  plan: PlanState,
  index: number,
  step: PlanStep,
  at: Instant,
  terms: Terms,
  reader: Pick<Actor, "id" | "kind">,
): StepProgress => {
  const policy = policyOf(terms);
  // What an agent asked for is approved for that agent, whoever reads how it stands.
  const applier = plan.requester.kind === "agent" ? { id: plan.requester.id, kind: "agent" as const } : reader;
  const hands = handsOn(plan, { actor: applier, kind: "apply" });
  const tier = tierUnder(step, policy, RULEBOOK.actions, hands);
  const needs = needsOf(RULEBOOK, tier, terms.approval, applier);
  const approvals = validApprovals(plan, step, at, applier, explanationOf(state, plan, step).hash);
  const approvedBy = needs === "refused" ? [] : approversOf(state, approvals, plan, applier, needs);
  const endsAt = endOf(RULEBOOK, step, plan.observedAt, policy, hands);
  const needed = needs === "refused" ? 0 : needs.approvals;
  const agreement = agreementOf(needs, approvedBy.length, refusedByPolicy(step, policy, hands).length > 0);
  const status = statusOf(state, plan, index, step, at, terms, { agreement, endsAt });
  const invited = invitedParties(state, plan, step);
  return { agreements: agreementsOf(tier, [terms.approval]), approvedBy, endsAt, invited, needed, status, tier };
};

/**
 * What is still to come from people; nobody's agreement is enough where nothing is said to be. Whom the policy refuses
 * the step may still approve it for others, and is told that this is awaited.
 */
const agreementOf = (needs: Needs | "refused", approvals: number, isRefusedByPolicy: boolean): Agreement => {
  if (needs === "refused") return needs;
  if (approvals < needs.approvals) return "awaiting-approval";
  if (isRefusedByPolicy) return "refused";
  return needs.confirmation ? "awaiting-confirmation" : "approved";
};
type Agreement = Extract<StepStatus, "approved" | "awaiting-approval" | "awaiting-confirmation" | "refused">;

const statusOf = (
  state: State,
  plan: PlanState,
  index: number,
  step: PlanStep,
  at: Instant,
  terms: Terms,
  { agreement, endsAt: end }: { readonly agreement: Agreement } & Pick<StepProgress, "endsAt">,
): StepStatus => {
  const intent = get(plan.consumed, String(index));
  if (intent !== undefined) {
    // An intent that is open is not among those with an outcome.
    const outcome = recall(state.intents, intent)?.end?.outcome;
    return outcome === undefined ? "applying" : ENDED[outcome];
  }
  if (plan.verdict === "refused") return "refused";
  if (plan.denials.some((denial) => denial.step === step.hash)) return "denied";
  if (plan.closed !== undefined) return plan.closed;
  const policy = policyOf(terms);
  const [changed] = groundRefusals(plan, groundsOf(terms.section, policy), step.vmid);
  if (changed !== undefined) return CHANGED[changed.code] ?? "refused";
  if (terms.entryOf(step.vmid) !== step.entry) return "desired-changed";
  if (end === undefined || at >= end) return "expired";
  if (agreement === "refused") return agreement;
  if (get(state.blocked, vmKey(plan.environment, step.vmid)) !== undefined) return "blocked";
  return plan.bars === undefined || agreement === "awaiting-approval" ? agreement : "planned";
};

export type PlanStatus = Exclude<StepStatus, "awaiting-confirmation"> | "nothing-to-do";

/**
 * What a whole plan is called by, the first that one of its steps has: what is under way, then what somebody must do.
 */
const CALLED_BY: readonly PlanStatus[] = [
  "applying",
  "unknown",
  "failed",
  "blocked",
  "awaiting-approval",
  "approved",
  "planned",
  "denied",
  "expired",
  "configuration-changed",
  "policy-changed",
  "rules-changed",
  "desired-changed",
  "refused",
  "applied",
];

/** How a whole plan stands, by how its steps do. */
export const planStatusOf = (
  { closed, verdict }: Pick<PlanState, "closed" | "verdict">,
  steps: readonly Pick<StepProgress, "needed" | "status">[],
): PlanStatus => {
  if (verdict === "refused") return "refused";
  if (steps.length === 0) return "nothing-to-do";
  const statuses = new Set(steps.map(calledAlone));
  if (closed !== undefined && statuses.has(closed)) return closed;
  return CALLED_BY.find((status) => statuses.has(status)) ?? "planned";
};

/** Whoever applies a step confirms it, always: what is told of it is whether others have agreed. */
const calledAlone = ({ needed, status }: Pick<StepProgress, "needed" | "status">): PlanStatus => {
  if (status !== "awaiting-confirmation") return status;
  return needed > 0 ? "approved" : "planned";
};
