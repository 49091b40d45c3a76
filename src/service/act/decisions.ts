// approve, deny, revoke, request-approval, cancel and challenge: the recorded decisions of people on a plan and its
// steps.
//
// Nothing here decides whether they count; the kernel does. A no is a brake, and reads nothing that it does not need.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { StepRef } from "../../kernel/command/request.ts";
import type { Result } from "../../kernel/command/result.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import { lastDenialOf } from "../../kernel/state/last-denial.ts";
import { recall } from "../../kernel/state/recent.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { ActionKind, Instant, Sha256, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput, type ServiceAnswer } from "../answer.ts";
import { approvalPage } from "../approval-page.ts";
import { checkAsker, type Reading, readingIn, type ServiceSession } from "../hold/session.ts";
import {
  explainStep,
  findStep,
  type StepExplained,
  type StepFound,
  type StepRequest,
} from "../read/explain-recorded.ts";
import { readNamedPlan, undecidable } from "../read/plan-references.ts";
import { readRegisteredNow } from "../read/recorded.ts";
import { readProgress } from "../read/steps-shown.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type DecisionRecorded = {
  readonly action?: ActionKind;
  /** Of a request for approval: where a person decides on it in a browser. */
  readonly approvalPage?: string;
  readonly by: string;
  /** Of an approval: when it ends. */
  readonly expiresAt?: Instant;
  readonly id: Ulid;
  /** Of an approval, or a request for one: how many the step needs; absent where it is refused whoever agrees. */
  readonly needed?: number;
  readonly plan: Ulid;
  /** Of a request for approval: why, as it is recorded. */
  readonly reason?: string;
  readonly seq: number;
  /** The step that was decided on, by its number from 1; like its action and VM absent where a repeat cannot tell. */
  readonly step?: number;
  readonly vmid?: Vmid;
};

type Reasoned = StepRequest & { readonly reason: string };

/** `reason` is for whoever decides; no decision is made by it. */
export type ApprovalWanted = StepRequest & { readonly reason?: string };

/** `explanation` and `words` are what was shown, by their digests; where nothing is said, what would be shown now. */
export type ApproveRequest = Reasoned & { readonly explanation?: string; readonly words?: Sha256 };

const ofStep = ({ index, step }: StepRef) => ({ action: step.action.kind, step: index + 1, vmid: step.vmid });

const decisionOf = ({ actor, auditId: id, seq }: LedgerRecord, result: Result, plan: Ulid): DecisionRecorded => ({
  by: actor.id,
  ...(result.kind === "approved" ? { expiresAt: result.expiresAt } : {}),
  id,
  plan,
  seq,
});

/** Of every decision whose request names its step. */
const decisionIn = async (reading: Reading, record: LedgerRecord): Promise<DecisionRecorded> => {
  const body = bodyOf(record);
  if (body?.kind !== "approve" && body?.kind !== "deny" && body?.kind !== "request-approval")
    throw new Error(`record ${record.seq} decides on no step`);
  const { of } = body.request;
  const { url } = reading.desk.config.service ?? {};
  const asked =
    body.kind === "request-approval"
      ? { approvalPage: approvalPage(url, of.plan, of.index + 1), reason: body.request.reason }
      : {};
  const needed = body.kind === "deny" ? undefined : await neededBy(reading, of);
  return { ...decisionOf(record, body.result, of.plan), ...present({ ...asked, needed }), ...ofStep(of) };
};

/** Undefined of a plan that is not remembered any more. */
const neededBy = async (reading: Reading, of: StepRef): Promise<number | undefined> => {
  const found = recall(reading.state.plans, of.plan);
  if (found === undefined) return undefined;
  const { needed, status } = await readProgress(reading, found, of);
  return status === "refused" ? undefined : needed;
};

/** With the registered entry of the step's VM, which the kernel judges again. */
const registeredFor = (session: ServiceSession, { found, of }: StepFound) =>
  readRegisteredNow(session, found.planState.environment, of.step.vmid);

const atStep = async <T extends object>(
  session: ServiceSession,
  request: StepRequest,
  work: (chosen: StepFound) => Promise<ServiceAnswer<T>>,
): Promise<ServiceAnswer<T>> => {
  const chosen = await findStep(readingIn(session), request);
  return "kind" in chosen ? chosen : work(chosen);
};

/** The same for whoever decides: by the plan's id or the beginning of it. */
const atNamedStep: typeof atStep = async (session, request, work) => {
  const unnamed = undecidable(readingIn(session), request.plan);
  return unnamed === undefined ? atStep(session, request, work) : refusedInput([unnamed]);
};

/** What is approved is what the kernel explains of it; whoever approves was shown that, or says which text it was. */
export const approveStep: ServiceAct<ApproveRequest, DecisionRecorded> = {
  perform: (session, request) =>
    atNamedStep(session, request, async (chosen) => {
      const registered = await registeredFor(session, chosen);
      const { found, of } = chosen;
      const { environment } = found.planState;
      const explanation = explanationOf(session.writer.state(), found.planState, of.step).hash;
      const unread = unreadBy(session, chosen, explanation, request.explanation);
      // Whoever may not decide at all is told that, and not to read first.
      if (unread !== undefined) return (await checkAsker(session, "approve", environment)) ?? unread;
      const asked = await session.answer(
        { explanation, kind: "approve", of, reason: request.reason, ...registered },
        { environment, ...present({ words: request.words }) },
      );
      return answerWith(session, asked, approveStep.valueIn);
    }),
  valueIn: decisionIn,
};

/**
 * A step that was denied before is approved by whoever has read that; and nobody approves another text than they name.
 */
const unreadBy = (
  { writer }: ServiceSession,
  { found, of }: StepFound,
  explanation: string,
  shown: string | undefined,
): RefusedAnswer | undefined => {
  const { planState } = found;
  const denied = lastDenialOf(writer.state(), planState, of.step);
  const facts = { plan: planState.id, step: of.index + 1 };
  // What was denied in this very plan is over, and no reading changes that: the kernel says so.
  const isOver = planState.denials.some(({ step }) => step === of.step.hash);
  if (shown === undefined && denied !== undefined && !isOver) {
    const { at, by, id: denial, reason } = denied;
    return refusedInput([
      refuse("denied-before", {
        facts: { ...facts, at, by, denial, explanation, reason },
        vmid: of.step.vmid,
      }),
    ]);
  }
  if (shown === undefined || shown === explanation) return undefined;
  return refusedInput([refuse("explanation-differs", { cause: "approved", facts })]);
};

export const denyStep: ServiceAct<Reasoned, DecisionRecorded> = {
  isBrake: true,
  perform: (session, request) =>
    atNamedStep(session, request, async ({ found, of }) => {
      const { environment } = found.planState;
      const asked = await session.answer({ kind: "deny", of, reason: request.reason }, { environment });
      return answerWith(session, asked, denyStep.valueIn);
    }),
  valueIn: decisionIn,
};

/** An agent that asks again has asked already, in whichever words: people are told once. */
export const requestStepApproval: ServiceAct<ApprovalWanted, DecisionRecorded> = {
  derivedBy: ({ reason: _, ...step }) => step,
  perform: (session, request) =>
    atStep(session, request, async (chosen) => {
      const { environment } = chosen.found.planState;
      const registered = await registeredFor(session, chosen);
      const asked = await session.answer(
        { kind: "request-approval", of: chosen.of, ...present({ reason: request.reason }), ...registered },
        { environment },
      );
      return answerWith(session, asked, requestStepApproval.valueIn);
    }),
  valueIn: decisionIn,
};

/** The caller's own approval of the step, or the one that is named. */
export const revokeApproval: ServiceAct<Reasoned & { readonly approval?: string }, DecisionRecorded> = {
  isBrake: true,
  perform: (session, request) =>
    atNamedStep(session, request, async ({ found, of }) => {
      const { environment, approvals, id: plan } = found.planState;
      const by = session.caller.actor.id;
      const own = approvals.find((one) => one.step === of.step.hash && one.by === by);
      const approval = request.approval ?? own?.id ?? "";
      if (!isUlid(approval)) return refusedInput([refuse("approval-unknown", { cause: "none", facts: { by } })]);
      const { reason } = request;
      const asked = await session.answer({ approval, kind: "revoke", plan, reason }, { environment });
      const answer = await answerWith(session, asked, revokeApproval.valueIn);
      return answer.kind === "refused" || answer.replayed
        ? answer
        : { ...answer, value: { ...answer.value, ...ofStep(of) } };
    }),
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "revoke") throw new Error(`record ${record.seq} revokes nothing`);
    return decisionOf(record, body.result, body.request.plan);
  },
};

export type PlanCanceled = Pick<DecisionRecorded, "by" | "plan" | "seq">;

/** A plan is closed as a whole, also one without a step. */
export const cancelPlan: ServiceAct<{ readonly plan: string; readonly reason: string }, PlanCanceled> = {
  isBrake: true,
  perform: async (session, { plan, reason }) => {
    const found = await readNamedPlan(readingIn(session), plan);
    if ("code" in found) return refusedInput([found]);
    const { environment, id } = found.planState;
    const asked = await session.answer({ kind: "cancel", plan: id, reason }, { environment });
    return answerWith(session, asked, cancelPlan.valueIn);
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "cancel") throw new Error(`record ${record.seq} cancels nothing`);
    return { by: record.actor.id, plan: body.request.plan, seq: record.seq };
  },
};

/** `here`: asked by somebody who waits for the answer; only this process may confirm with it. */
export const challenge: ServiceAct<StepRequest & { readonly here?: true }, StepExplained> = {
  perform: (session, request) =>
    atStep(session, request, async (chosen) => {
      const { environment } = chosen.found.planState;
      const registered = await registeredFor(session, chosen);
      const here = request.here === undefined ? {} : { here: request.here };
      const asked = await session.answer({ ...here, kind: "challenge", of: chosen.of, ...registered }, { environment });
      return answerWith(session, asked, challenge.valueIn);
    }),
  valueIn: async (reading, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "challenge" || body.result.kind !== "challenged" || body.words === undefined)
      throw new Error("a challenge that is granted has an explanation, and was shown in words");
    const { index, plan } = body.request.of;
    const chosen = await findStep(reading, { plan, step: { number: index + 1 } });
    if ("kind" in chosen) return chosen;
    const { expiresAt, explanation: hash, typedName } = body.result;
    return explainStep(reading, chosen, { expiresAt, hash, id: record.auditId, typedName, words: body.words });
  },
};
