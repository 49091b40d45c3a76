// A plan and an explanation as text for people. A view shows what was decided and decides nothing.

import { tiersOf } from "../../service/read/plan-tiers.ts";
import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Explanation, Plan, PlanFile, PlanStep, Tier, Vmid } from "../../spine/model.ts";
import { ACTIONS, tierOf } from "../../spine/rules/actions.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { type AnswerCounts, countsOf } from "../../spine/values/counts.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { type BesideExplanation, framedExplanation } from "../../spine/words/steps/explanation-in-words.ts";
import { inapplicableText } from "../../spine/words/steps/inapplicable-words.ts";
import { verdictText } from "../../spine/words/steps/verdict-words.ts";
import type { Catalogue } from "../../spine/words/words-catalogue.ts";
import { counted } from "./counted.ts";
import { actionSign, signText } from "./signs.ts";
import { hashText, type TextStyle } from "./text-style.ts";
import { refusalLines } from "./view-refusal.ts";
import { stepNotes } from "./view-step-status.ts";
import { refusedRows, stepRow, vmLines } from "./view-vm.ts";

/** `where` is of a recorded plan: one from files is of no environment that could be asked. */
export const planLines = (
  { because, plan, verdict }: PlanFile,
  style: TextStyle,
  where: Where = {},
  shown: readonly StepShown[] = [],
): readonly string[] => {
  const inSync = plan.answers.flatMap((answer) => (answer.kind === "in-sync" ? [answer.vmid] : []));
  const counts = countsOf(plan.answers);
  const tiers = tiersOf(verdict);
  const underPolicy = new Map(shown.map(({ tier, vmid }) => [vmid, tier]));
  const notes = stepNotes(shown, style);
  // A refused verdict has no tiers: a recorded plan's steps have them, and a plan from files is under no policy.
  const tierIn = (step: PlanStep): Tier => underPolicy.get(step.vmid) ?? tiers.get(step.hash) ?? tierOf(step, ACTIONS);
  return [
    ...vmLines(
      plan.answers.flatMap((answer) => {
        if (answer.kind === "step") return [stepRow(answer, style, tierIn(answer), notes.get(answer.vmid))];
        return answer.kind === "refusal" ? [refusedRows(answer, style, where)] : [];
      }),
    ),
    ...(inSync.length === 0 ? [] : [` ${signText("in-sync", style)} ${rangesText(inSync)}  in sync`]),
    `${counted(counts.differ, "step")}, ${counted(counts.refused, "refusal")}, ${waitingText(counts)}${inSync.length} in sync`,
    // Of a whole scope the verdict speaks of them.
    ...(plan.scope === "all" ? [] : gapLines(plan)),
    style.bold(`verdict ${verdictText(verdict, counts)}`),
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

const waitingText = ({ awaitingRestart }: AnswerCounts): string =>
  awaitingRestart === 0 ? "" : `${awaitingRestart} waiting for a restart, `;

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

/** Of an answer that nobody must agree to. */
export const NOBODY_BESIDE: BesideExplanation = { agreements: [], invited: [] };

export const explanationLines = (
  explanation: Explanation,
  beside: BesideExplanation,
  style: TextStyle,
  catalogue?: Catalogue,
): readonly string[] => {
  // Whoever agrees to what was denied before names it by the whole of this.
  const hash = explanation.denied === undefined ? hashText(explanation.hash, style) : explanation.hash;
  const { end, heading, lines } = framedExplanation(explanation, beside, catalogue, hash);
  return [`${headingSign(explanation, style)} ${style.bold(heading)}`, ...lines, style.dim(end)];
};
