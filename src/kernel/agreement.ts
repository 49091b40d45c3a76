// Who must agree before a step is performed: one table of tiers, for people and for agents, in both approval modes.
//
// The tier is derived from the step; nothing the caller says lowers it. An agent gains nothing where one person may
// approve their own step, and never gets an irreversible one. Keeps P7-A2, B2.

import type { Actor } from "../ledger/record.ts";
import { later } from "../spine/instant.ts";
import type { Instant, PlanStep, Tier } from "../spine/model.ts";
import { type Policy, tierUnder } from "../spine/safety.ts";
import type { EnvironmentSnapshot } from "./config-snapshot.ts";
import type { PlanState } from "./state.ts";

export type Needs = {
  readonly approvals: number;
  /** Whether the one who applies (or asked) may be among them. */
  readonly ownCounts: boolean;
  readonly confirmation: boolean;
  readonly typedName: boolean;
};

const person = (approvals: number, ownCounts = false, typedName = false): Needs => ({
  approvals,
  confirmation: true,
  ownCounts,
  typedName,
});
const agent = (approvals: number): Needs => ({ approvals, confirmation: false, ownCounts: false, typedName: false });

const FOR_PEOPLE = {
  "four-eyes": { high: person(1), irreversible: person(2, false, true), low: person(0), medium: person(0) },
  "single-operator": {
    high: person(1, true),
    irreversible: person(1, true, true),
    low: person(0),
    medium: person(0),
  },
} as const satisfies Record<EnvironmentSnapshot["approval"], Record<Exclude<Tier, "read">, Needs>>;

const FOR_AGENTS = {
  high: agent(2),
  irreversible: undefined,
  low: agent(1),
  medium: agent(1),
} as const satisfies Record<Exclude<Tier, "read">, Needs | undefined>;

/** Undefined when nobody's agreement is enough. */
export const needsOf = (
  tier: Tier,
  mode: EnvironmentSnapshot["approval"],
  applier: Pick<Actor, "kind">,
): Needs | undefined => {
  if (tier === "read") return person(0);
  return applier.kind === "agent" ? FOR_AGENTS[tier] : FOR_PEOPLE[mode][tier];
};

const MINUTE_MS = 60_000;
const LIFE_MS: Readonly<Record<Tier, number>> = {
  high: 15 * MINUTE_MS,
  irreversible: 15 * MINUTE_MS,
  low: 60 * MINUTE_MS,
  medium: 60 * MINUTE_MS,
  read: 60 * MINUTE_MS,
};

/**
 * Counted from when the world was seen; without that instant a step is over before it begins. A step that a policy
 * raised ends as early as any other of its tier.
 */
export const endOf = (step: PlanStep, observedAt: Instant | undefined, policy: Policy): Instant | undefined =>
  observedAt === undefined ? undefined : later(observedAt, LIFE_MS[tierUnder(step, policy)]);

/** Different people whose approval of this step stands at this instant and counts for this applier. */
export const approversOf = (
  plan: PlanState,
  step: PlanStep,
  at: Instant,
  applier: Pick<Actor, "id">,
  { ownCounts }: Needs,
): readonly string[] => {
  const standing = plan.approvals.filter((approval) => approval.step === step.hash && at < approval.expiresAt);
  const counted = standing.filter(({ by }) => ownCounts || (by !== applier.id && by !== plan.requester.id));
  return [...new Set(counted.map(({ by }) => by))].sort();
};
