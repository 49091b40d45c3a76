// Whether those who agreed are enough: which approvals stand, and whose count. How many a tier needs is a table of its
// own (agreement-table.ts).
//
// The tier is derived from the step; nothing the caller says lowers it. Where four eyes are required, an approval
// counts only through the service, and never from a subject whom the requester or the applier could be: themselves, a
// subject whose token one of them made, or one who made the token of one of them. Keeps P7-A2, B2.

import type { Actor } from "../../ledger/record/record.ts";
import type { Instant, PlanStep, Sha256, Tier, TierNeeds } from "../../spine/model.ts";
import type { Hand, Policy } from "../../spine/plan/policy.ts";
import { tierUnder } from "../../spine/plan/safety.ts";
import { later } from "../../spine/values/instant.ts";
import type { Appliers } from "../command/result.ts";
import { isOperatorName, isStillApprover } from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import type { Approval, PlanState, State } from "../state/state.ts";
import type { ApprovalMode } from "./agreement-table.ts";
import type { Rulebook } from "./rulebook.ts";

export type Needs = Exclude<TierNeeds, "refused"> & {
  /** Whether an approval at the ledger's own files counts. */
  readonly localCounts: boolean;
};

/** Of whoever applies; an actor that is no agent is held to what people are. */
export const needsOf = (
  { agreement, localCounts }: Rulebook,
  tier: Tier,
  mode: ApprovalMode,
  { kind }: Pick<Actor, "kind">,
): Needs | "refused" => {
  const needs = agreement[mode][kind === "agent" ? "agent" : "person"][tier];
  return needs === "refused" ? needs : { ...needs, localCounts: localCounts[mode] };
};

/**
 * Counted from when the world was seen; without that instant a step is over before it begins. A step that a policy
 * raised ends as early as any other of its tier.
 */
export const endOf = (
  { actions, lifeMs }: Rulebook,
  step: PlanStep,
  observedAt: Instant | undefined,
  policy: Policy,
  hands: readonly Hand[],
): Instant | undefined =>
  observedAt === undefined ? undefined : later(observedAt, lifeMs[tierUnder(step, policy, actions, hands)]);

/** `makers` are those of a token that it had before, where what it did then is judged. */
export type Subject = { readonly id: string; readonly kind: string; readonly makers?: readonly string[] };

/**
 * Whether one person could be both: the same subject; an approver whose token this subject made, directly or through
 * others; or, where the subject is a person, an approver who made the token of that subject. An agent's maker may
 * approve what it asks for: an agent is no pair of eyes that is counted. Whoever is at the ledger's own files is one,
 * under every name.
 */
export const isOneHand = (state: State, approver: string, { id, kind, makers = [] }: Subject): boolean =>
  approver === id ||
  isMadeBy(state, approver, id) ||
  (kind === "person" && [...makersOf(state, id), ...makers].includes(approver));

/** Whether the token of one was made by the other, under whatever name that is at the ledger's own files. */
const isMadeBy = (state: State, made: string, by: string): boolean =>
  makersOf(state, made).some((maker) => maker === by || (isOperatorName(state, by) && isOperatorName(state, maker)));

const makersOf = ({ subjects }: State, id: string): readonly string[] => get(subjects, id)?.makers ?? [];

/** Whether an approval names this applier. */
export const mayApply = ({ appliers }: Pick<Approval, "appliers">, { id, kind }: Subject): boolean =>
  appliers.kind === "agent" ? kind === "agent" && appliers.id === id : kind === "person";

/** Who may apply a plan once it is approved: the agent that asked, or the person who confirms. */
export const appliersOf = ({ requester: { id, kind } }: Pick<PlanState, "requester">): Appliers =>
  kind === "agent" ? { id, kind } : { kind: "people" };

/** Approvals of this step that stand at this instant, were given to this explanation, and name this applier. */
export const validApprovals = (
  plan: PlanState,
  step: PlanStep,
  at: Instant,
  applier: Subject,
  explanation: Sha256,
): readonly Approval[] =>
  plan.approvals.filter(
    (approval) =>
      approval.step === step.hash &&
      at < approval.expiresAt &&
      approval.explanation === explanation &&
      mayApply(approval, applier),
  );

/**
 * Each pair of eyes once: whoever made the token of another who approves is not counted beside them, and the ledger's
 * own files are one hand, whatever its operator is called.
 */
const apart = (state: State, approvals: readonly Approval[]): readonly string[] => {
  const people = [...new Set(approvals.map(({ by }) => by))].sort();
  const isAtDesk = (by: string): boolean =>
    get(state.subjects, by) === undefined && get(state.people, by) === undefined;
  const operator = people.find(isAtDesk);
  return people
    .filter((by) => !people.some((other) => isMadeBy(state, other, by)))
    .filter((by) => !isAtDesk(by) || by === operator);
};

/** Different people among them whose approval counts for this applier; who lost the role has agreed to nothing. */
export const approversOf = (
  state: State,
  approvals: readonly Approval[],
  plan: Pick<PlanState, "environment" | "requester">,
  applier: Subject,
  { localCounts, ownCounts }: Pick<Needs, "localCounts" | "ownCounts">,
): readonly string[] => {
  if (approvals.length === 0) return [];
  const hands: readonly Subject[] = [plan.requester, applier];
  const counted = approvals.filter(
    ({ by, door }) =>
      (localCounts || door === "service") &&
      isStillApprover(state, { by, door }, plan.environment) &&
      (ownCounts || !hands.some((hand) => isOneHand(state, by, hand))),
  );
  return apart(state, counted);
};
