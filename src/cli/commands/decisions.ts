// dedalus approve, deny, revoke, request-approval and cancel: the recorded decisions of people on a plan and its steps.

import type { DecisionRecorded } from "../../service/act/decisions.ts";
import { canceledJson, decisionJson } from "../../service/json/act-json.ts";
import { present } from "../../spine/values/present.ts";
import { stepNumbered } from "../arguments/steps.ts";
import { askService } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import type { Outcome } from "../outcome.ts";
import { canceledLines, type DecisionWord, decisionLines } from "../views/view-act.ts";

const stepIn = ({ positionals, text }: Arguments) => ({
  plan: positionals[0] ?? "",
  step: stepNumbered(text.get("step")),
});
const reasonIn = ({ text }: Arguments) => ({ reason: text.get("reason") ?? "" });

const decided =
  (word: DecisionWord) =>
  ({ value }: { readonly value: DecisionRecorded }): Outcome => ({
    exit: "done",
    json: decisionJson(value),
    text: (style) => decisionLines(word, value, style),
  });

export const runApprove: CommandRun = (given, io) => {
  const explanation = given.text.get("explanation");
  const request = { ...stepIn(given), ...reasonIn(given), ...present({ explanation }) };
  return askService(given, io, (service) => service.approve, request, decided("approved"));
};

export const runDeny: CommandRun = (given, io) =>
  askService(given, io, (service) => service.deny, { ...stepIn(given), ...reasonIn(given) }, decided("denied"));

export const runRequestApproval: CommandRun = (given, io) =>
  askService(
    given,
    io,
    (service) => service.requestApproval,
    { ...stepIn(given), ...present({ reason: given.text.get("reason") }) },
    decided("approval requested"),
  );

export const runRevoke: CommandRun = (given, io) => {
  const approval = given.text.get("approval");
  const request = { ...stepIn(given), ...reasonIn(given), ...present({ approval }) };
  return askService(given, io, (service) => service.revoke, request, decided("revoked"));
};

export const runCancel: CommandRun = (given, io) =>
  askService(
    given,
    io,
    (service) => service.cancel,
    { plan: given.positionals[0] ?? "", ...reasonIn(given) },
    ({ value }) => ({
      exit: "done",
      json: canceledJson(value),
      text: () => canceledLines(value),
    }),
  );
