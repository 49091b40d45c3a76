// How a refusal reads: where, the constant summary, what is special, why, what would have to be true.

import type { Problem } from "../formats/problem.ts";
import type { Refusal } from "../spine/model.ts";
import { refusalRow } from "../spine/refusals.ts";
import type { Paint } from "./paint.ts";

const isProblem = (refusal: Refusal | Problem): refusal is Problem => "at" in refusal;

const whereOf = (refusal: Refusal | Problem): string => {
  if (!isProblem(refusal)) return refusal.vmid === undefined ? "" : `VM ${refusal.vmid}: `;
  const { column, field, file, line } = refusal.at;
  return `${file}:${line}:${column}: ${field === "" ? "" : `${field}: `}`;
};

export const refusalLines = (refusal: Refusal | Problem, paint: Paint): readonly string[] => {
  const { summary, why } = refusalRow(refusal.code);
  return [
    `${whereOf(refusal)}${paint.bold(summary)} (${refusal.rule}, ${refusal.code})`,
    `  ${refusal.because}`,
    paint.dim(`  why:  ${why}`),
    paint.dim(`  next: ${refusal.next}`),
  ];
};
