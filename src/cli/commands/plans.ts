// dedalus plans, and plan show: the recorded plans of the last day or two, and one of them with how its steps stand.

import { planJson, plansJson } from "../../service/json/plan-json.ts";
import type { PlanListed } from "../../service/read/plans.ts";
import { actionTitle } from "../../spine/words/step-summary.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { whenText } from "../views/age.ts";
import { columns } from "../views/columns.ts";
import { signCounts } from "../views/signs.ts";
import type { TextStyle } from "../views/text-style.ts";
import { planLines } from "../views/view-plan.ts";
import { planStatusLines, stepStatusText } from "../views/view-step-status.ts";

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ plans }) => plans,
    {},
    ({ value }) => ({
      exit: "done",
      json: plansJson(value.plans),
      text: (style) =>
        value.plans.length === 0
          ? ["no plan was made in the last day"]
          : columns([HEADINGS, ...value.plans.map((plan) => cellsOf(plan, style))]),
    }),
  );

const HEADINGS = ["PLAN", "ENV", "STATUS", "DOES", "TRIED", "BY", "OBSERVED"] as const;

const cellsOf = (
  { applied, does, environment, id, observedAt, requester, status, steps }: PlanListed,
  style: TextStyle,
): readonly string[] => [
  id,
  environment,
  stepStatusText(status),
  doesText(does),
  `${applied} of ${steps.size}`,
  requester.id,
  observedAt === undefined ? "-" : whenText(observedAt, style),
];

/** `start web-01` of one step, `+1 ~2 -1` of several */
const doesText = (does: PlanListed["does"]): string => {
  const [first, ...others] = does;
  if (first === undefined) return "-";
  return first.name !== undefined && others.length === 0 ? actionTitle(first.action, first.name) : signCounts(does);
};

export const show: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ showPlan }) => showPlan,
    { plan: given.positionals[0] ?? "" },
    ({ value }) => ({
      exit: "done",
      json: planJson(value),
      text: (style) => [
        ...planLines(value, style, { environment: value.plan.environment }, value.steps),
        ...planStatusLines({ environment: value.plan.environment, plan: value.id }, value.steps, style, value.verdict, {
          plan: value.id,
        }),
      ],
    }),
  );
