// The facts of a step: which there are, and in which order. They are hashed with the step, so the order is
// alphabetical.

import type { Facts } from "../model.ts";

export const STEP_FACTS = [
  "cloneName",
  "cloneVmid",
  "desiredCpus",
  "desiredMemory",
  "desiredStatus",
  "later",
  "observedCpus",
  "observedIdentity",
  "observedMemory",
  "observedStatus",
  "pendingCpus",
  "pendingMemory",
  "protectedBecause",
  "snapshot",
  "snapshotRam",
  "statusAfter",
  "targetNode",
] as const;

/** A fact without a place in the list does not compile. */
export type StepFact = (typeof STEP_FACTS)[number];
export type StepFacts = { readonly [K in StepFact]?: string | number };

export const inOrderOfFacts = (facts: StepFacts): Facts => {
  const ordered: Record<string, string | number> = {};
  for (const key of STEP_FACTS) {
    const value = facts[key];
    if (value !== undefined) ordered[key] = value;
  }
  return ordered;
};
