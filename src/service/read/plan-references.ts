// Plans as people refer to them: by id, by the beginning of one in either case, or `latest`: the plan that the caller's
// last request for one was answered with, new or not, whatever became of it. A beginning that several ids share means
// none of them: they are listed.

import { recall, recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Reading } from "../hold/session.ts";
import type { Configuration } from "../ports.ts";
import { LATEST_PLAN } from "./plan-word.ts";
import { type RecordedPlan, readPlanOf } from "./recorded.ts";

const CANDIDATES_MAX = 5;

/** Which plan to make is clear where there is one environment. */
const noPlanYet = (by: string, { config }: Pick<Configuration, "config">): Refusal => {
  const [environment, ...others] = config.environments.keys();
  return environment === undefined || others.length > 0
    ? refuse("usage", { cause: "no-plan-of-several", facts: { by } })
    : refuse("usage", { cause: "no-plan", facts: { by, environment } });
};

export const isLatest = (word: string): boolean => word.toLowerCase() === LATEST_PLAN;

const plansIn = (state: State): readonly PlanState[] =>
  Array.from(recentEntries(state.plans), ([, plan]) => plan).sort((a, b) => (a.id < b.id ? -1 : 1));

/** Those that the caller asked for and nothing has closed. */
const openPlansOf = (state: State, caller: string): readonly PlanState[] =>
  plansIn(state).filter(({ closed, requester }) => closed === undefined && requester.id === caller);

const lastAnswerTo = (state: State, caller: string): PlanState | undefined => {
  const id = recall(state.answered, caller);
  return id === undefined ? undefined : recall(state.plans, id);
};

const planNamed = (
  { actor: { id: caller }, desk, state }: Pick<Reading, "actor" | "desk" | "state">,
  word: string,
): PlanState | Refusal => {
  const id = word.toUpperCase();
  const whole = isUlid(id) ? recall(state.plans, id) : undefined;
  if (whole !== undefined) return whole;
  if (isLatest(word)) return lastAnswerTo(state, caller) ?? noPlanYet(caller, desk);
  const found = word === "" ? [] : plansIn(state).filter((plan) => plan.id.startsWith(id));
  const [first, ...others] = found;
  if (first === undefined) return refuse("plan-unknown", { facts: { plan: word } });
  if (others.length === 0) return first;
  const candidates = found.slice(-CANDIDATES_MAX).map((plan) => plan.id);
  return refuse("usage", { cause: "plan-ambiguous", facts: { candidates, count: found.length, found: word } });
};

/** For whoever was given a word by somebody; records name plans by their whole id (readRecordedPlan). */
export const readNamedPlan = async (
  reading: Pick<Reading, "actor" | "desk" | "ledger" | "state">,
  word: string,
): Promise<RecordedPlan | Refusal> => {
  const planState = planNamed(reading, word);
  return "code" in planState ? planState : readPlanOf(reading.ledger.engine, planState);
};

/**
 * A decision counts for one text that somebody read: whoever decides names the plan, and no word for whichever it may
 * be.
 */
export const undecidable = (reading: Pick<Reading, "actor" | "desk" | "state">, word: string): Refusal | undefined => {
  if (!isLatest(word)) return undefined;
  const meant = planNamed(reading, word);
  if ("code" in meant) return meant;
  const open = openPlansOf(reading.state, reading.actor.id)
    .filter(({ id }) => id !== meant.id)
    .slice(1 - CANDIDATES_MAX);
  const candidates = [...open, meant].map(({ id }) => id);
  return refuse("usage", { cause: "plan-unnamed", facts: { candidates, found: word, plan: meant.id } });
};
