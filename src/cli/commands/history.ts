// dedalus history VM: all records that concern one VM, one line each, newest last.

import { historyJson } from "../../service/json/read-json.ts";
import type { VmEvent } from "../../service/read/vm-history.ts";
import type { Refusal } from "../../spine/model.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { visible } from "../../spine/values/invisible.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import { stepSummary } from "../../spine/words/steps/step-summary.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { timedFacts, whenCell } from "../views/age.ts";
import { type Cell, type Column, table } from "../views/table.ts";
import type { TextStyle } from "../views/text-style.ts";

export const run: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ history }) => history,
    { ...environmentIn(given), vm: given.positionals[0] ?? "" },
    ({ value }) => ({
      exit: "done",
      json: historyJson(value),
      text: (style) =>
        table(
          COLUMNS,
          value.events.map((event) => cellsOf(event, style)),
          style,
        ),
    }),
  );

const COLUMNS: readonly Column[] = [
  { heading: "WHEN", shorten: 1 },
  { align: "right", drop: 3, heading: "RECORD" },
  { drop: 2, dropOnly: "where-same", heading: "ENV" },
  { heading: "KIND" },
  { drop: 4, heading: "BY" },
  { heading: "WHAT", wraps: true },
];

const cellsOf = (event: VmEvent, style: TextStyle): readonly Cell[] => [
  whenCell(event.at, style),
  String(event.seq),
  event.environment ?? "",
  event.kind,
  visible(event.by),
  visible(detailOf(event, style)),
];

const detailOf = (
  { action, answer, end, id, intent, kind, plan, reason, reference, refusals }: VmEvent,
  style: TextStyle,
): string =>
  [
    ...(refusals ?? []).map((refusal) => refusalText(refusal, style)),
    ...(answer === undefined ? (action === undefined ? [] : [actionText(action)]) : [answerText(answer, style)]),
    ...(end === undefined ? [] : [`${end.outcome}: ${outcomeText(end)}`]),
    ...(reason === undefined ? [] : [`"${reason}"`]),
    ...(kind === "plan" && refusals === undefined
      ? [plan === undefined ? `plan ${id}` : `unchanged: plan ${plan}`]
      : []),
    ...(plan === undefined || kind === "plan" ? [] : [`plan ${plan}`]),
    // The record of an apply is its intent.
    ...(kind === "apply" && refusals === undefined ? [`intent ${id}`] : []),
    ...(intent === undefined ? [] : [`intent ${intent}`]),
    ...(reference === undefined ? [] : [reference]),
  ].join("  ");

const refusalText = (refusal: Refusal, style: TextStyle): string =>
  `refused ${refusal.code}: ${becauseOf({ ...refusal, facts: timedFacts(refusal.facts, style) })}`;

/** What a plan came to for this VM. */
const answerText = (answer: NonNullable<VmEvent["answer"]>, style: TextStyle): string => {
  switch (answer.kind) {
    case "in-sync":
      return "in sync";
    case "refusal":
      return refusalText(answer, style);
    case "step":
      return stepSummary({ facts: answer.facts, step: answer, vmid: answer.vmid }, undefined);
  }
};
