// Who must agree before a step is performed: one table, by approval mode, by who applies and by tier.
//
// Data, and the only place where it is written: decisions, explanations and documents are derived from it, or held
// against it by a test. An agent gains nothing where one person may approve their own step, and never gets what cannot
// be undone. Which tier a step has is not said here (spine/rules/actions.ts, and a policy may raise it). Keeps P7-A2,
// B2.

import type { Tier, TierNeeds } from "../../spine/model.ts";
import type { RecordedEnvironment } from "../command/recorded-config.ts";

export type ApprovalMode = RecordedEnvironment["approval"];
export type Applier = "agent" | "person";
type ByTier = Readonly<Record<Tier, TierNeeds>>;

const NOTHING = { approvals: 0, confirmation: false, ownCounts: false, typedName: false } as const;
const CONFIRMED = { ...NOTHING, confirmation: true } as const;

const AGENTS: ByTier = {
  high: { ...NOTHING, approvals: 2 },
  irreversible: "refused",
  low: { ...NOTHING, approvals: 1 },
  medium: { ...NOTHING, approvals: 1 },
  read: NOTHING,
};

export type AgreementTable = Readonly<Record<ApprovalMode, Readonly<Record<Applier, ByTier>>>>;

export const AGREEMENT: AgreementTable = {
  "four-eyes": {
    agent: AGENTS,
    person: {
      high: { ...CONFIRMED, approvals: 1 },
      irreversible: { ...CONFIRMED, approvals: 2, typedName: true },
      low: CONFIRMED,
      medium: CONFIRMED,
      read: NOTHING,
    },
  },
  "single-operator": {
    agent: AGENTS,
    person: {
      high: { ...CONFIRMED, approvals: 1, ownCounts: true },
      irreversible: { ...CONFIRMED, approvals: 1, ownCounts: true, typedName: true },
      low: CONFIRMED,
      medium: CONFIRMED,
      read: NOTHING,
    },
  },
};

/** Whether agreement that is given at the ledger's own files counts, or only what comes through the service. */
export const LOCAL_COUNTS: Readonly<Record<ApprovalMode, boolean>> = { "four-eyes": false, "single-operator": true };

const MINUTE_MS = 60_000;
/** How long a step may be agreed to and applied, from when the world was seen. */
export const LIFE_MS: Readonly<Record<Tier, number>> = {
  high: 15 * MINUTE_MS,
  irreversible: 15 * MINUTE_MS,
  low: 60 * MINUTE_MS,
  medium: 60 * MINUTE_MS,
  read: 60 * MINUTE_MS,
};

export const APPROVAL_MODES: readonly ApprovalMode[] = ["four-eyes", "single-operator"];

/** What a tier needs in one mode, for whoever may apply. */
export type TierAgreement = {
  readonly agent: TierNeeds;
  readonly mode: ApprovalMode;
  readonly person: TierNeeds;
  readonly tier: Tier;
};

/** One for each mode; where no environment is known, all of them are asked for. */
export const agreementsOf = (tier: Tier, modes: readonly ApprovalMode[] = APPROVAL_MODES): readonly TierAgreement[] =>
  modes.map((mode) => ({ agent: AGREEMENT[mode].agent[tier], mode, person: AGREEMENT[mode].person[tier], tier }));
