// The claim of a step: what a durable record of apply gives to the one process that may perform it. keeps P7-F3
//
// Only an answer of the writer that was made by this very command makes one; an answer that was stored before
// (a repeated key) makes none, so that a duplicate never acts. An actuator takes nothing but what is made here.
// keeps B6

import type { DurableIntent } from "../../adapters/actuator.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { SubmissionAnswer } from "../../ledger/write/submission.ts";
import type { Instant, PlanStep, VmState } from "../../spine/model.ts";
import { bodyOf } from "../command/record-body.ts";

export type Claim = {
  readonly correlationId: Ulid;
  readonly decidedAt: Instant; // what the deadlines are counted from
  readonly environment: string;
  readonly id: Ulid; // of the intent: the record that made it durable
  readonly sendBy: Instant;
  readonly settleBy: Instant;
  readonly size: number; // of the ledger with the intent as its last record: what an anchored checkpoint must cover
  readonly step: PlanStep;
} & { readonly __is: "Claim" };

/** Undefined when nothing may be performed on the strength of this answer. */
export const claimOf = (answer: SubmissionAnswer): Claim | undefined =>
  answer.kind === "recorded" && !answer.replayed ? claimIn(answer.record) : undefined;

const claimIn = (record: LedgerRecord): Claim | undefined => {
  const body = bodyOf(record);
  if (body?.kind !== "apply" || body.result.kind !== "intended") return undefined;
  const { sendBy, settleBy } = body.result;
  const { auditId: id, correlationId, environment = "", processTime: decidedAt, seq } = record;
  const { step } = body.request.of;
  return { correlationId, decidedAt, environment, id, sendBy, settleBy, size: seq + 1, step } as Claim;
};

export const durableIntent = ({ environment, id, sendBy, settleBy, step }: Claim, seen: VmState): DurableIntent =>
  ({ environment, id, seen, sendBy, settleBy, step }) as DurableIntent;
