// Where the steps of a recorded plan stand, as lines: who agreed, who must still, until when, and what keeps the reader
// from applying them.

import type { StepShown } from "../../service/read/steps-shown.ts";
import type { Refusal } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { inWords } from "../../spine/words/refusal-words.ts";
import { nextStepLines } from "./next-step.ts";
import type { Paint } from "./paint.ts";

/** A recorded plan, by its id and environment. */
type PlanNamed = { readonly environment: string; readonly plan: string };

export const stepStatusLines = (of: PlanNamed, steps: readonly StepShown[], paint: Paint): readonly string[] => [
  paint.bold(`plan ${of.plan}`),
  ...steps.map(({ approvedBy, endsAt, needed, status, step, tier, vmid }) => {
    const approvals = needed === 0 ? "" : `, approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`;
    return `  step ${step}: VM ${vmid} ${status} [${tier}]${approvals}${endsAt === undefined ? "" : `, ends ${endsAt}`}`;
  }),
  ...objectionLines(
    of,
    steps.filter(({ status }) => !TRIED.has(status)),
    paint,
  ),
];

/** What was tried has its outcome, and is no step to apply any more. */
const TRIED: ReadonlySet<StepShown["status"]> = new Set(["applied", "applying", "failed", "unknown"]);

/** Why steps cannot be applied now; what is said of several of them is said once. */
export const objectionLines = (
  of: PlanNamed,
  steps: readonly Pick<StepShown, "objections" | "step">[],
  paint: Paint,
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
    const { because, next } = inWords(refusal);
    const which = `step${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
    return [
      `  ! ${which} cannot be applied now: ${refusal.rule} ${refusal.code}: ${because}`,
      paint.dim(`      next: ${next}`),
      ...nextStepLines(refusal, paint, { ...of, ...present({ step: numbers[0] }) }),
    ];
  });
};

const sameness = ({ cause, code, facts }: Refusal): string => JSON.stringify([code, cause, facts]);

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
