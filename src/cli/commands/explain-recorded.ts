// dedalus explain ID: one answer of a recorded plan: a step, as whoever agrees to it must have read it, and who must
// still agree; or with --vm whatever the plan answers for that VM.
//
// With --challenge what is shown is recorded as shown to the caller, and the hash of it confirms the step once, within
// five minutes: the confirmation of scripts. With --as-shown it is shown as whoever agreed to it last has read it.

import { explainedJson } from "../../service/json/plan-answer-json.ts";
import type { AnswerExplained, ChallengeShown } from "../../service/read/explain-recorded.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { comparedText } from "../../spine/words/remarks/compared-words.ts";
import { nameQuestion, stepQuestion, stepSummary } from "../../spine/words/steps/step-summary.ts";
import { stepNamed } from "../arguments/steps.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import type { Outcome } from "../outcome.ts";
import { expiryText, whenText } from "../views/age.ts";
import { actionSign } from "../views/signs.ts";
import { hashText, type TextStyle } from "../views/text-style.ts";
import { explanationLines, NOBODY_BESIDE } from "../views/view-plan.ts";
import { stepStatusLines } from "../views/view-step-status.ts";

export const run: CommandRun = async (given, io) => {
  const step = stepNamed(given);
  if ("code" in step) return badInput([step]);
  const request = { plan: given.positionals[0] ?? "", step };
  if (given.flags.has("as-shown")) {
    if (given.flags.has("challenge")) {
      const facts = { argument: "--as-shown", other: "--challenge" };
      return badInput([refuse("usage", { cause: "not-together", facts })]);
    }
    return askService(given, io, ({ explain }) => explain, { ...request, words: "as-shown" as const }, explained);
  }
  return given.flags.has("challenge")
    ? askService(given, io, ({ challenge }) => challenge, request, explained)
    : askService(given, io, ({ explain }) => explain, request, explained);
};

const explained = ({ value }: { readonly value: AnswerExplained }): Outcome => {
  const { asShown, challenge, compared = [], explanation, of, shown } = value;
  return {
    exit: "done",
    json: explainedJson(value),
    text: (style) => [
      ...explanationLines(explanation, asShown ?? shown ?? NOBODY_BESIDE, style, asShown?.catalogue),
      ...compared.map((one) => `  ${comparedText(one)}`),
      ...stepStatusLines(of, shown === undefined ? [] : [shown], style),
      ...(challenge === undefined || of.step === undefined ? [] : challengeLines(challenge, of.plan, of.step, style)),
      ...(asShown === undefined ? [] : [...askedLines(value, asShown, style), asShownLine(asShown, style)]),
    ],
  };
};

type AsShown = NonNullable<AnswerExplained["asShown"]>;

const asShownLine = ({ at, by, record, words }: AsShown, style: TextStyle): string =>
  `as shown to ${by} ${whenText(at, style)}: record ${record.seq}, ${record.kind}, words ${hashText(words, style)}`;

/** What whoever walked the plan was asked: the summary, the question, and the other where a name was typed. */
const askedLines = (
  { explanation: { facts, step, vmid }, tier }: AnswerExplained,
  { agreements, catalogue }: AsShown,
  style: TextStyle,
): readonly string[] => {
  if (step === undefined) return [];
  const summarised = { facts, step, vmid };
  const isNameTyped = agreements.some(({ person }) => person !== "refused" && person.typedName);
  return [
    `${actionSign(step.action.kind, style)} ${stepSummary(summarised, tier, catalogue)}`,
    stepQuestion(summarised, catalogue),
    ...(isNameTyped ? [nameQuestion(catalogue)] : []),
  ];
};

const challengeLines = (
  { expiresAt, hash, typedName }: ChallengeShown,
  plan: string,
  step: number,
  style: TextStyle,
): readonly string[] => [
  `challenge recorded, to be confirmed once; it ${expiryText(expiresAt, style)}:`,
  `  ${style.command({ ask: "apply", with: { confirmation: hash, plan, step, ...(typedName ? { name: "…" } : {}) } })}`,
];
