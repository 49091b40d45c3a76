// How many VMs of a plan are what. The verdict speaks of the steps; what was refused for one VM alone, and which of
// those are missing, is counted here, so that nobody reads "clear" as "all is well".

import type { PlanAnswer, Verdict } from "../model.ts";

export type AnswerCounts = {
  /** VMs that a step would change. */
  readonly differ: number;
  readonly inSync: number;
  /** Of those refused: what a complete observation did not see. */
  readonly missing: number;
  readonly refused: number;
  /** VMs that have what is wanted, once they restart. */
  readonly awaitingRestart: number;
};

/** Nothing is refused there: what is wanted is written already, and a restart makes it active. */
export const awaitsRestart = (answer: PlanAnswer): boolean =>
  answer.kind === "refusal" && answer.code === "waits-for-restart";

export const countsOf = (answers: readonly PlanAnswer[]): AnswerCounts => {
  let [differ, inSync, missing, refused, awaitingRestart] = [0, 0, 0, 0, 0];
  for (const answer of answers) {
    if (answer.kind === "step") differ += 1;
    else if (answer.kind === "in-sync") inSync += 1;
    else if (awaitsRestart(answer)) awaitingRestart += 1;
    else {
      refused += 1;
      if (answer.code === "vm-missing") missing += 1;
    }
  }
  return { awaitingRestart, differ, inSync, missing, refused };
};

/**
 * Whether a plan as a whole comes to refused: by its verdict, or because a VM is refused and no step is left to apply.
 * What it is called and what a command exits with follow from this alone.
 */
export const isRefusedWhole = ({ kind }: Pick<Verdict, "kind">, { differ, refused }: AnswerCounts): boolean =>
  kind === "refused" || (differ === 0 && refused > 0);
