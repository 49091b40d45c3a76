// What records do to plans: made, superseded, canceled, awaited, approved, denied, revoked.

import type { LedgerRecord, Ulid } from "../ledger/record.ts";
import { scopeKeyOf } from "./decide-plan.ts";
import { EMPTY } from "./persistent-map.ts";
import { keep, recall } from "./recent.ts";
import type { Requests } from "./request.ts";
import type { ResultOf } from "./result.ts";
import type { PlanState, State } from "./state.ts";

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
  const plan: PlanState = {
    approvals: [],
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
    requester: { id: actor.id, kind: actor.kind },
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

export const canceled = (state: State, id: Ulid): State =>
  changed(state, id, (plan) => ({ ...plan, closed: "canceled" }));

export const waiting = (state: State, _: LedgerRecord, { of }: Requests["request-approval"]): State =>
  changed(state, of.plan, (plan) => ({ ...plan, waiting: [...new Set([...plan.waiting, of.step.hash])] }));

export const approved = (
  state: State,
  { actor, auditId }: LedgerRecord,
  { explanation, of }: Requests["approve"],
  { expiresAt }: ResultOf<"approved">,
): State =>
  changed(state, of.plan, (plan) => ({
    ...plan,
    approvals: [...plan.approvals, { by: actor.id, expiresAt, explanation, id: auditId, step: of.step.hash }],
  }));

export const denied = (state: State, { actor, auditId }: LedgerRecord, { of, reason }: Requests["deny"]): State =>
  changed(state, of.plan, (plan) => ({
    ...plan,
    denials: [...plan.denials, { by: actor.id, id: auditId, reason, step: of.step.hash }],
  }));

export const revoked = (state: State, _: LedgerRecord, { approval, plan: id }: Requests["revoke"]): State =>
  changed(state, id, (plan) => ({ ...plan, approvals: plan.approvals.filter((one) => one.id !== approval) }));
