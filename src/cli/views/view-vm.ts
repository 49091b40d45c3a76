// The line of a VM in a plan and in drift: its sign, its number, what is done with it or why nothing is.

import type { PlanStep, Refusal, Tier } from "../../spine/model.ts";
import { inWords } from "../../spine/words/refusal-words.ts";
import { stepSummary } from "../../spine/words/step-summary.ts";
import { plainActions } from "./action-text.ts";
import { columns } from "./columns.ts";
import type { Paint } from "./paint.ts";
import { actionSign, signText } from "./signs.ts";

type Row = readonly [vm: string, text: string];

/** ` ~ 102  resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepRow = (step: PlanStep, paint: Paint, tier?: Tier): Row => [
  ` ${actionSign(step.action.kind, paint)} ${step.vmid}`,
  stepSummary({ facts: step.facts, step, vmid: step.vmid }, tier),
];

/** ` ! 103  refused: … (R2, vm-missing)`, and what would have to be true below it */
export const refusedRows = (refusal: Refusal, paint: Paint): readonly Row[] => {
  const { because, next } = inWords(refusal);
  return [
    [` ${signText("refused", paint)} ${refusal.vmid}`, plainActions(`refused: ${because} ${ruleText(refusal)}`)],
    ["", paint.dim(`next: ${plainActions(next)}`)],
  ];
};

export const ruleText = ({ code, rule }: Pick<Refusal, "code" | "rule">): string => `(${rule}, ${code})`;

export const vmLines = (rows: readonly Row[]): readonly string[] => columns(rows);
