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
/** The line of a VM, and below it what leads on. */
export type VmRows = { readonly next: readonly string[]; readonly row: Row };

/** ` ~ 102  resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepRow = (step: PlanStep, paint: Paint, tier: Tier, note: string | undefined): VmRows => ({
  next: [],
  row: [
    ` ${actionSign(step.action.kind, paint)} ${step.vmid}`,
    `${stepSummary({ facts: step.facts, step, vmid: step.vmid }, tier)}${note === undefined ? "" : `  ${note}`}`,
  ],
});

/**
 * ` ! 103 refused: … (R2, vm-missing)`, and below it what would have to be true, and how to get there; what only waits
 * for a restart is refused nothing.
 */
export const refusedRows = (refusal: Refusal, style: TextStyle, where: Where): VmRows => {
  const { because, next } = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) });
  if (awaitsRestart(refusal)) {
    return {
      next: nextStepLines(refusal, style, where).map((line) => `  ${line}`),
      row: [` ${signText("change", style)} ${refusal.vmid}`, because],
    };
  }
  return {
    next: [style.dim(`next: ${next}`), ...nextStepLines(refusal, style, where).map((line) => `  ${line}`)],
    row: [` ${signText("refused", style)} ${refusal.vmid}`, `refused: ${because} ${ruleText(refusal)}`],
  };
};

export const ruleText = ({ code, rule }: Pick<Refusal, "code" | "rule">): string => `(${rule}, ${code})`;

/** What leads on from several in a row stands once, below the last of them. */
export const vmLines = (vms: readonly VmRows[]): readonly string[] =>
  columns(
    vms.flatMap(({ next, row }, at): readonly Row[] => {
      const isSaidBelow = next.length > 0 && vms[at + 1]?.next.join("\n") === next.join("\n");
      return [row, ...(isSaidBelow ? [] : next.map((line): Row => ["", line]))];
    }),
  );
