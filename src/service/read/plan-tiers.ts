// The tiers of a plan's steps, by step hash, as the verdict gave them; a refused plan has none to show.

import { agreementsOf, type TierAgreement } from "../../kernel/decide/agreement-table.ts";
import type { Tier, Verdict } from "../../spine/model.ts";

export const tiersOf = (verdict: Verdict): ReadonlyMap<string | undefined, Tier> =>
  new Map(verdict.kind === "refused" ? [] : verdict.tiers.map(({ step, tier }) => [step, tier]));

/** What a step's tier needs, in every approval mode: a plan in a file does not say which mode its environment has. */
export const agreementsIn = (verdict: Verdict, step: string | undefined): readonly TierAgreement[] => {
  const tier = tiersOf(verdict).get(step);
  return tier === undefined ? [] : agreementsOf(tier);
};
