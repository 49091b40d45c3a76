// Is this the plan that was made? Every hash is computed again, and the verdict is judged again.
//
// A plan that was edited, and one that other rules made, are both turned away before anybody reads them as a decision.

import type { PlanFile, PlanStep, Refusal } from "../model.ts";
import { CONTRACT_SHA256 } from "../rules/contract.ts";
import { refuse } from "../rules/refusals.ts";
import { canonical } from "../values/canonical.ts";
import { planHash } from "./plan.ts";
import { rulesDigest } from "./rules-digest.ts";
import { type Policy, policyDigest, safety } from "./safety.ts";
import { stepHash } from "./step.ts";

/** Undefined when the plan stands; `policy` is the one it says it stands on. */
export const verifyPlan = ({ plan, verdict }: PlanFile, policy: Policy): Refusal | undefined => {
  const { hash, ...body } = plan;
  const altered = plan.answers.find((answer) => answer.kind === "step" && !isAsPlanned(answer));
  if (altered?.vmid !== undefined) {
    return refuse("plan-altered", {
      because: `the step of VM ${altered.vmid} is not the one that was hashed`,
      vmid: altered.vmid,
    });
  }
  const found = planHash(body);
  if (found !== hash) {
    return refuse("plan-altered", {
      because: "the plan is not the one that was hashed",
      facts: { expected: hash, found },
    });
  }
  const { contract, policy: judgedBy, rules } = plan.standsOn;
  if (contract !== CONTRACT_SHA256 || rules !== rulesDigest() || judgedBy !== policyDigest(policy)) {
    return refuse("plan-of-other-rules", {
      because: "the plan stands on a contract, rules or a policy that are not these",
    });
  }
  return canonical(safety(plan, policy)) === canonical(verdict)
    ? undefined
    : refuse("plan-altered", { because: "the verdict is not the one that this plan gets" });
};

const isAsPlanned = (step: PlanStep): boolean => stepHash(step) === step.hash;
