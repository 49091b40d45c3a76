// dedalus plans, and plan show: the recorded plans of the last day or two, and one of them with how its steps stand.

import { planJson, plansJson } from "../../service/json/plan-answer-json.ts";
import type { PlanListed } from "../../service/read/plans.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { whenCell } from "../views/age.ts";
import { signCounts } from "../views/signs.ts";
import { type Cell, type Column, table } from "../views/table.ts";
import type { TextStyle } from "../views/text-style.ts";
import { planLines } from "../views/view-plan.ts";
import { planStatusLines, planStatusText } from "../views/view-step-status.ts";

export const run: CommandRun = (given, io) =>
  askService(
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
          : table(
              COLUMNS,
              value.plans.map((plan) => cellsOf(plan, style)),
              style,
            ),
    }),
  );

const COLUMNS: readonly Column[] = [
  { heading: "PLAN" },
  { drop: 2, dropOnly: "where-same", heading: "ENV" },
  { heading: "STATUS" },
  { heading: "DOES", shorten: 6 },
  { align: "right", drop: 5, heading: "TRIED" },
  { drop: 4, heading: "BY" },
  { drop: 3, heading: "OBSERVED", shorten: 1 },
];

const cellsOf = (
  { applied, does, environment, id, observedAt, requester, status, steps }: PlanListed,
  style: TextStyle,
): readonly Cell[] => [
  id,
  environment,
  planStatusText(status),
  doesCell(does),
  `${applied} of ${steps.size}`,
  requester.id,
  observedAt === undefined ? "-" : whenCell(observedAt, style),
];

/** `start web-01` of one step where there is room, `+1 ~2 -1` of several */
const doesCell = (does: PlanListed["does"]): Cell => {
  const [first, ...others] = does;
  if (first === undefined) return "-";
  return first.name !== undefined && others.length === 0
    ? { short: signCounts(does), whole: actionTitle(first.action, first.name) }
    : signCounts(does);
};

export const show: CommandRun = (given, io) =>
  askService(
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
