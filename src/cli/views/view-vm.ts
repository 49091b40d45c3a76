// The line of a VM in a plan and in drift: its sign, its number, what is done with it or why nothing is.

import type { PlanStep, Refusal, Tier } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { awaitsRestart } from "../../spine/values/counts.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { stepSummary } from "../../spine/words/steps/step-summary.ts";
import { timedFacts } from "./age.ts";
import { columns } from "./columns.ts";
import { nextStepLines } from "./next-step.ts";
import type { Paint } from "./paint.ts";
import { actionSign, signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";

type Row = readonly [vm: string, text: string];

/** ` ~ 102  resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepRow = (step: PlanStep, paint: Paint, tier: Tier, note: string | undefined): Row => [
  ` ${actionSign(step.action.kind, paint)} ${step.vmid}`,
  `${stepSummary({ facts: step.facts, step, vmid: step.vmid }, tier)}${note === undefined ? "" : `  ${note}`}`,
];

/**
 * ` ! 103 refused: … (R2, vm-missing)`, and below it what would have to be true, and how to get there; what only waits
 * for a restart is refused nothing.
 */
export const refusedRows = (refusal: Refusal, style: TextStyle, where: Where): readonly Row[] => {
  const { because, next } = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) });
  if (awaitsRestart(refusal)) {
    return [
      [` ${signText("change", style)} ${refusal.vmid}`, because],
      ...nextStepLines(refusal, style, where).map((line): Row => ["", `  ${line}`]),
    ];
  }
  return [
    [` ${signText("refused", style)} ${refusal.vmid}`, `refused: ${because} ${ruleText(refusal)}`],
    ["", style.dim(`next: ${next}`)],
    ...nextStepLines(refusal, style, where).map((line): Row => ["", `  ${line}`]),
  ];
};

export const ruleText = ({ code, rule }: Pick<Refusal, "code" | "rule">): string => `(${rule}, ${code})`;

export const vmLines = (rows: readonly Row[]): readonly string[] => columns(rows);
