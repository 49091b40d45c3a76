// A plan and an explanation as text for people. A view shows what was decided and decides nothing.

import type { TierAgreement } from "../../kernel/decide/agreement-table.ts";
import { tiersOf } from "../../service/read/plan-tiers.ts";
import type { Explanation, Plan, PlanFile, PlanStep, Refusal, Tier, Vmid } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { countsOf } from "../../spine/values/counts.ts";
import type { Catalogue } from "../../spine/words/catalogue.ts";
import { framedExplanation } from "../../spine/words/explanation-in-words.ts";
import { inapplicableText } from "../../spine/words/inapplicable-words.ts";
import { gapText } from "../../spine/words/observation-words.ts";
import { inWords } from "../../spine/words/refusal-words.ts";
import { reasonInWords } from "../../spine/words/step-in-words.ts";
import { verdictText } from "../../spine/words/verdict-words.ts";
import { counted } from "./counted.ts";
import { nextStepLines } from "./next-step.ts";
import { type Colours, type Paint, PLAIN } from "./paint.ts";
import { refusalLines } from "./view-refusal.ts";

/** `where` is of a recorded plan: one from files is of no environment that could be asked. */
export const planLines = ({ because, plan, verdict }: PlanFile, paint: Paint, where: Where = {}): readonly string[] => {
  const inSync = plan.answers.flatMap((answer) => (answer.kind === "in-sync" ? [answer.vmid] : []));
  const steps = plan.answers.filter((answer) => answer.kind === "step");
  const refusals = plan.answers.filter((answer) => answer.kind === "refusal");
  const tiers = tiersOf(verdict);
  return [
    ...plan.answers.flatMap((answer) => {
      if (answer.kind === "step") return stepLines(answer, tiers.get(answer.hash));
      return answer.kind === "refusal" ? answerRefusedLines(answer, where, paint) : [];
    }),
    ...(inSync.length === 0 ? [] : [` = ${rangesText(inSync)}  in sync`]),
    `${counted(steps.length, "step")}, ${counted(refusals.length, "refusal")}, ${inSync.length} in sync`,
    // Of a whole scope the verdict speaks of them.
    ...(plan.scope === "all" ? [] : gapLines(plan)),
    paint.bold(`verdict ${verdictText(verdict, countsOf(plan.answers))}`),
    ...(verdict.kind === "refused"
      ? verdict.refusals.flatMap((refusal) =>
          indented([
            ...refusalLines(refusal, paint, { where }),
            ...(refusal.code === "observation-incomplete" ? gapLines(plan) : []),
          ]),
        )
      : []),
    paint.dim(`hash ${plan.hash}`),
    ...(because === undefined ? [] : [paint.dim(`cannot be applied: ${inapplicableText(because)}`)]),
  ];
};

/** Each gap stands once in the plan; the refusal counts them. */
const gapLines = ({ observation }: Plan): readonly string[] => observation.gaps.map((gap) => `  gap: ${gapText(gap)}`);

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const stepLines = (step: PlanStep, tier: Tier | undefined): readonly string[] => [
  ` + ${step.vmid}  ${step.action.kind} ${step.name}: ${reasonInWords(step)}${powerText(step)}${tier === undefined ? "" : `  [${tier}]`}`,
];

const POWER_TEXT = { interrupts: "interrupts the guest", none: "", starts: "", stops: "stops the guest" } as const;

/** That a start starts is said by its name; of a rollback it is not. */
const startText = ({ action, power }: PlanStep): string =>
  power === "starts" && action.kind === "vm.snapshot.rollback" ? "starts the guest" : "";

const powerText = (step: PlanStep): string => {
  const texts = [
    POWER_TEXT[step.power],
    startText(step),
    step.applies === "at-restart" ? "pending until restart" : "",
  ].filter((text) => text !== "");
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
};

const answerRefusedLines = (refusal: Refusal, where: Where, paint: Paint): readonly string[] => [
  ` ! ${refusal.vmid}  refused ${refusal.rule} ${refusal.code}: ${inWords(refusal).because}`,
  paint.dim(`        next: ${inWords(refusal).next}`),
  ...nextStepLines(refusal, paint, where),
];

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

export const explanationLines = (
  explanation: Explanation,
  agreements: readonly TierAgreement[] = [],
  paint: Colours = PLAIN,
  catalogue?: Catalogue,
): readonly string[] => {
  const { end, heading, lines } = framedExplanation(explanation, agreements, catalogue);
  return [paint.bold(heading), ...lines, paint.dim(end)];
};
