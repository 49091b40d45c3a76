// A plan and an explanation as text for people. A view shows what was decided and decides nothing.

import type { TierAgreement } from "../../kernel/decide/agreement-table.ts";
import { tiersOf } from "../../service/read/plan-tiers.ts";
import type { Explanation, Plan, PlanFile, Vmid } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { countsOf } from "../../spine/values/counts.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { framedExplanation } from "../../spine/words/steps/explanation-in-words.ts";
import { inapplicableText } from "../../spine/words/steps/inapplicable-words.ts";
import { verdictText } from "../../spine/words/steps/verdict-words.ts";
import type { Catalogue } from "../../spine/words/words-catalogue.ts";
import { counted } from "./counted.ts";
import { actionSign, signText } from "./signs.ts";
import { hashText, type TextStyle } from "./text-style.ts";
import { refusalLines } from "./view-refusal.ts";
import { refusedRows, stepRow, vmLines } from "./view-vm.ts";

/** `where` is of a recorded plan: one from files is of no environment that could be asked. */
export const planLines = (
  { because, plan, verdict }: PlanFile,
  style: TextStyle,
  where: Where = {},
): readonly string[] => {
  const inSync = plan.answers.flatMap((answer) => (answer.kind === "in-sync" ? [answer.vmid] : []));
  const steps = plan.answers.filter((answer) => answer.kind === "step");
  const refusals = plan.answers.filter((answer) => answer.kind === "refusal");
  const tiers = tiersOf(verdict);
  return [
    ...vmLines(
      plan.answers.flatMap((answer) => {
        if (answer.kind === "step") return [stepRow(answer, style, tiers.get(answer.hash))];
        return answer.kind === "refusal" ? refusedRows(answer, style, where) : [];
      }),
    ),
    ...(inSync.length === 0 ? [] : [` ${signText("in-sync", style)} ${rangesText(inSync)}  in sync`]),
    `${counted(steps.length, "step")}, ${counted(refusals.length, "refusal")}, ${inSync.length} in sync`,
    // Of a whole scope the verdict speaks of them.
    ...(plan.scope === "all" ? [] : gapLines(plan)),
    style.bold(`verdict ${verdictText(verdict, countsOf(plan.answers))}`),
    ...(verdict.kind === "refused"
      ? verdict.refusals.flatMap((refusal) =>
          indented([
            ...refusalLines(refusal, style, { where }),
            ...(refusal.code === "observation-incomplete" ? gapLines(plan) : []),
          ]),
        )
      : []),
    style.dim(`hash ${hashText(plan.hash, style)}`),
    // That the verdict is refused was said above, with what caused it.
    ...(because === undefined || because === "refused"
      ? []
      : [style.dim(`cannot be applied: ${inapplicableText(because)}`)]),
  ];
};

/** Each gap stands once in the plan; the refusal counts them. */
const gapLines = ({ observation }: Plan): readonly string[] => observation.gaps.map((gap) => `  gap: ${gapText(gap)}`);

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** 101-104,110: a fleet of VMs in sync fits a line, and none is left out. */
const rangesText = (vmids: readonly Vmid[]): string => {
  const ranges: { from: number; to: number }[] = [];
  for (const vmid of vmids) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === vmid) last.to = vmid;
    else ranges.push({ from: vmid, to: vmid });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(",");
};

/** What becomes of it, as everywhere: what is not done has its sign too. */
const headingSign = ({ answer, step }: Explanation, style: TextStyle): string => {
  if (step !== undefined) return actionSign(step.action.kind, style);
  return signText(answer === "in-sync" ? "in-sync" : "refused", style);
};

export const explanationLines = (
  explanation: Explanation,
  agreements: readonly TierAgreement[],
  style: TextStyle,
  catalogue?: Catalogue,
): readonly string[] => {
  // Whoever agrees to what was denied before names it by the whole of this.
  const hash = explanation.denied === undefined ? hashText(explanation.hash, style) : explanation.hash;
  const { end, heading, lines } = framedExplanation(explanation, agreements, catalogue, hash);
  return [`${headingSign(explanation, style)} ${style.bold(heading)}`, ...lines, style.dim(end)];
};
