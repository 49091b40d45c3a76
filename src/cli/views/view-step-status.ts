// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when, and what keeps the reader
// from applying them.

import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Refusal, Verdict } from "../../spine/model.ts";
import { leadingNowhere, type Where } from "../../spine/rules/next-steps.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { expiryText, timedFacts } from "./age.ts";
import { columns } from "./columns.ts";
import { nextStepLines } from "./next-step.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { ruleText } from "./view-vm.ts";

/** A recorded plan, by its id and environment. */
type PlanNamed = { readonly environment: string; readonly plan: string };

/** Below a verdict that was shown, what it said is not said of its steps once more. */
export const stepStatusLines = (
  of: PlanNamed,
  steps: readonly StepShown[],
  style: TextStyle,
  verdict?: Verdict,
): readonly string[] => {
  const [end, ...others] = new Set(steps.map(({ endsAt }) => endsAt));
  // Nearly always all of them end together, and then it is said once.
  const together = others.length === 0 ? end : undefined;
  const rows = columns(
    steps.map(({ approvedBy, endsAt, needed, status, step, tier, vmid }) => [
      `  step ${step}`,
      `VM ${vmid}`,
      status,
      `[${tier}]`,
      [
        ...(needed === 0 ? [] : [`approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`]),
        ...(endsAt === undefined || together !== undefined ? [] : [expiryText(endsAt, style)]),
      ].join(", "),
    ]),
  );
  return [
    style.bold(`plan ${of.plan}`),
    ...(together === undefined ? [] : [`  ${expiryText(together, style)}`]),
    ...rows,
    ...objectionLines(
      of,
      steps.filter(({ status }) => !TRIED.has(status)).map((step) => withoutTold(step, verdict)),
      style,
    ).map((line) => `  ${line}`),
  ];
};

/** What was tried has its outcome, and is no step to apply any more. */
const TRIED: ReadonlySet<StepShown["status"]> = new Set(["applied", "applying", "failed", "unknown"]);

const withoutTold = (step: StepShown, verdict: Verdict | undefined): StepShown => {
  if (verdict?.kind !== "refused") return step;
  const told = new Set(verdict.refusals.map(sameness));
  const isTold = (refusal: Refusal): boolean => refusal.code === "plan-refused" || told.has(sameness(refusal));
  return { ...step, objections: step.objections.filter((refusal) => !isTold(refusal)) };
};

/** Why steps cannot be applied now; what is said of several of them is said once. */
export const objectionLines = (
  of: PlanNamed,
  steps: readonly Pick<StepShown, "objections" | "step" | "where">[],
  style: TextStyle,
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
      ...nextStepLines(refusal, style, { ...of, ...where }).map((line) => `          ${line}`),
    ];
  });
};

const sameness = ({ cause, code, facts }: Refusal): string => JSON.stringify([code, cause, facts]);

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
