// One step from its claim to its outcome, for whoever waits and for whoever asks again: the intent is told as soon as
// it is durable, then each stage, then the end.
//
// It goes on whoever leaves. A key that was used before gets the intent that it made, and nothing is
// performed. keeps B6. Not here: what is claimed (apply.ts), the protocol (kernel/apply/protocol.ts).

import type { Actuator } from "../../adapters/actuator.ts";
import type { Source } from "../../adapters/source.ts";
import { type ApplyEnd, performApply } from "../../kernel/apply/perform-apply.ts";
import type { ApplyProgress } from "../../kernel/apply/protocol.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Command, StepRef } from "../../kernel/command/request.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { SubmissionAnswer } from "../../ledger/write/submission.ts";
import type { Instant, ResultFile, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedBy, refusedByKernel, type ServiceAnswer } from "../answer.ts";
import { aboutStep } from "../hold/about-step.ts";
import { anchorIntent } from "../hold/checkpoint-head.ts";
import { displacedLedger } from "../hold/displaced-ledger.ts";
import { checkEditedSince, editedSinceClaim } from "../hold/edited-since.ts";
import { type Reading, readingIn, type ServiceSession } from "../hold/session.ts";
import { resultIn } from "../read/intent-shown.ts";
import { entryReader, type RecordedPlan, readPlannedState } from "../read/recorded.ts";
import { answerFrom } from "./act.ts";
import { eventLog } from "./event-log.ts";

/** How one intent ended. `recorded` is false when the ledger could not take it down; it will be found as unknown. */
export type StepApplied = {
  readonly file: ResultFile;
  readonly intent: Ulid;
  readonly recorded: boolean;
  readonly step: number;
};

/** Where the protocol of an apply is, from the durable intent on. */
export type ApplyStage = Exclude<ApplyProgress["at"], "claim" | "not-claimed">;

/** What happens, from the first on for everybody who reads it, and how it ends. */
export type StepUnderway = { readonly ended: Promise<StepApplied>; readonly stages: AsyncIterable<ApplyStage> };

export type Applying = {
  /** How it ended, where that is known already: in a repeated answer. */
  readonly applied?: StepApplied;
  readonly environment: string;
  readonly intent: Ulid;
  /** Absent where another process performs it, or nobody does any more. */
  readonly underway?: StepUnderway;
  readonly plan: Ulid;
  readonly sendBy: Instant;
  readonly settleBy: Instant;
  readonly step: number;
  readonly vmid: Vmid;
};

/** What a service performs at the moment, by the intent's id. */
export type Performing = Map<Ulid, StepUnderway>;

/** Whether whoever asked for it still wants it; asked right before the claim. */
export type LastQuestion = () => Promise<boolean>;

export type StepToPerform = {
  readonly actuator: Actuator;
  readonly command: Command<"apply">;
  readonly found: RecordedPlan;
  readonly of: StepRef;
  readonly source: Source;
  readonly isWanted?: LastQuestion;
};

/** Resolves when the intent is durable, or is not to be. */
export const performStep = async (
  session: ServiceSession,
  { actuator, command, found, of, source, isWanted }: StepToPerform,
  performing: Performing,
): Promise<ServiceAnswer<Applying>> => {
  const { desk, kernel, ledger, writer } = session;
  const lock = await session.own();
  if ("code" in lock) return refusedBy(lock);
  const kept = await keptFromClaim(session, { found, of, ...present({ isWanted }) });
  if (kept !== undefined) return kept;
  const log = eventLog<ApplyStage>();
  const { promise: claimed, resolve: claim } = Promise.withResolvers<undefined>();
  let answer: SubmissionAnswer | undefined;
  session.watch({ at: "claiming", step: of.index + 1 });
  const run = performApply(
    {
      actuator,
      anchor: anchorIntent(session),
      desk: kernel,
      displaced: displacedLedger(session),
      edited: editedSinceClaim(session, found.planState, of.step.vmid),
      ...present({ ending: desk.ports.ending }),
      monotonicMs: desk.ports.clock.monotonicMs,
      owns: lock.isHeld,
      onProgress: ({ at }) => {
        if (at === "claim" || at === "not-claimed") return;
        log.add(at);
        claim(undefined);
      },
      plannedOn: ({ step }) => readPlannedState(ledger.engine, found, step.vmid),
      registered: entryReader(ledger.engine),
      signalIn: (ms) => AbortSignal.timeout(ms),
      source,
      writer: {
        ...writer,
        submit: async (one) => {
          const given = await writer.submit(one);
          if (one.kind === "apply") answer = given;
          return given;
        },
      },
    },
    command,
  ).finally(log.end);
  const refused = await Promise.race([claimed, run]);
  if (refused?.at === "not-claimed") {
    const where = aboutStep(writer.state(), found.planState, of);
    return insteadOf(session, answer, { ...refusedByKernel(refused.refusals), where }, performing);
  }
  if (answer?.kind !== "recorded") throw new Error("what was claimed is in the ledger");
  const { record } = answer;
  const ended = run.then((end) => appliedOf(end, found, of));
  performing.set(record.auditId, { ended, stages: log.events });
  const forget = (): boolean => performing.delete(record.auditId);
  ended.then(forget, (error: unknown) => {
    forget();
    void desk.ports.hears.note({ cause: "intent-failed", facts: { intent: record.auditId, said: String(error) } });
  });
  return answerFrom(readingIn(session), record, false, readApplying(performing));
};

/** What came up since the question was answered, looked at as late as can be: from the claim on a call may leave. */
const keptFromClaim = async (
  session: ServiceSession,
  { found: { planState }, of, isWanted }: Pick<StepToPerform, "found" | "isWanted" | "of">,
): Promise<RefusedAnswer | undefined> => {
  const where = aboutStep(session.writer.state(), planState, of);
  const edited = checkEditedSince(session, planState, of.step.vmid);
  if (edited !== undefined) return { ...edited, where };
  if (isWanted === undefined || (await isWanted())) return undefined;
  const facts = { plan: of.plan, step: of.index + 1 };
  return { ...refusedByKernel([refuse("confirmation-missing", { cause: "declined", facts })]), where };
};

/** Nothing was claimed: a refusal; or the key was used at the same time elsewhere, and has its answer there. */
const insteadOf = async (
  session: ServiceSession,
  answer: SubmissionAnswer | undefined,
  refused: RefusedAnswer,
  performing: Performing,
): Promise<ServiceAnswer<Applying>> => {
  const stored = answer?.kind === "recorded" && answer.replayed ? answer.record : undefined;
  return stored !== undefined && bodyOf(stored)?.result.kind === "intended"
    ? answerFrom(readingIn(session), stored, true, readApplying(performing))
    : refused;
};

/** The intent that a record made, and what has become of it as far as this service knows. */
export const readApplying =
  (performing: Performing) =>
  async (reading: Reading, record: LedgerRecord): Promise<Applying> => {
    const body = bodyOf(record);
    if (body?.kind !== "apply" || body.result.kind !== "intended") throw new Error(`record ${record.seq} is no intent`);
    const { index, plan, step } = body.request.of;
    const { sendBy, settleBy } = body.result;
    const { auditId: intent, environment = "" } = record;
    const [underway, file] = [performing.get(intent), resultIn(reading.state, intent)];
    const applied = file === undefined ? undefined : { file, intent, recorded: true, step: index + 1 };
    return {
      ...present({ applied }),
      environment,
      intent,
      ...present({ underway }),
      plan,
      sendBy,
      settleBy,
      step: index + 1,
      vmid: step.vmid,
    };
  };

const appliedOf = (end: ApplyEnd, { plan }: RecordedPlan, { index, step }: StepRef): StepApplied => {
  if (end.at === "not-claimed") throw new Error("what was claimed stays claimed");
  const file: ResultFile = {
    ...end.end,
    action: step.action.kind,
    environment: plan.environment,
    plan: plan.hash,
    step: step.hash,
    version: 1,
    vmid: step.vmid,
  };
  return { file, intent: end.claim.id, recorded: end.recorded, step: index + 1 };
};
