// One step of a walk, read and answered: its summary, the question that names the VM, and what the person at the
// terminal said. Their yes becomes a confirmation of the challenge that was recorded for this step and this VM alone.
//
// An answer that is none of the keys is asked about again, and a few of them are a no. Where nothing can be undone the
// VM's name is typed besides. What was typed before a question stood there answers nothing (cli/process/terminal.ts).
// Not here: the walk (apply.ts). Keeps P7-A2, P7-E1.

import type { ConfirmationGiven } from "../../service/act/apply.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { present } from "../../spine/values/present.ts";
import { OWN_WORDS } from "../../spine/words/own-words.ts";
import { nameQuestion, stepQuestion, stepSummary } from "../../spine/words/steps/step-summary.ts";
import { type AtService, refusedOutcome } from "../asking/at-service.ts";
import type { Arguments } from "../command.ts";
import { badInput, failed } from "../failed-outcome.ts";
import type { Outcome } from "../outcome.ts";
import { endProgress, type Io } from "../process/io.ts";
import { say, styleAt } from "../process/say.ts";
import { actionSign } from "../views/signs.ts";
import { explanationLines, NOBODY_BESIDE } from "../views/view-plan.ts";

export type StepOfWalk = { readonly number: number; readonly of: number; readonly plan: string };
export type StepAnswered =
  | { readonly kind: "confirmed"; readonly confirmation: ConfirmationGiven }
  | { readonly kind: "ended"; readonly outcome: Outcome }
  /** By somebody at a terminal who did not say yes; the outcome is for programs. */
  | { readonly kind: "left"; readonly outcome: Outcome }
  | { readonly kind: "skipped" };

type Choice = "explain" | "keys" | "no" | "skip" | "yes";

/** Each key with its long form, as `?` shows it. Whoever presses Enter alone says no. */
const KEYS: readonly { readonly choice: Choice; readonly keys: readonly string[]; readonly means: string }[] = [
  { choice: "yes", keys: ["y", "yes"], means: "apply this step" },
  { choice: "no", keys: ["n", "no", ""], means: "stop here (also Enter); nothing more is applied" },
  { choice: "explain", keys: ["e", "explain"], means: "show the whole explanation, and ask again" },
  { choice: "skip", keys: ["s", "skip"], means: "skip this step, and go on with the next" },
  { choice: "no", keys: ["q", "quit"], means: "the same as n" },
  { choice: "keys", keys: ["?", "h", "help"], means: "show these keys" },
];
const choiceOf = (answer: string): Choice | undefined =>
  KEYS.find(({ keys }) => keys.includes(answer.trim().toLowerCase()))?.choice;

const keyLines = (): readonly string[] => KEYS.map(({ keys, means }) => `  ${keys[0]}  ${means}`);

/** Whatever answers like this is no person who reads the question. */
const UNKNOWN_ANSWERS_MAX = 3;

export const confirmStep = async (
  { caller, service, watch }: AtService,
  { number, of, plan }: StepOfWalk,
  given: Arguments,
  io: Io,
): Promise<StepAnswered> => {
  const read = given.text.get("confirm");
  if (read !== undefined) return readBefore(read, given);
  const asked = await service.challenge(caller, { here: true, plan, step: { number } }, watch);
  if (asked.kind === "refused") return { kind: "ended", outcome: await refusedOutcome(asked) };
  io.deeds.record();
  const { challenge, explanation, tier } = asked.value;
  const { facts, step, vmid } = explanation;
  if (challenge === undefined || step === undefined) throw new Error("a challenge that is granted is shown");
  const style = styleAt(io, "err", given.flags.has("verbose"));
  const explained = explanationLines(explanation, asked.value.shown ?? NOBODY_BESIDE, style);
  const summarised = { facts, step, vmid };
  endProgress(io);
  say(io, [`${number}/${of}  ${actionSign(step.action.kind, style)} ${stepSummary(summarised, tier)}`]);
  // Somebody said no to the same before: nobody agrees to it without having read that.
  if (explanation.denied !== undefined) say(io, explained);
  const question = `${stepQuestion(summarised)} `;
  for (let unknown = 0; ; ) {
    const answer = await io.ask(question);
    if (answer === undefined) return unconfirmed("no-terminal", plan, number);
    const choice = choiceOf(answer);
    if (choice === undefined) unknown += 1;
    if (choice === "skip") return { kind: "skipped" };
    if (choice === "no" || unknown === UNKNOWN_ANSWERS_MAX) return unconfirmed("declined", plan, number);
    if (choice === "yes") break;
    if (choice === undefined) say(io, ["Not one of these keys:"]);
    say(io, choice === "explain" ? explained : keyLines());
  }
  // Read in the words of this program, which need not be the service's.
  const confirmation = { challenge: challenge.id, explanation: challenge.hash, words: OWN_WORDS.digest };
  if (!challenge.typedName) return { confirmation, kind: "confirmed" };
  const name = await io.ask(`${nameQuestion()} `);
  if (name === undefined) return unconfirmed("no-terminal", plan, number);
  return { confirmation: { ...confirmation, name }, kind: "confirmed" };
};

/** A no is an answer, and no offence. */
const ENDS = { declined: "left", "no-terminal": "ended" } as const;

const unconfirmed = async (cause: "declined" | "no-terminal", plan: string, step: number): Promise<StepAnswered> => {
  const refusal = refuse("confirmation-missing", { cause, facts: { plan, step } });
  return { kind: ENDS[cause], outcome: await failed("refused", "kernel", [refusal]) };
};

/** The hash of what was read with --challenge; which challenge it answers the service finds. */
const readBefore = async (read: string, given: Arguments): Promise<StepAnswered> => {
  if (!isSha256(read)) {
    const outcome = await badInput([refuse("usage", { cause: "not-a-hash", facts: { argument: "--confirm" } })]);
    return { kind: "ended", outcome };
  }
  const name = given.text.get("name");
  return { confirmation: { explanation: read, ...present({ name }) }, kind: "confirmed" };
};
