// How a refusal reads: where, the constant summary, what is special, why, what would have to be true.
//
// What is special may quote a file, a record or a server, so that whatever is invisible in it is written as its code.

import { visible } from "../../formats/field-path.ts";
import type { Problem } from "../../formats/problem.ts";
import type { Refusal } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { type Catalogued, inWords } from "../../spine/words/refusal-words.ts";
import { nextStepLines } from "./next-step.ts";
import type { Paint } from "./paint.ts";

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
