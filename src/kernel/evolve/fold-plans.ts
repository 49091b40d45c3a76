// What records do to plans: made, answered with, superseded, canceled, awaited, approved, denied, revoked. A denial is
// also kept for good, by its VM and action.

import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { isForAny } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import { bodyOf } from "../command/record-body.ts";
import type { Requests } from "../command/request.ts";
import type { ResultOf } from "../command/result.ts";
import { EMPTY, get, put } from "../state/persistent-map.ts";
import { keep, recall } from "../state/recent.ts";
import {
  type Approval,
  type ApprovalRequest,
  actionKey,
  type PlanState,
  type State,
  scopeKeyOf,
} from "../state/state.ts";

const changed = (state: State, id: Ulid, change: (plan: PlanState) => PlanState): State => {
  const plan = recall(state.plans, id);
  return plan === undefined ? state : { ...state, plans: keep(state.plans, id, change(plan)) };
};

export const planned = (
  before: State,
  record: LedgerRecord,
  request: Requests["plan"],
  result: ResultOf<"planned">,
): State => {
  const { actor, auditId: id, environment = "" } = record;
  const { bars, complete, content, hash, observedAt, policy, rules, section, steps, supersedes, verdict } = result;
  const state =
    supersedes === undefined ? before : changed(before, supersedes, (plan) => ({ closed: "superseded", ...plan }));
  const tighten = get(before.configs, record.configHash)?.environments[environment]?.policy?.tighten ?? [];
  const asks = tighten.filter((line) => isForAny(line, [actor]));
  const plan: PlanState = {
    approvals: [],
    ...(asks.length === 0 ? {} : { asks }),
    ...(bars === undefined ? {} : { bars }),
    blob: result.plan,
    complete,
    consumed: EMPTY,
    content,
    denials: [],
    environment,
    hash,
    id,
    ...(observedAt === undefined ? {} : { observedAt }),
    ...(policy === undefined ? {} : { policy }),
    requester: {
      door: bodyOf(record)?.door ?? "local",
      id: actor.id,
      kind: actor.kind,
      ...present({ makers: get(before.subjects, actor.id)?.makers }),
    },
    rules,
    section,
    steps,
    verdict,
    waiting: [],
  };
  return {
    ...state,
    latest: keep(state.latest, scopeKeyOf(environment, actor.id, request), id),
    plans: keep(state.plans, id, plan),
  };
};

/** What a requester read last is what they mean by their latest plan, whether it is new or stands from before. */
export const answeredWith = (state: State, { actor }: LedgerRecord, plan: Ulid): State => ({
  ...state,
  answered: keep(state.answered, actor.id, plan),
});

export const canceled = (state: State, id: Ulid): State =>
  changed(state, id, (plan) => ({ ...plan, closed: "canceled" }));

/** The first of each stands: what somebody read before they decided is not put into other words behind their back. */
const askedOnce = (asked: readonly ApprovalRequest[], own: ApprovalRequest): readonly ApprovalRequest[] =>
  asked.some(({ by }) => by === own.by) ? asked : [...asked, own];

export const waiting = (
  state: State,
  { actor, auditId: id, seq }: LedgerRecord,
  { of, reason }: Requests["request-approval"],
): State => {
  const { hash: step } = of.step;
  const own = { by: actor.id, id, ...present({ reason }) };
  return changed(state, of.plan, (plan) => ({
    ...plan,
    waiting: plan.waiting.some((one) => one.step === step)
      ? plan.waiting.map((one) => (one.step === step ? { ...one, asked: askedOnce(one.asked, own) } : one))
      : [...plan.waiting, { asked: [own], since: seq, step }],
  }));
};

export const approved = (
  state: State,
  record: LedgerRecord,
  { explanation, of }: Requests["approve"],
  { appliers, expiresAt }: ResultOf<"approved">,
): State => {
  const { actor, auditId: id, seq } = record;
  const { index, plan, step } = of;
  const door = bodyOf(record)?.door ?? "local";
  const approval = { appliers, by: actor.id, door, expiresAt, explanation, id, index, seq, step: step.hash };
  return changed(state, plan, (one) => ({ ...one, approvals: [...one.approvals, approval] }));
};

export const denied = (
  before: State,
  { actor, auditId: id, environment = "", processTime: at }: LedgerRecord,
  { of, reason }: Requests["deny"],
): State => {
  const { action, hash: step, vmid } = of.step;
  const denial = { by: actor.id, id, reason };
  const state = changed(before, of.plan, (plan) => ({ ...plan, denials: [...plan.denials, { ...denial, step }] }));
  return { ...state, denials: put(state.denials, actionKey(environment, vmid, action.kind), { ...denial, at }) };
};

export const revoked = (state: State, _: LedgerRecord, { approval, plan: id }: Requests["revoke"]): State =>
  changed(state, id, (plan) => withoutApprovals(plan, (one) => one.id === approval));

/** Whoever asked for an approval that is gone has to ask again: people were told of the one that they gave. */
export const withoutApprovals = (plan: PlanState, isGone: (approval: Approval) => boolean): PlanState => {
  const gone = new Set(plan.approvals.filter(isGone).map(({ step }) => step));
  return {
    ...plan,
    approvals: plan.approvals.filter((one) => !isGone(one)),
    waiting: plan.waiting.filter(({ step }) => !gone.has(step)),
  };
};
