// A verdict in words, for a whole plan. Safety speaks of the steps; what is refused for a VM on its own is said with
// it, so that nobody reads that all is clear while a VM is missing.

import type { Verdict } from "../../model.ts";
import { type AnswerCounts, isRefusedWhole } from "../../values/counts.ts";
import { filled } from "../template.ts";

export const VERDICT_WORDS = {
  whole: "{verdict}",
  "no-steps": {
    all: "refused: {missing:VM is|VMs are} missing",
    none: "refused: {refused:VM is|VMs are} refused",
    some: "refused: {refused:VM is|VMs are} refused, {missing} of them missing",
  },
  steps: {
    all: "{verdict} for {differ:step|steps}; {missing:VM is|VMs are} missing",
    none: "{verdict} for {differ:step|steps}; {refused:VM is|VMs are} refused",
    some: "{verdict} for {differ:step|steps}; {refused:VM is|VMs are} refused, {missing} of them missing",
  },
} as const;

export const verdictText = (verdict: Verdict, counts: AnswerCounts): string => {
  const { kind } = verdict;
  const facts = { ...counts, verdict: kind };
  if (kind === "refused" || counts.refused === 0) return filled(VERDICT_WORDS.whole, facts);
  const missing = counts.missing === 0 ? "none" : counts.missing === counts.refused ? "all" : "some";
  return filled(VERDICT_WORDS[isRefusedWhole(verdict, counts) ? "no-steps" : "steps"][missing], facts);
};
