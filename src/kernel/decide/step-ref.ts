// One step of a plan, shown to be that plan's: the record of a plan holds the number of its steps and the root of the
// tree over their hashes, so that a plan of any size has a short record, and nobody can bring a step of their own.

import type { Ulid } from "../../ledger/record/record.ts";
import { EMPTY_FRONTIER, grown, rootOf } from "../../ledger/tree/merkle.ts";
import { inclusionRanges, provesInclusion } from "../../ledger/tree/merkle-proof.ts";
import { rememberHashes } from "../../ledger/tree/recent-hashes.ts";
import type { Plan, PlanStep, Sha256 } from "../../spine/model.ts";
import { stepText } from "../../spine/plan/step.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { StepRef } from "../command/request.ts";

export const stepsOf = (plan: Plan): readonly PlanStep[] => plan.answers.filter((answer) => answer.kind === "step");

export const rootOfSteps = (steps: readonly PlanStep[]): Sha256 =>
  rootOf(steps.reduce((frontier, { hash }) => grown(frontier, hash), EMPTY_FRONTIER));

/** Undefined when the plan has no such step. */
export const stepRef = (id: Ulid, plan: Plan, index: number): StepRef | undefined => {
  const steps = stepsOf(plan);
  const step = steps[index];
  if (step === undefined) return undefined;
  const proof = inclusionRanges(index, steps.length).map(({ from, to }) => rootOfSteps(steps.slice(from, to)));
  return { index, plan: id, proof, step };
};

/** The same step for a confirmation: its challenge has shown that the plan holds it, and it is not shown again. */
export const shownBefore = (of: StepRef): StepRef => ({ ...of, proof: [] });

/** Whoever is shown a step brings it again to agree to it, and again to apply it. */
const recentHash = rememberHashes(sha256);

/** Whether the step is the one that was hashed. */
export const isWhole = ({ step }: StepRef): boolean => recentHash(stepText(step)) === step.hash;

/** Whether the plan with this root holds the step at this index. */
export const isStepOf = (
  { index, proof, step }: StepRef,
  { root, size }: { readonly root: Sha256; readonly size: number },
): boolean => provesInclusion({ leaf: step.hash, proof, root, seq: index, size });
