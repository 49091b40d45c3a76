// The tier of an explained step, as the verdict gave it; a refused plan gives none.

import type { Explanation, Tier, Verdict } from "../spine/model.ts";

export const tierOf = (verdict: Verdict, { step }: Explanation): Tier | undefined =>
  verdict.kind === "refused" ? undefined : verdict.tiers.find((one) => one.step === step)?.tier;
