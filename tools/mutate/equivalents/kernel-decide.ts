// Equivalent mutants of the kernel's decisions; equivalent.ts says what a row is.

import type { Equivalent } from "../equivalent.ts";

export const KERNEL_DECIDE: readonly Equivalent[] = [
  {
    because: "An explanation that is made again has the same hash; taking the challenge's is only faster.",
    file: "src/kernel/decide/apply-step.ts",
    lineText: "explainedBefore(state, command, found.plan) ?? explanationUnder(rules, state, found.plan, step).hash;",
    original: "explainedBefore(state, command, found.plan) ?? explanationUnder(rules, state, found.plan, step).hash",
    replacement: "(explanationUnder(rules, state, found.plan, step).hash)",
  },
  {
    because: "An explanation that is made again has the same hash; taking the challenge's is only faster.",
    file: "src/kernel/decide/apply-step.ts",
    lineText:
      "const challenge = confirmation === undefined ? undefined : recall(state.challenges, confirmation.challenge);",
    original: "confirmation === undefined",
    replacement: "true",
  },
  {
    because: "An explanation that is made again has the same hash; taking the challenge's is only faster.",
    file: "src/kernel/decide/apply-step.ts",
    lineText: "return isSame ? challenge.explanation : undefined;",
    original: "isSame",
    replacement: "false",
  },
  {
    because: "Of two equal instants either is the first.",
    file: "src/kernel/decide/agree.ts",
    lineText: "const expiresAt = ends.reduce((first, one) => (one < first ? one : first));",
    original: "one < first",
    replacement: "one <= first",
  },
  {
    because: "Where a name is typed is the same in every mode; the table has it for each.",
    file: "src/kernel/decide/agree.ts",
    lineText: 'const mode = environment?.approval ?? "four-eyes";',
    original: 'environment?.approval ?? "four-eyes"',
    replacement: '("four-eyes")',
  },
];
