// dedalus apply: walks a plan in order; explains each step, asks, performs it once, and halts at the first outcome that is
// not success. In scripts: one call per step, with the hash of the explanation that was read.
//
// Whoever asks for an end (Ctrl-C) before a step is claimed gets it, and nothing was executed; from the claim on the step is
// finished first. What fails after a call has left is told beside the outcomes, never in their place.
// Nothing here decides: the kernel grants or refuses, and what it says is shown word for word. Keeps P7-E3.

import { monotonicMs } from "../../clock.ts";
import { resultText } from "../../formats/result-json.ts";
import { type ApplyEnd, performApply } from "../../kernel/apply/perform-apply.ts";
import type { Confirmation, StepRef } from "../../kernel/command/request.ts";
import { commandOf } from "../../kernel/command-desk.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import { shownBefore } from "../../kernel/decide/step-ref.ts";
import { challengeFor } from "../../kernel/state/challenge-for.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { readRefusal } from "../../ledger/open.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { ResultFile, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { outcomeText } from "../../spine/words/outcome-words.ts";
import type { Adapter } from "../../wire.ts";
import { bug } from "../bug.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput, failed } from "../failure.ts";
import { isArtifact, outObstacle, writeWhole } from "../files.ts";
import { type Io, progress, progressEnd } from "../io.ts";
import { ledgerFailed } from "../ledger-desk.ts";
import { adapterAt } from "../look.ts";
import { type Outcome, withBeside } from "../outcome.ts";
import { chosenStep, entryReader, plannedState, type RecordedPlan, recordedPlan, registeredNow } from "../recorded.ts";
import { anchorIntent, inSession, kernelRefused, type Session } from "../session.ts";
import { PLAIN } from "../views/paint.ts";
import { explanationLines } from "../views/view-plan.ts";

export const run: Run = async (given, io) => {
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : outObstacle(io.folder, out, isArtifact("result"));
  if (obstacle !== undefined) return badInput([obstacle]);
  if (out !== undefined && !given.text.has("step")) {
    return badInput([refuse("usage", { because: "--out is for the result of one step", next: "Add --step N." })]);
  }
  return inSession(given, io, async (session) => {
    const found = await recordedPlan(session.ledger.engine, session.writer.state(), given.positionals[0] ?? "");
    if ("code" in found) return kernelRefused([found]);
    const environment = session.desk.config.environments.get(found.planState.environment);
    if (environment === undefined) {
      return badInput([
        refuse("environment-unknown", { cause: "not-configured", facts: { environment: found.planState.environment } }),
      ]);
    }
    const adapter = await adapterAt(session, found.planState.environment, environment, io);
    if ("code" in adapter) return badInput([adapter]);
    const release = session.owners.hold(session.kernel.instance);
    try {
      return await walked(session, found, adapter, given, io);
    } finally {
      release();
    }
  });
};

type Applied = { readonly file: ResultFile; readonly intent: Ulid; readonly recorded: boolean; readonly step: number };

const walked = async (
  session: Session,
  found: RecordedPlan,
  adapter: Adapter,
  given: Arguments,
  io: Io,
): Promise<Outcome> => {
  const only = given.text.get("step");
  const count = only === undefined ? found.planState.steps.size : 1;
  if (only === undefined && given.text.has("confirm")) {
    return badInput([refuse("usage", { because: "--confirm is for one step", next: "Add --step N." })]);
  }
  const stop = io.interrupted();
  const applied: Applied[] = [];
  for (let at = 0; at < count; at += 1) {
    // A plan that was begun is gone on with where it stopped; a step that is named is refused by the kernel.
    if (only === undefined && get(found.planState.consumed, String(at)) !== undefined) continue;
    const of = chosenStep(found, only ?? String(at + 1));
    if ("code" in of) return halted(applied, badInput([of]));
    const ended = await oneStep(session, found, adapter, of, given, io, stop).catch(bug);
    if ("exit" in ended) return halted(applied, ended);
    if (ended.at === "not-claimed") return halted(applied, kernelRefused(ended.refusals));
    const one = {
      file: resultFileOf(found, of, ended),
      intent: ended.claim.id,
      recorded: ended.recorded,
      step: of.index + 1,
    };
    applied.push(one);
    const out = given.text.get("out");
    const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, resultText(one.file));
    if (unwritten !== undefined) return withBeside(appliedOutcome(applied), badInput([unwritten]));
    if (one.file.outcome !== "succeeded" || !one.recorded) break;
  }
  if (applied.length > 0) return appliedOutcome(applied);
  return { exit: "done", json: { applied }, text: () => ["every step of this plan was tried already"] };
};

const INTERRUPTED: Outcome = {
  exit: "interrupted",
  json: { error: { because: "interrupted", domain: "input", outcome: "not_executed", refusals: [] } },
  text: () => ["interrupted: no further step was tried"],
};

const oneStep = async (
  session: Session,
  found: RecordedPlan,
  { actuator, source }: Adapter,
  of: StepRef,
  given: Arguments,
  io: Io,
  stop: AbortSignal,
): Promise<ApplyEnd | Outcome> => {
  if (stop.aborted) return INTERRUPTED;
  const { planState } = found;
  const confirmation =
    session.kernel.actor.kind === "agent" ? undefined : await confirmed(session, planState, of, given, io);
  if (stop.aborted) return INTERRUPTED;
  if (confirmation !== undefined && "exit" in confirmation) return confirmation;
  if (actuator === undefined) {
    const because = "the environment has no credential to apply with";
    return failed("refused", "kernel", [
      refuse("adapter-unavailable", { because, next: "Add credentials.apply to it." }),
    ]);
  }
  const { environment } = planState;
  const registered = await registeredFor(session, environment, of.step.vmid, confirmation);
  if ("exit" in registered) return registered;
  const command = commandOf(
    session.kernel,
    confirmation === undefined
      ? { kind: "apply", of, ...registered }
      : { confirmation, kind: "apply", of: shownBefore(of), ...registered },
    { environment },
  );
  const wait = (): void => session.desk.note(`step ${of.index + 1} is claimed, and is finished first`);
  stop.addEventListener("abort", wait, { once: true });
  io.deeds.claim();
  const ended = await performApply(
    {
      actuator,
      anchor: anchorIntent(session),
      desk: session.kernel,
      monotonicMs,
      onProgress: ({ at }) => progress(io, `step ${of.index + 1}: ${at}`),
      plannedOn: ({ step }) => plannedState(session.ledger.engine, found, step.vmid),
      registered: entryReader(session.ledger.engine),
      signalIn: (ms) => AbortSignal.timeout(ms),
      source,
      writer: session.writer,
    },
    command,
  ).finally(() => stop.removeEventListener("abort", wait));
  if (ended.at === "not-claimed") io.deeds.withdraw();
  return ended;
};

/** What cannot be read ends this step, and hides nothing of those before it. */
const registeredFor = async (
  session: Session,
  environment: string,
  vmid: Vmid,
  confirmation?: Confirmation,
): Promise<Awaited<ReturnType<typeof registeredNow>> | Outcome> => {
  try {
    return await registeredNow(session, environment, vmid, confirmation);
  } catch (error) {
    return ledgerFailed(readRefusal(error));
  }
};

/** Shows the explanation, takes the yes, and turns both into a confirmation that the kernel will judge. */
const confirmed = async (
  session: Session,
  planState: RecordedPlan["planState"],
  of: StepRef,
  given: Arguments,
  io: Io,
): Promise<Confirmation | Outcome | undefined> => {
  const read = given.text.get("confirm");
  if (read !== undefined) return challengedBefore(session, of, read, given);
  const { environment } = planState;
  const registered = await registeredFor(session, environment, of.step.vmid);
  if ("exit" in registered) return registered;
  const challenge = await session.ask({ here: true, kind: "challenge", of, ...registered }, { environment });
  if (challenge.kind === "refused") return challenge.outcome;
  if (challenge.result.kind !== "challenged") throw new Error("a challenge that is granted has an explanation");
  const { explanation, typedName } = challenge.result;
  const id = challenge.record.auditId;
  progressEnd(io);
  const text = explanationOf(session.writer.state(), planState, of.step);
  for (const line of explanationLines(text, undefined, PLAIN)) io.err(`${line}\n`);
  const question = typedName
    ? `Type the VM's name to apply step ${of.index + 1}: `
    : `Apply step ${of.index + 1}? Type yes: `;
  const answer = await io.ask(question);
  const facts = { plan: of.plan, step: of.index + 1 };
  if (answer === undefined) {
    return failed("refused", "kernel", [refuse("confirmation-missing", { cause: "no-terminal", facts })]);
  }
  if (typedName) return { challenge: id, explanation, name: answer };
  if (answer.trim().toLowerCase() === "yes") return { challenge: id, explanation };
  return failed("refused", "kernel", [refuse("confirmation-missing", { cause: "declined", facts })]);
};

/** The caller's own challenge of this step that the hash answers; without one the kernel is asked unconfirmed, and says so. */
const challengedBefore = (
  { kernel, writer }: Session,
  of: StepRef,
  read: string,
  given: Arguments,
): Confirmation | Outcome | undefined => {
  if (!isSha256(read)) {
    return badInput([refuse("usage", { because: "--confirm takes the 64 hex digits of an explanation's hash" })]);
  }
  const challenge = challengeFor(writer.state(), kernel.actor.id, of, read);
  const name = given.text.get("name");
  return challenge === undefined
    ? undefined
    : { challenge, explanation: read, ...(name === undefined ? {} : { name }) };
};

const resultFileOf = (
  { plan }: RecordedPlan,
  { step }: StepRef,
  ended: ApplyEnd & { readonly at: "done" },
): ResultFile => {
  const { cause, changed, outcome, reference, said } = ended.end;
  return {
    action: step.action.kind,
    because: outcomeText(ended.end),
    cause,
    ...(changed === undefined ? {} : { changed: changed.map(({ field }) => field) }),
    environment: plan.environment,
    outcome,
    plan: plan.hash,
    ...(reference === undefined ? {} : { reference }),
    ...(said === undefined ? {} : { said }),
    step: step.hash,
    version: 1,
    vmid: step.vmid,
  };
};

const appliedLines = (applied: readonly Applied[]): readonly string[] =>
  applied.flatMap(({ file, intent, recorded, step }) => [
    `step ${step}: VM ${file.vmid} ${file.action} ${file.outcome}: ${file.because}`,
    `  intent ${intent}${file.reference === undefined ? "" : `, ${file.reference}`}`,
    ...(recorded ? [] : ["  the outcome could not be recorded; it will be found as unknown"]),
    ...(file.outcome === "unknown"
      ? [`  the VM is blocked until: dedalus reconcile --env ${file.environment} --vm ${file.vmid}`]
      : []),
  ]);

const appliedOutcome = (applied: readonly Applied[]): Outcome => {
  const isDone = applied.every(({ file, recorded }) => file.outcome === "succeeded" && recorded);
  return { exit: isDone ? "done" : "outcome", json: { applied }, text: () => appliedLines(applied) };
};

/** Steps that were applied are told even when the next one was refused; the exit code is theirs then. */
const halted = (applied: readonly Applied[], because: Outcome): Outcome =>
  applied.length === 0
    ? because
    : {
        exit: "outcome",
        json: { applied, halted: because.json },
        text: (paint) => [...appliedLines(applied), ...because.text(paint)],
      };
