// The tiers of a plan's steps, by step hash, as the verdict gave them; a refused plan has none to show.

import type { Tier, Verdict } from "../spine/model.ts";

export const tiersOf = (verdict: Verdict): ReadonlyMap<string | undefined, Tier> =>
  new Map(verdict.kind === "refused" ? [] : verdict.tiers.map(({ step, tier }) => [step, tier]));
