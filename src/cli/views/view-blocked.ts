// A short command that came to nothing, as text: each refusal once, as a refusal reads everywhere. A plan of one action
// has no table to show and no verdict to read besides.

import type { PlanFile, Refusal } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { inapplicableText } from "../../spine/words/steps/inapplicable-words.ts";
import type { TextStyle } from "./text-style.ts";
import { refusalLines } from "./view-refusal.ts";

export const blockedLines = (
  { because, plan, verdict }: PlanFile,
  style: TextStyle,
  where: Where,
): readonly string[] => {
  const ofVms = plan.answers.filter((answer) => answer.kind === "refusal");
  const ofPlan = verdict.kind === "refused" ? verdict.refusals : [];
  const inSync = plan.answers.filter((answer) => answer.kind === "in-sync");
  return [
    ...once([...ofVms, ...ofPlan]).flatMap((refusal) => refusalLines(refusal, style, { where })),
    ...plan.observation.gaps.map((gap) => `  gap: ${gapText(gap)}`),
    ...inSync.map(({ vmid }) => `VM ${vmid}: in sync`),
    ...(because === undefined || because === "refused" ? [] : [`cannot be applied: ${inapplicableText(because)}`]),
  ];
};

const once = (refusals: readonly Refusal[]): readonly Refusal[] =>
  Array.from(
    new Map(refusals.map((one) => [JSON.stringify([one.code, one.cause, one.vmid, one.facts]), one])).values(),
  );
