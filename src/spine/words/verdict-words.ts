// A verdict in words, for a whole plan. Safety speaks of the steps; what is refused for a VM on its own is said with it, so that
// nobody reads that all is clear while a VM is missing.

import type { Verdict } from "../model.ts";
import type { AnswerCounts } from "../values/counts.ts";
import { filled } from "./template.ts";

const REFUSED_WORDS = {
  all: "{missing:VM is|VMs are} missing",
  none: "{refused:VM is|VMs are} refused",
  some: "{refused:VM is|VMs are} refused, {missing} of them missing",
} as const;

const refusedText = (counts: AnswerCounts): string => {
  const which = counts.missing === 0 ? "none" : counts.missing === counts.refused ? "all" : "some";
  return filled(REFUSED_WORDS[which], { ...counts });
};

export const verdictText = ({ kind }: Verdict, counts: AnswerCounts): string => {
  if (kind === "refused" || counts.refused === 0) return kind;
  return counts.differ === 0
    ? `refused: ${refusedText(counts)}`
    : filled(`${kind} for {differ:step|steps}; ${refusedText(counts)}`, { ...counts });
};
