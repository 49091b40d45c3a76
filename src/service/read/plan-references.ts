// Plans as people refer to them: by id, by the beginning of one in either case, or `latest`: the caller's own last plan that
// nothing has closed. A beginning that several ids share means none of them: they are listed.

import { recall, recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Reading } from "../hold/session.ts";
import { LATEST_PLAN } from "./plan-word.ts";
import { type RecordedPlan, readPlanOf } from "./recorded.ts";

const CANDIDATES_MAX = 5;

const planNamed = (state: State, caller: string, word: string): PlanState | Refusal => {
  const id = word.toUpperCase();
  const whole = isUlid(id) ? recall(state.plans, id) : undefined;
  if (whole !== undefined) return whole;
  const plans = Array.from(recentEntries(state.plans), ([, plan]) => plan).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (word.toLowerCase() === LATEST_PLAN) {
    const own = plans.findLast(({ closed, requester }) => closed === undefined && requester.id === caller);
    return own ?? refuse("usage", { cause: "no-open-plan", facts: { by: caller } });
  }
  const found = word === "" ? [] : plans.filter((plan) => plan.id.startsWith(id));
  const [first, ...others] = found;
  if (first === undefined) return refuse("plan-unknown", { facts: { plan: word } });
  if (others.length === 0) return first;
  const candidates = found.slice(-CANDIDATES_MAX).map((plan) => plan.id);
  return refuse("usage", { cause: "plan-ambiguous", facts: { candidates, count: found.length, found: word } });
};

/** For whoever was given a word by somebody; records name plans by their whole id (readRecordedPlan). */
export const readNamedPlan = async (
  { actor, ledger, state }: Pick<Reading, "actor" | "ledger" | "state">,
  word: string,
): Promise<RecordedPlan | Refusal> => {
  const planState = planNamed(state, actor.id, word);
  return "code" in planState ? planState : readPlanOf(ledger.engine, planState);
};
