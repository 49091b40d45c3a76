// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when, and what keeps the reader
// from applying them.

import type { PlanStatus } from "../../kernel/decide/plan-status.ts";
import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Refusal, Verdict } from "../../spine/model.ts";
import type { NextStep } from "../../spine/rules/askable.ts";
import { present } from "../../spine/values/present.ts";
import { inWords } from "../../spine/words/refusal-words.ts";
import { expiryText, timedFacts } from "./age.ts";
import { columns } from "./columns.ts";
import { nextStepLines } from "./next-step.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { ruleText } from "./view-vm.ts";

/** As people write it: `awaiting approval` */
export const stepStatusText = (status: PlanStatus | StepShown["status"]): string => status.replaceAll("-", " ");

/** A recorded plan, by its id and environment. */
type PlanNamed = { readonly environment: string; readonly plan: string };

/** How one step stands, below its explanation. */
export const stepStatusLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle): readonly string[] => {
  const rows = columns(
    steps.map((step) => [
      `  step ${step.step}`,
      `VM ${step.vmid}`,
      stepStatusText(step.status),
      `[${step.tier}]`,
      approvalsText(step).join(""),
    ]),
  );
  return [...planHeadLines(of, steps, style), ...rows, ...untriedLines(of, steps, style)];
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

/** Nearly always all of them end together, and then it is said once. */
const endOfAll = (steps: readonly StepShown[]): StepShown["endsAt"] => {
  const [end, ...others] = new Set(steps.map(({ endsAt }) => endsAt));
  return others.length === 0 ? end : undefined;
};

const planHeadLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle): readonly string[] => {
  const end = endOfAll(steps);
  return [style.bold(`plan ${of.plan}`), ...(end === undefined ? [] : [`  ${expiryText(end, style)}`])];
};

const untriedLines = (of: PlanNamed, steps: readonly StepShown[], style: TextStyle): readonly string[] =>
  objectionLines(
    of,
    steps.filter(({ status }) => !TRIED.has(status)),
    style,
  ).map((line) => `  ${line}`);

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
        ...(USUAL.has(step.status) ? [] : [stepStatusText(step.status)]),
        ...approvalsText(step),
        ...(isTogether || step.endsAt === undefined ? [] : [expiryText(step.endsAt, style)]),
      ].join(", "),
    ]),
  );
};

const approvalsText = ({ approvedBy, needed, status }: StepShown): readonly string[] =>
  needed === 0 || status === "refused" ? [] : [`approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`];

/** What was tried has its outcome, and is no step to apply any more. */
const TRIED: ReadonlySet<StepShown["status"]> = new Set(["applied", "applying", "failed", "unknown"]);

/** Why steps cannot be applied now; what is said of several of them is said once. */
export const objectionLines = (
  of: PlanNamed,
  steps: readonly Pick<StepShown, "objections" | "step">[],
  style: TextStyle,
): readonly string[] => {
  const groups = new Map<string, { readonly numbers: number[]; readonly refusal: Refusal }>();
  for (const { objections, step } of steps) {
    for (const refusal of objections) {
      const name = sameness(refusal);
      const group = groups.get(name) ?? { numbers: [], refusal };
      group.numbers.push(step);
      groups.set(name, group);
    }
  }
  return Array.from(groups.values()).flatMap(({ numbers, refusal }) => {
    const { because, next } = inWords({ ...refusal, facts: timedFacts(refusal.facts, style) });
    const which = `step${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
    return [
      `${signText("refused", style)} ${which} cannot be applied now: ${because} ${ruleText(refusal)}`,
      style.dim(`    next: ${next}`),
      ...nextStepLines(refusal, style, { ...of, ...present({ step: numbers[0] }) }).map((line) => `          ${line}`),
    ];
  });
};

const sameness = ({ cause, code, facts }: Refusal): string => JSON.stringify([code, cause, facts]);

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
