// Plans and intents that are older than what the state keeps, as they were: folded again from the records that are
// about them, which the index finds. For display alone: what is decided stands on the state, and knows nothing of them.
//
// What ended a plan from outside (a restore, a token that was revoked) is not among its own records: a step of it that
// was never tried shows as expired then, which it is as well. keeps N4

import { bodyOf } from "../../kernel/command/record-body.ts";
import { evolve } from "../../kernel/fold-versions.ts";
import { EMPTY, entries } from "../../kernel/state/persistent-map.ts";
import { keep, NOTHING_RECENT, recall, recentEntries } from "../../kernel/state/recent.ts";
import { openIntent, type State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { FittingIndex } from "../hold/held-terms.ts";
import type { Reading } from "../hold/session.ts";
import type { Sight } from "../hold/sight.ts";
import { readCandidates } from "./candidates.ts";
import { idsReferredTo, idTerm } from "./record-terms.ts";

/** The reading with the plan of this id, or of this intent, in its state; as it is where there is nothing to find. */
export const withOlder = async (reading: Reading, word: string): Promise<Reading> => {
  const id = word.toUpperCase();
  const { index, ledger, sees, state } = reading;
  if (index === undefined || !isUlid(id) || isKept(state, id)) return reading;
  const found = await index();
  if (found === undefined) return reading;
  const plan = await planOf(ledger.engine, found, id, sees);
  if (plan === undefined) return reading;
  return { ...reading, state: withPlan(state, plan, await recordsOf(ledger.engine, found, plan)) };
};

const isKept = (state: State, id: Ulid): boolean =>
  recall(state.plans, id) !== undefined ||
  recall(state.intents, id) !== undefined ||
  openIntent(state, id) !== undefined;

/** The id itself where it is a plan's, and the plan of an intent; none that the reader does not see. keeps B3 */
const planOf = async (engine: Engine, index: FittingIndex, id: Ulid, sees: Sight): Promise<Ulid | undefined> => {
  const { covers, seqs } = index;
  for await (const page of readCandidates(engine, seqs(idTerm(id), 0, covers.size, PAGE), covers)) {
    for (const { record } of page) {
      const body = record.auditId === id && sees(record.environment) ? bodyOf(record) : undefined;
      if (body?.kind === "plan" && body.result.kind === "planned") return id;
      if (body?.kind === "apply" && body.result.kind === "intended") return body.request.of.plan;
    }
  }
  return undefined;
};
const PAGE = 64;

/** Its own record, those that name it, those that name one of these, and so on. */
const recordsOf = async (engine: Engine, index: FittingIndex, plan: Ulid): Promise<readonly LedgerRecord[]> => {
  const met = new Set([plan]);
  const found: LedgerRecord[] = [];
  for await (const page of readCandidates(engine, index.related(idTerm(plan)), index.covers)) {
    for (const { record } of page) {
      const isOne = record.auditId === plan || idsReferredTo(record).some((id) => met.has(id));
      if (!isOne) continue;
      met.add(record.auditId);
      found.push(record);
    }
  }
  return found;
};

const withPlan = (state: State, plan: Ulid, records: readonly LedgerRecord[]): State => {
  const before: State = {
    ...state,
    answered: NOTHING_RECENT,
    blocked: EMPTY,
    challenges: NOTHING_RECENT,
    intents: NOTHING_RECENT,
    latest: NOTHING_RECENT,
    observations: NOTHING_RECENT,
    open: EMPTY,
    plans: NOTHING_RECENT,
  };
  const { intents, open, plans } = records.reduce(evolve, before);
  const found = recall(plans, plan);
  if (found === undefined) return state;
  const its = [...recentEntries(intents), ...entries(open)].filter(([, intent]) => intent.plan === plan);
  return {
    ...state,
    intents: its.reduce((kept, [, intent]) => keep(kept, intent.id, intent), state.intents),
    plans: keep(state.plans, plan, found),
  };
};
