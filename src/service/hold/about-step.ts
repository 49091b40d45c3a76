// What somebody was about who asked for a step of a recorded plan, for the next step of whoever is refused: the plan
// and the step; the explanation where the same was denied before, which whoever approves must name; and the action,
// where the plan was made for this one action.

import { explanationOf } from "../../kernel/decide/agree.ts";
import { lastDenialOf } from "../../kernel/state/last-denial.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import type { PlanStep } from "../../spine/model.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { present } from "../../spine/values/present.ts";

export const aboutStep = (
  state: State,
  plan: PlanState,
  { index, step }: { readonly index: number; readonly step: PlanStep },
): Where => {
  const explanation = lastDenialOf(state, plan, step) === undefined ? undefined : explanationOf(state, plan, step).hash;
  return {
    environment: plan.environment,
    ...present({ explanation }),
    plan: plan.id,
    ...(step.reason === "requested" ? requestOf(step) : {}),
    step: index + 1,
  };
};

const requestOf = ({ action: { kind: action, ...parameters }, vmid }: PlanStep): Where => ({
  action,
  ...parameters,
  vmid,
});
