// dedalus apply: walks a plan in order; explains each step, asks, performs it once, and halts at the first outcome that is
// not success. In scripts: one call per step, with the hash of the explanation that was read.
//
// Whoever asks for an end (Ctrl-C) before a step is claimed gets it, and nothing was executed; from the claim on the step is
// finished first. What fails after a call has left is told beside the outcomes, never in their place. Keeps P7-E3.

import { resultText } from "../../formats/result-json.ts";
import type { ApplyPrepared, ConfirmationGiven } from "../../service/act/apply.ts";
import type { StepApplied } from "../../service/act/perform-step.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { present } from "../../spine/values/present.ts";
import { outcomeText } from "../../spine/words/outcome-words.ts";
import { stepNumbered } from "../arguments/steps.ts";
import { type AtService, atService, refusedOutcome, shownBy } from "../at-service.ts";
import { bug } from "../bug.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput, failed } from "../failure.ts";
import { isArtifact, writeWhole } from "../files.ts";
import { type Io, notesTo, progress, progressEnd } from "../io.ts";
import { outObstacle } from "../out-file.ts";
import { type Outcome, withBeside } from "../outcome.ts";
import { PLAIN } from "../views/paint.ts";
import { explanationLines } from "../views/view-plan.ts";

export const run: CommandRun = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : outObstacle(given, io, out, isArtifact("result"));
  if (obstacle !== undefined) return badInput([obstacle]);
  if (out !== undefined && !given.text.has("step")) {
    return badInput([refuse("usage", { cause: "goes-with", facts: { argument: "--out", with: "--step N" } })]);
  }
  return atService(given, io, async (at) => {
    const prepared = await at.service.prepareApply(at.caller, { plan: given.positionals[0] ?? "" }, at.watch);
    return prepared.kind === "refused" ? refusedOutcome(prepared) : walkPlan(at, prepared.value, given, io);
  });
};

const walkPlan = async (at: AtService, prepared: ApplyPrepared, given: Arguments, io: Io): Promise<Outcome> => {
  const only = given.text.get("step");
  if (only === undefined && given.text.has("confirm")) {
    return badInput([refuse("usage", { cause: "goes-with", facts: { argument: "--confirm", with: "--step N" } })]);
  }
  const stop = io.interrupted();
  const applied: StepApplied[] = [];
  // A plan that was begun is gone on with where it stopped; a step that is named is refused by the kernel.
  const untried = Array.from({ length: prepared.steps }, (_, index) => index + 1).filter(
    (number) => !prepared.tried.includes(number),
  );
  for (const number of only === undefined ? untried : [numberOf(only)]) {
    const one = await applyOne(at, prepared, number, given, io, stop).catch(bug);
    if ("exit" in one) return halted(applied, one);
    applied.push(one);
    const out = given.text.get("out");
    const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, resultText(one.file));
    if (unwritten !== undefined) return withBeside(appliedOutcome(applied), await badInput([unwritten]));
    if (one.file.outcome !== "succeeded" || !one.recorded) break;
  }
  if (applied.length > 0) return appliedOutcome(applied);
  return { exit: "done", json: { applied }, text: () => ["every step of this plan was tried already"] };
};

const numberOf = (word: string): number => {
  const named = stepNumbered(word);
  return "number" in named ? named.number : 0;
};

const INTERRUPTED: Outcome = {
  exit: "interrupted",
  json: { error: { because: "interrupted", domain: "input", outcome: "not_executed", refusals: [] } },
  text: () => ["interrupted: no further step was tried"],
};

const applyOne = async (
  at: AtService,
  { confirms, plan }: ApplyPrepared,
  number: number,
  given: Arguments,
  io: Io,
  stop: AbortSignal,
): Promise<StepApplied | Outcome> => {
  if (stop.aborted) return INTERRUPTED;
  const confirmation = confirms ? await confirmStep(at, plan, number, given, io) : undefined;
  if (stop.aborted) return INTERRUPTED;
  if (confirmation !== undefined && "exit" in confirmation) return confirmation;
  const note = notesTo(io);
  const wait = (): void => note(`step ${number} is claimed, and is finished first`);
  let isClaimed = false;
  try {
    const answer = await at.service.apply(
      at.caller,
      { ...present({ confirmation }), plan, step: { number } },
      (told) => {
        if (told.at === "claiming") {
          isClaimed = true;
          stop.addEventListener("abort", wait, { once: true });
        }
        at.watch(told);
      },
    );
    if (answer.kind === "refused") {
      if (isClaimed) io.deeds.withdraw();
      return refusedOutcome(answer);
    }
    const { underway } = answer.value;
    if (underway === undefined) throw new Error("what was claimed here is performed here");
    for await (const stage of underway.stages) progress(io, `step ${number}: ${stage}`);
    return await underway.ended;
  } finally {
    stop.removeEventListener("abort", wait);
  }
};

/** Shows the explanation, takes the yes, and turns both into a confirmation that the kernel will judge. */
const confirmStep = async (
  { caller, service, watch }: AtService,
  plan: string,
  number: number,
  given: Arguments,
  io: Io,
): Promise<ConfirmationGiven | Outcome> => {
  const read = given.text.get("confirm");
  if (read !== undefined) return readBefore(read, given);
  const asked = await service.challenge(caller, { here: true, plan, step: { number } }, watch);
  if (asked.kind === "refused") return shownBy(asked, io, () => INTERRUPTED);
  io.deeds.record();
  const { challenge, explanation } = asked.value;
  if (challenge === undefined) throw new Error("a challenge that is granted is shown");
  progressEnd(io);
  for (const line of explanationLines(explanation, undefined, PLAIN)) io.err(`${line}\n`);
  const question = challenge.typedName
    ? `Type the VM's name to apply step ${number}: `
    : `Apply step ${number}? Type yes: `;
  const answer = await io.ask(question);
  const facts = { plan, step: number };
  if (answer === undefined) {
    return failed("refused", "kernel", [refuse("confirmation-missing", { cause: "no-terminal", facts })]);
  }
  const confirmation = { challenge: challenge.id, explanation: challenge.hash };
  if (challenge.typedName) return { ...confirmation, name: answer };
  if (answer.trim().toLowerCase() === "yes") return confirmation;
  return failed("refused", "kernel", [refuse("confirmation-missing", { cause: "declined", facts })]);
};

/** The hash of what was read with --challenge; which challenge it answers the service finds. */
const readBefore = async (read: string, given: Arguments): Promise<ConfirmationGiven | Outcome> => {
  if (!isSha256(read)) {
    return badInput([refuse("usage", { cause: "not-a-hash", facts: { argument: "--confirm" } })]);
  }
  const name = given.text.get("name");
  return { explanation: read, ...present({ name }) };
};

const appliedLines = (applied: readonly StepApplied[]): readonly string[] =>
  applied.flatMap(({ file, intent, recorded, step }) => [
    `step ${step}: VM ${file.vmid} ${file.action} ${file.outcome}: ${outcomeText(file)}`,
    `  intent ${intent}${file.reference === undefined ? "" : `, ${file.reference}`}`,
    ...(recorded ? [] : ["  the outcome could not be recorded; it will be found as unknown"]),
    ...(file.outcome === "unknown"
      ? [`  the VM is blocked until: dedalus reconcile --env ${file.environment} --vm ${file.vmid}`]
      : []),
  ]);

const appliedOutcome = (applied: readonly StepApplied[]): Outcome => {
  const isDone = applied.every(({ file, recorded }) => file.outcome === "succeeded" && recorded);
  return { exit: isDone ? "done" : "outcome", json: { applied }, text: () => appliedLines(applied) };
};

/** Steps that were applied are told even when the next one was refused; the exit code is theirs then. */
const halted = (applied: readonly StepApplied[], because: Outcome): Outcome =>
  applied.length === 0
    ? because
    : {
        exit: "outcome",
        json: { applied, halted: because.json },
        text: (paint) => [...appliedLines(applied), ...because.text(paint)],
      };
