// Everything that stands against applying a step now, before anybody is asked to confirm it: a freeze, a blocked VM, an
// approval that is missing, four eyes at the ledger's own files, a plan that is over.
//
// The refusals are those that the decision of an apply would give on the same state, so that nobody reads a step as
// open and is refused after their yes. It decides nothing: an apply is judged again (apply-step.ts).

import type { Instant, PlanStep, Refusal } from "../../spine/model.ts";
import { tierUnder } from "../../spine/plan/safety.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { PlanState, State } from "../state/state.ts";
import { explanationUnder } from "./agree.ts";
import { needsOf } from "./agreement.ts";
import { type ApplierAtDoor, agreedOf, applierRefusals, irreversibleByAgent } from "./apply-step.ts";
import { freezeOf } from "./freezing.ts";
import { against, policyAgainst } from "./grounds.ts";
import type { Terms } from "./plan-status.ts";
import { handsOn } from "./policy-limits.ts";
import { RULEBOOK } from "./rulebook.ts";
import { groundRefusals, groundsOf, policyOf, stepProtection } from "./stands-on.ts";

export const objectionsTo = (
  state: State,
  plan: PlanState,
  of: { readonly index: number; readonly step: PlanStep },
  at: Instant,
  terms: Terms,
  applying: ApplierAtDoor,
): readonly Refusal[] => {
  const { step } = of;
  const policy = policyOf(terms);
  const hands = handsOn(plan, { actor: applying.actor, kind: "apply" });
  const needs = needsOf(RULEBOOK, tierUnder(step, policy, RULEBOOK.actions, hands), terms.approval, applying.actor);
  const isRegistered = terms.entryOf(step.vmid) === step.entry;
  const explanation = explanationUnder(RULEBOOK, state, plan, step).hash;
  return [
    freezeOf(state, plan.environment),
    ...against(RULEBOOK, plan, of, at, policy, hands),
    ...groundRefusals(plan, groundsOf(terms.section, policy), step.vmid),
    isRegistered ? undefined : refuse("desired-changed", { vmid: step.vmid }),
    ...stepProtection(step, RULEBOOK),
    ...policyAgainst(RULEBOOK, state, plan, step, { at, hands, isApplied: true, policy }),
    ...(needs === "refused"
      ? [irreversibleByAgent(step)]
      : applierRefusals(
          state,
          plan,
          of,
          applying,
          agreedOf(state, plan, step, at, applying.actor, needs, explanation),
        )),
  ].filter((one) => one !== undefined);
};
