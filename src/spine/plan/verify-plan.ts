// Is this the plan that was made? Every hash is computed again, and the verdict is judged again.
//
// A plan that was edited, and one that other rules made, are both turned away before anybody reads them as a decision.

import type { PlanFile, PlanStep, Refusal } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { RULES_VERSION } from "../rules/rules-version.ts";
import { canonical } from "../values/canonical.ts";
import { planHash } from "./plan.ts";
import { handsToldApart, type Policy, policyDigest } from "./policy.ts";
import { safety } from "./safety.ts";
import { SPINE_RULES } from "./spine-rules.ts";
import { stepHash } from "./step.ts";

/** Undefined when the plan stands; `policy` is the one it says it stands on. */
export const verifyPlan = ({ plan, verdict }: PlanFile, policy: Policy): Refusal | undefined => {
  const { hash, ...body } = plan;
  const altered = plan.answers.find((answer) => answer.kind === "step" && !isAsPlanned(answer));
  if (altered?.vmid !== undefined) {
    return refuse("plan-altered", { cause: "step", vmid: altered.vmid });
  }
  const found = planHash(body);
  if (found !== hash) return refuse("plan-altered", { cause: "plan", facts: { expected: hash, found } });
  const { policy: judgedBy, rules } = plan.standsOn;
  if (rules !== RULES_VERSION) {
    return refuse("plan-of-other-rules", { cause: "rules", facts: { here: RULES_VERSION, plan: rules } });
  }
  if (judgedBy !== policyDigest(policy)) return refuse("plan-of-other-rules", { cause: "policy" });
  const told = canonical(verdict);
  // A file does not say who asked: its verdict is one that this policy has for somebody.
  return [[], ...handsToldApart(policy).map((hand) => [hand])].some(
    (hands) => canonical(safety(plan, policy, SPINE_RULES, hands)) === told,
  )
    ? undefined
    : refuse("plan-altered", { cause: "verdict" });
};

const isAsPlanned = (step: PlanStep): boolean => stepHash(step) === step.hash;
