// What differs between a VM and what is registered of it, as a difference and not as a command: `web-01: stopped,
// desired running`.
//
// In no hash and in no catalogue: nobody agrees to it. Not here: what would be done about it (step-summary.ts).

import type { Fact, PlanStep } from "../../model.ts";
import { filled } from "../template.ts";

const DRIFT_WORDS = {
  differs: "{name}: {differences}",
  status: "{observed}, desired {desired}",
  cpus: "cpus {observed}, desired {desired}",
  memory: "memory {observed:bytes}, desired {desired:bytes}",
  "cpus-unseen": "cpus not seen, desired {desired}",
  "memory-unseen": "memory not seen, desired {desired:bytes}",
  "cpus-pending": "cpus {observed} ({pending} pending), desired {desired}",
  "memory-pending": "memory {observed:bytes} ({pending:bytes} pending), desired {desired:bytes}",
  between: "; ",
} as const;

export const driftText = ({ facts, name }: Pick<PlanStep, "facts" | "name">): string =>
  filled(DRIFT_WORDS.differs, {
    differences: [
      ...statusDiffers(facts["observedStatus"], facts["desiredStatus"]),
      ...sizeDiffers("cpus", facts["observedCpus"], facts["pendingCpus"], facts["desiredCpus"]),
      ...sizeDiffers("memory", facts["observedMemory"], facts["pendingMemory"], facts["desiredMemory"]),
    ].join(DRIFT_WORDS.between),
    name,
  });

const statusDiffers = (observed: Fact | undefined, desired: Fact | undefined): readonly string[] =>
  observed === undefined || desired === undefined || observed === desired
    ? []
    : [filled(DRIFT_WORDS.status, { desired, observed })];

const sizeDiffers = (
  of: "cpus" | "memory",
  observed: Fact | undefined,
  pending: Fact | undefined,
  desired: Fact | undefined,
): readonly string[] => {
  if (desired === undefined) return [];
  if (observed === undefined) return [filled(DRIFT_WORDS[`${of}-unseen`], { desired })];
  return pending === undefined
    ? [filled(DRIFT_WORDS[of], { desired, observed })]
    : [filled(DRIFT_WORDS[`${of}-pending`], { desired, observed, pending })];
};
