// How a refusal reads: where, the constant summary, what is special, why, what would have to be true.
//
// What is special may quote a file, a record or a server, so that whatever is invisible in it is written as its code.

import { visible } from "../../formats/field-path.ts";
import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import type { NextStep } from "../../spine/rules/askable.ts";
import { nextStepsOf, type Where } from "../../spine/rules/next-steps.ts";
import { type Catalogued, inWords, type SpokenRefusal } from "../../spine/words/refusal-words.ts";
import { nextStepLines } from "./next-step.ts";
import type { Paint } from "./paint.ts";

type Told<R> = R & SpokenRefusal & { readonly nextSteps?: readonly NextStep[] };

/** With its words, and what can be asked for next: a person may read what a program takes by its codes. */
export const spoken = <R extends Refusal>(refusal: R, words?: Catalogued, where?: Where): Told<R> => {
  const nextSteps = nextStepsOf(refusal, where);
  return { ...refusal, ...inWords(refusal, words), ...(nextSteps.length === 0 ? {} : { nextSteps }) };
};

const isProblem = (refusal: Refusal | Problem): refusal is Problem => "at" in refusal;

const whereOf = (refusal: Refusal | Problem): string => {
  if (!isProblem(refusal)) return refusal.vmid === undefined ? "" : `VM ${refusal.vmid}: `;
  const { column, field, file, line } = refusal.at;
  return `${file}:${line}:${column}: ${field === "" ? "" : `${field}: `}`;
};

export const refusalLines = (
  refusal: Refusal | Problem,
  paint: Paint,
  { where, words }: { readonly where?: Where | undefined; readonly words?: Catalogued | undefined } = {},
): readonly string[] => {
  const { because, next, summary, why } = inWords(refusal, words);
  return [
    `${whereOf(refusal)}${paint.bold(summary)} (${refusal.rule}, ${refusal.code})`,
    `  ${visible(because)}`,
    paint.dim(`  why:  ${why}`),
    paint.dim(`  next: ${visible(next)}`),
    ...nextStepLines(refusal, paint, where),
  ];
};
