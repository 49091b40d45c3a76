// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when, and what keeps the reader
// from applying them.

import type { PlanStatus } from "../../kernel/decide/plan-status.ts";
import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Refusal, Verdict } from "../../spine/model.ts";
import type { Asked, NextStep } from "../../spine/rules/askable.ts";
import { leadingNowhere, type Where } from "../../spine/rules/next-steps.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { expiryText, timedFacts } from "./age.ts";
import { requestLines } from "./approval-requests.ts";
import { columns } from "./columns.ts";
import { nextStepLines } from "./next-step.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { ruleText } from "./view-vm.ts";

/** As people write it: `awaiting approval` */
export const planStatusText = (status: PlanStatus | StepShown["status"]): string => status.replaceAll("-", " ");

/** A recorded plan, by its id and environment. */
type PlanNamed = { readonly environment: string; readonly plan: string };

/** How one step stands, below its explanation. */
export const stepStatusLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle): readonly string[] => {
  const rows = columns(
    steps.map((step) => [
      `  step ${step.step}`,
      `VM ${step.vmid}`,
      planStatusText(step.status),
      `[${step.tier}]`,
      approvalsText(step).join(""),
    ]),
  );
  const asked = steps.flatMap((step) => requestLines(step.asked).map((line) => `    ${line}`));
  return [...planHeadLines(of, steps, style), ...rows, ...asked, ...untriedLines(of, steps, style, "explain")];
};

/** Below the list of a plan's VMs, which has its steps: what the plan is called, and how it goes on. */
export const planStatusLines = (
  of: PlanNamed,
  steps: readonly StepShown[],
  style: TextStyle,
  verdict: Verdict,
  apply: NextStep["with"],
): readonly string[] => {
  // Why nothing of a refused plan is applied was said by its verdict; nothing else would change that.
  if (verdict.kind === "refused") return [style.bold(`plan ${of.plan}`)];
  const isOpen = steps.some(({ objections, status }) => objections.length === 0 && !TRIED.has(status));
  return [
    ...planHeadLines(of, steps, style),
    ...untriedLines(of, steps, style),
    ...(isOpen ? [style.dim(`next: ${style.command({ ask: "apply", with: apply })}`)] : []),
  ];
};

/** What was tried has its outcome, and is no step to apply any more; it does not expire either. */
const TRIED: ReadonlySet<StepShown["status"]> = new Set(["applied", "applying", "failed", "unknown"]);
const untriedOf = (steps: readonly StepShown[]): readonly StepShown[] =>
  steps.filter(({ status }) => !TRIED.has(status));

/** Nearly always all of them end together, and then it is said once. */
const endOfAll = (steps: readonly StepShown[]): StepShown["endsAt"] => {
  const [end, ...others] = new Set(untriedOf(steps).map(({ endsAt }) => endsAt));
  return others.length === 0 ? end : undefined;
};

const planHeadLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle): readonly string[] => {
  const end = endOfAll(steps);
  return [style.bold(`plan ${of.plan}`), ...(end === undefined ? [] : [`  ${expiryText(end, style)}`])];
};

const untriedLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle, but?: Asked): readonly string[] =>
  objectionLines(of, untriedOf(steps), style, but).map((line) => `  ${line}`);

/** What every step is until somebody applies it goes without saying. */
const USUAL: ReadonlySet<StepShown["status"]> = new Set(["awaiting-confirmation", "planned"]);

/** `step 2, awaiting approval, approvals 0 of 1`, for the line that says what the step does */
export const stepNotes = (steps: readonly StepShown[], style: TextStyle): ReadonlyMap<number, string> => {
  const isTogether = endOfAll(steps) !== undefined;
  return new Map(
    steps.map((step) => [
      step.vmid,
      [
        `step ${step.step}`,
        ...(USUAL.has(step.status) ? [] : [planStatusText(step.status)]),
        ...approvalsText(step),
        ...(isTogether || TRIED.has(step.status) || step.endsAt === undefined ? [] : [expiryText(step.endsAt, style)]),
      ].join(", "),
    ]),
  );
};

const approvalsText = ({ approvedBy, needed, status }: StepShown): readonly string[] =>
  needed === 0 || status === "refused" ? [] : [`approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`];

/** Why steps cannot be applied now; what is said of several of them is said once. */
export const objectionLines = (
  of: PlanNamed,
  steps: readonly Pick<StepShown, "objections" | "step" | "where">[],
  style: TextStyle,
  but?: Asked,
): readonly string[] => {
  const groups = new Map<string, { readonly numbers: number[]; readonly refusal: Refusal; readonly where: Where }>();
  for (const { objections, step, where } of steps) {
    const nowhere = leadingNowhere(objections);
    for (const refusal of objections) {
      if (nowhere.has(refusal)) continue;
      const name = sameness(refusal);
      const group = groups.get(name) ?? { numbers: [], refusal, where };
      group.numbers.push(step);
      groups.set(name, group);
    }
  }
  return Array.from(groups.values()).flatMap(({ numbers, refusal, where }) => {
    const { because, next } = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) });
    const which = `step${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
    return [
      `${signText("refused", style)} ${which} cannot be applied now: ${because} ${ruleText(refusal)}`,
      style.dim(`    next: ${next}`),
      ...nextStepLines(refusal, style, { ...of, ...where }, but).map((line) => `          ${line}`),
    ];
  });
};

const sameness = ({ cause, code, facts }: Refusal): string => JSON.stringify([code, cause, facts]);

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
