// dedalus plans, and plan show: the recorded plans of the last day or two, and one of them with how its steps stand.

import { planJson, plansJson } from "../../service/json/plan-json.ts";
import type { PlanListed } from "../../service/read/plans.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { counted } from "../views/counted.ts";
import { planLines } from "../views/view-plan.ts";
import { stepStatusLines } from "../views/view-step-status.ts";

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ plans }) => plans,
    {},
    ({ value }) => ({
      exit: "done",
      json: plansJson(value.plans),
      text: () =>
        value.plans.length === 0 ? ["no plan was made in the last day"] : value.plans.map((plan) => planLine(plan)),
    }),
  );

const planLine = ({ applied, closed, environment, id, requester, steps, verdict }: PlanListed): string =>
  `${id}  ${environment}  ${closed ?? verdict}  ${applied} of ${counted(steps.size, "step")} tried  by ${requester.id}`;

export const show: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ showPlan }) => showPlan,
    { plan: given.positionals[0] ?? "" },
    ({ value }) => ({
      exit: "done",
      json: planJson(value),
      text: (paint) => [
        ...planLines(value, paint, { environment: value.plan.environment }),
        ...stepStatusLines({ environment: value.plan.environment, plan: value.id }, value.steps, paint),
      ],
    }),
  );
