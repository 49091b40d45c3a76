// dedalus apply: walks a plan in order; asks about each step (confirm-step.ts), performs it once, shows its outcome as
// soon as it is known, and halts at the first that is not success. Steps that cannot be applied now are listed before
// the first question. In scripts: one call per step, with the hash of the explanation that was read.
//
// Whoever asks for an end (Ctrl-C) before a step is claimed gets it, and nothing was executed; from the claim on a call
// may leave, and its outcome is waited for; whoever asks again leaves it to reconcile. What fails after a call has left
// is told beside the outcomes, never in their place. Keeps P7-E3.

import { setTimeout as pause } from "node:timers/promises";
import { parsePlan } from "../../formats/plan-json.ts";
import type { Problem } from "../../formats/problem.ts";
import { resultText } from "../../formats/result-json.ts";
import type { ApplyPrepared, PlanToApply } from "../../service/act/apply.ts";
import type { StepApplied } from "../../service/act/perform-step.ts";
import { walkJson } from "../../service/json/act-json.ts";
import { INTERRUPTED_JSON } from "../../service/json/bug-json.ts";
import type { ErrorJson } from "../../service/json/error-json.ts";
import { readText } from "../../service/named-file.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { stepNumbered } from "../arguments/steps.ts";
import { type AtService, refusedOutcome, withService } from "../asking/at-service.ts";
import { bug } from "../bug.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput, failed } from "../failed-outcome.ts";
import { isArtifact, writeWhole } from "../files/files.ts";
import { probeOutFile } from "../files/out-file.ts";
import { type Outcome, withBeside } from "../outcome.ts";
import { endProgress, type Io, notesTo, showProgress } from "../process/io.ts";
import { say, styleAt } from "../process/say.ts";
import type { TextStyle } from "../views/text-style.ts";
import { objectionLines } from "../views/view-step-status.ts";
import {
  ALL_TRIED,
  allSkippedLines,
  appliedLines,
  INTERRUPTED_LINE,
  leftLines,
  leftUnderwayText,
  stageText,
  triedLines,
  underwayText,
} from "../views/view-walk.ts";
import { confirmStep } from "./confirm-step.ts";

export const run: CommandRun = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : probeOutFile(given, io, out, isArtifact("result"));
  if (obstacle !== undefined) return badInput([obstacle]);
  if (out !== undefined && !given.text.has("step")) {
    return badInput([refuse("usage", { cause: "goes-with", facts: { argument: "--out", with: "--step N" } })]);
  }
  const wanted = planNamed(given.positionals[0], io);
  if ("problems" in wanted) return badInput(wanted.problems);
  return withService(given, io, async (at) => {
    const prepared = await at.service.prepareApply(at.caller, wanted, at.watch);
    if (prepared.kind === "refused") return refusedOutcome(prepared);
    const { environment, plan } = prepared.value;
    endProgress(io);
    if (given.positionals[0] === undefined) say(io, [`plan ${plan} of ${environment}`]);
    return walkPlan(at, prepared.value, given, io);
  });
};

/** An id, or the file of a recorded plan: no id has a dot or a slash. */
const planNamed = (
  word: string | undefined,
  io: Io,
): PlanToApply | { readonly problems: readonly (Problem | Refusal)[] } => {
  if (word === undefined) return {};
  if (!/[./]/.test(word)) return { plan: word };
  const text = readText(io.folder, word);
  const parsed = text.kind === "ok" ? parsePlan(text.value, word) : text;
  if (parsed.kind === "bad") return parsed;
  const { id, plan } = parsed.value;
  return id === undefined
    ? { problems: [refuse("usage", { cause: "plan-file-unrecorded", facts: { file: word } })] }
    : { hash: plan.hash, plan: id };
};

export const walkPlan = async (at: AtService, prepared: ApplyPrepared, given: Arguments, io: Io): Promise<Outcome> => {
  const only = given.text.get("step");
  if (only === undefined && given.text.has("confirm")) {
    return badInput([refuse("usage", { cause: "goes-with", facts: { argument: "--confirm", with: "--step N" } })]);
  }
  const stop = io.interrupted();
  const isVerbose = given.flags.has("verbose");
  const walked: Walked = { applied: [], io, isVerbose, kept: keptIn(prepared, only), of: prepared, skipped: [] };
  // A plan that was begun is gone on with where it stopped; a step that is named is refused by the kernel.
  const open = prepared.untried.filter((one) => !walked.kept.includes(one)).map(({ step }) => step);
  // Where no step is left to ask about, they are the outcome, and told as that.
  if (walked.kept.length > 0 && open.length > 0) {
    endProgress(io);
    say(io, objectionLines(prepared, walked.kept, styleAt(io, "err", walked.isVerbose)));
  }
  for (const number of only === undefined ? open : [numberOf(only)]) {
    const one = await applyOne(at, prepared, number, given, io, stop).catch(bug);
    if (one === "skipped") {
      walked.skipped.push(number);
      continue;
    }
    if ("left" in one) return left(walked, one.left, "stopped");
    if (one === INTERRUPTED) return left(walked, one, "interrupted");
    if ("exit" in one) return halted(walked, one);
    walked.applied.push(one);
    endProgress(io);
    if (io.isErrTerminal) say(io, appliedLines([one], styleAt(io, "err", isVerbose)));
    const out = given.text.get("out");
    const unwritten =
      out === undefined ? undefined : writeWhole(io.folder, out, resultText(one.file), isArtifact("result"));
    if (unwritten !== undefined) return withBeside(walkedOutcome(walked), await badInput([unwritten]));
    if (one.file.outcome !== "succeeded" || !one.recorded) break;
  }
  if (walked.applied.length > 0) return walkedOutcome(walked);
  if (walked.skipped.length > 0) return allSkipped(walked);
  if (walked.kept.length > 0) return nothingApplied(walked);
  return { exit: "done", json: jsonOfWalk(walked), text: () => [ALL_TRIED] };
};

/** What a walk has come to so far. */
type Walked = {
  readonly applied: StepApplied[];
  readonly io: Io;
  readonly isVerbose: boolean;
  /** Steps that cannot be applied now, and are not asked about. */
  readonly kept: ApplyPrepared["untried"];
  readonly of: ApplyPrepared;
  readonly skipped: number[];
};

/** Whoever names a step, and an agent, hears it from the kernel, on record. */
const keptIn = ({ confirms, untried }: ApplyPrepared, only: string | undefined): ApplyPrepared["untried"] =>
  confirms && only === undefined ? untried.filter(({ objections }) => objections.length > 0) : [];

const numberOf = (word: string): number => {
  const named = stepNumbered(word);
  return "number" in named ? named.number : 0;
};

export const INTERRUPTED: Outcome = {
  exit: "interrupted",
  json: INTERRUPTED_JSON,
  text: () => [INTERRUPTED_LINE],
};

const applyOne = async (
  at: AtService,
  { confirms, environment, plan, steps, untried }: ApplyPrepared,
  number: number,
  given: Arguments,
  io: Io,
  stop: AbortSignal,
): Promise<StepApplied | Outcome | { readonly left: Outcome } | "skipped"> => {
  if (stop.aborted) return INTERRUPTED;
  const answered = confirms ? await confirmStep(at, { number, of: steps, plan }, given, io) : undefined;
  if (stop.aborted) return INTERRUPTED;
  if (answered?.kind === "skipped") return "skipped";
  if (answered?.kind === "left") return { left: answered.outcome };
  if (answered?.kind === "ended") return answered.outcome;
  const confirmation = answered?.confirmation;
  const vmid = untried.find(({ step }) => step === number)?.vmid;
  const reconcile = io.spell({ ask: "reconcile", with: { environment, ...present({ vmid }) } });
  const note = notesTo(io);
  const where = { number, steps, vmid };
  const wait = (): void => note(underwayText(where, reconcile));
  let isClaimed = false;
  try {
    const answer = await at.service.apply(
      at.caller,
      { ...present({ confirmation }), plan, step: { number } },
      (told) => {
        if (told.at === "claiming") {
          isClaimed = true;
          io.deeds.follow(leftUnderwayText(where, reconcile));
          stop.addEventListener("abort", wait, { once: true });
        }
        at.watch(told);
      },
      // A signal that has arrived is heard in a later turn of the loop.
      () => pause(0).then(() => !stop.aborted),
    );
    if (answer.kind === "refused") {
      if (isClaimed) io.deeds.withdraw();
      else if (stop.aborted) return INTERRUPTED;
      return refusedOutcome(answer);
    }
    const { underway } = answer.value;
    if (underway === undefined) throw new Error("what was claimed here is performed here");
    for await (const stage of underway.stages) showProgress(io, stageText(where, stage));
    return await underway.ended;
  } finally {
    stop.removeEventListener("abort", wait);
    io.deeds.follow(undefined);
  }
};

const jsonOfWalk = ({ applied, kept, of, skipped }: Walked, halted?: ErrorJson) =>
  walkJson({ applied, ...present({ halted }), plan: of.plan, skipped, withheld: kept });

/** What was shown when it was known is not said twice to the same person. */
const untoldLines = ({ applied, io }: Walked, style: TextStyle): readonly string[] =>
  io.isErrTerminal && io.isOutTerminal ? [] : appliedLines(applied, style);

const walkedLines = (walked: Walked, style: TextStyle): readonly string[] => {
  const { applied, of, skipped } = walked;
  return [...untoldLines(walked, style), ...triedLines({ skipped, steps: of.steps, tried: applied.length })];
};

const walkedOutcome = (walked: Walked): Outcome => {
  const isDone =
    walked.applied.every(({ file, recorded }) => file.outcome === "succeeded" && recorded) &&
    walked.kept.length + walked.skipped.length === 0;
  return { exit: isDone ? "done" : "outcome", json: jsonOfWalk(walked), text: (style) => walkedLines(walked, style) };
};

/** What is refused of a whole plan. */
const OF_PLAN: ReadonlySet<Refusal["code"]> = new Set(["plan-closed", "plan-not-live", "plan-refused"]);

/** What stands against each step of a plan alike is told once, of none of them. */
const ofPlanOnce = (refusals: readonly Refusal[]): readonly Refusal[] => {
  const alike = Map.groupBy(refusals, ({ cause, code, facts }) => JSON.stringify([code, cause, facts]));
  return Array.from(alike.values(), ([first, ...others]) => {
    if (first === undefined || (others.length === 0 && !OF_PLAN.has(first.code))) return first;
    const { vmid: _, ...ofAll } = first;
    return ofAll;
  }).filter((refusal) => refusal !== undefined);
};

const nothingApplied = ({ kept, of: { environment, plan }, skipped }: Walked): Promise<Outcome> =>
  failed(
    "refused",
    "kernel",
    [
      ...skipped.map((step) => refuse("confirmation-missing", { cause: "declined", facts: { plan, step } })),
      ...ofPlanOnce(kept.flatMap(({ objections }) => objections)),
    ],
    { where: ({ vmid }) => kept.find((one) => one.vmid === vmid)?.where ?? { environment, plan } },
  );

/**
 * Whoever skips everything is told that, and is not reproached; a program gets what was not confirmed. What could not
 * be asked about was told before the first question.
 */
const allSkipped = async (walked: Walked): Promise<Outcome> => {
  const { kept, of, skipped } = walked;
  return {
    ...(await nothingApplied(walked)),
    text: (style) => allSkippedLines(of.plan, kept.length === 0 ? "every" : skipped, style),
  };
};

/** Whoever ends a walk is told how far it came and how it goes on; a program gets what was not confirmed. */
const left = (walked: Walked, because: Outcome, how: "interrupted" | "stopped"): Outcome => {
  const { applied, of, skipped } = walked;
  const tried = of.steps - of.untried.length + applied.length;
  const text = (style: TextStyle): readonly string[] =>
    leftLines(of.plan, how, { skipped, steps: of.steps, tried }, style);
  return halted(walked, { ...because, text }, untoldLines);
};

/** Steps that were applied are told even when the next one was refused; the exit code is theirs then. */
const halted = (walked: Walked, because: Outcome, lines: typeof walkedLines = walkedLines): Outcome =>
  walked.applied.length === 0
    ? because
    : {
        exit: "outcome",
        json: jsonOfWalk(walked, because.json as ErrorJson),
        text: (style) => [...lines(walked, style), ...because.text(style)],
      };
