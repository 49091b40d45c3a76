// What records do to intents: opened and consumed by apply, ended by an outcome, blocking their VM while unknown.

import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { OutcomeEnd, Sha256 } from "../../spine/model.ts";
import { tokenIn } from "../command/record-body.ts";
import type { Requests } from "../command/request.ts";
import type { ResultOf } from "../command/result.ts";
import { drop, entries, get, put } from "../state/persistent-map.ts";
import { forget, keep, recall } from "../state/recent.ts";
import { type IntentState, openIntent, type State, vmKey } from "../state/state.ts";

/** The confirmation that went with a step is used up. */
export const unconfirmed = ({ challenges }: State, { confirmation }: Requests["apply"]): State["challenges"] =>
  confirmation === undefined ? challenges : forget(challenges, confirmation.challenge);

/** The step is taken. */
export const consumed = ({ plans }: State, { auditId }: LedgerRecord, { of }: Requests["apply"]): State["plans"] => {
  const plan = recall(plans, of.plan);
  return plan === undefined
    ? plans
    : keep(plans, of.plan, { ...plan, consumed: put(plan.consumed, String(of.index), auditId) });
};

/** What a judgement of this moment was made on. */
export const registeredRootIn = (state: State, environment = ""): Sha256 | undefined =>
  get(state.desired, environment)?.root;

export const opened = (
  state: State,
  record: LedgerRecord,
  { of }: Requests["apply"],
  { approvedBy, sendBy, settleBy }: ResultOf<"intended">,
): State["open"] => {
  const { auditId: id, environment = "", instance: owner } = record;
  const { action, hash, name, vmid } = of.step;
  const approvals = recall(state.plans, of.plan)?.approvals ?? [];
  const registered = registeredRootIn(state, environment);
  const token = tokenIn(record);
  const intent: IntentState = {
    action: action.kind,
    approvals: approvals.flatMap(({ by, id: one, step }) => (step === hash && approvedBy.includes(by) ? [one] : [])),
    environment,
    id,
    index: of.index,
    name,
    owner,
    plan: of.plan,
    ...(registered === undefined ? undefined : { registered }),
    sendBy,
    settleBy,
    step: hash,
    ...(token === undefined ? undefined : { token }),
    vmid,
  };
  return put(state.open, vmKey(environment, vmid), intent);
};

/** An open intent, or one with an outcome, changed where it is. */
export const changeIntent = (state: State, id: Ulid, change: (intent: IntentState) => IntentState): State => {
  const open = openIntent(state, id);
  if (open !== undefined) {
    return { ...state, open: put(state.open, vmKey(open.environment, open.vmid), change(open)) };
  }
  const ended = recall(state.intents, id);
  return ended === undefined ? state : { ...state, intents: keep(state.intents, id, change(ended)) };
};

/** The outcome of an open intent; unknown blocks the VM. */
export const blocked = (
  state: State,
  id: Ulid,
  end: OutcomeEnd,
  { processTime: endedAt }: Pick<LedgerRecord, "processTime">,
  reference?: string,
): State => {
  const open = openIntent(state, id);
  if (open === undefined) return state;
  const key = vmKey(open.environment, open.vmid);
  const ended = { ...open, end, endedAt, ...(reference === undefined ? {} : { reference }) };
  return {
    ...state,
    blocked: end.outcome === "unknown" ? put(state.blocked, key, ended) : state.blocked,
    intents: keep(state.intents, id, ended),
    open: drop(state.open, key),
  };
};

export const reconciled = (state: State, id: Ulid): State => {
  const key = [...entries(state.blocked)].find(([, intent]) => intent.id === id)?.[0];
  return key === undefined ? state : { ...state, blocked: drop(state.blocked, key) };
};
