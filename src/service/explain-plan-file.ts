// One answer of a plan in a file, believed only when its hashes and its verdict hold. No ledger takes part.
//
// A plan that stands on a policy is believed by the one that its environment has in the configuration; any other needs
// none. What a step's tier needs is told for every approval mode, because a file does not say which one its environment
// has. Not here: a recorded plan (read/explain-recorded.ts).

import { parsePlan } from "../formats/plan-json.ts";
import type { Policies } from "../formats/policy-yaml.ts";
import type { Parsed } from "../formats/problem.ts";
import type { TierAgreement } from "../kernel/decide/agreement-table.ts";
import type { Explanation, Plan } from "../spine/model.ts";
import { explain } from "../spine/plan/explain.ts";
import { NO_POLICY, type Policy, policyDigest } from "../spine/plan/policy.ts";
import { verifyPlan } from "../spine/plan/verify-plan.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedInput } from "./answer.ts";
import { readText } from "./named-file.ts";
import { agreementsIn } from "./read/plan-tiers.ts";
import { resolveVm, vmidIn, vmsOf } from "./read/vm-references.ts";

/** The file by the name that somebody gave it, read from the folder. */
export type PlanFileNamed = { readonly file: string; readonly folder: string; readonly vm: string };

export type FileExplained = {
  readonly kind: "ok";
  readonly agreements: readonly TierAgreement[];
  readonly explanation: Explanation;
};

/** `policies` are read when the plan stands on one; absent where nothing is configured. */
export const explainPlanFile = (
  { file, folder, vm }: PlanFileNamed,
  policies: (() => Parsed<Policies>) | undefined,
): FileExplained | RefusedAnswer => {
  const text = readText(folder, file);
  if (text.kind === "bad") return refusedInput(text.problems);
  const parsed = parsePlan(text.value, file);
  if (parsed.kind === "bad") return refusedInput(parsed.problems);
  const { plan, verdict } = parsed.value;
  const policy = policyFor(plan, policies);
  if (policy.kind === "bad") return refusedInput(policy.problems);
  const distrust = verifyPlan(parsed.value, policy.value);
  if (distrust !== undefined)
    return { domain: "validation", kind: "refused", outcome: "not_executed", refusals: [distrust] };
  const vmid = vmidIn(vm) ?? resolveVm(vm, vmsOf(plan));
  if (typeof vmid === "object") return refusedInput([vmid]);
  const explanation = explain(plan, verdict, vmid);
  return explanation === undefined
    ? refusedInput([refuse("vm-not-desired", { cause: "unanswered", vmid })])
    : { agreements: agreementsIn(verdict, explanation.step?.hash), explanation, kind: "ok" };
};

const policyFor = ({ environment, standsOn }: Plan, policies: (() => Parsed<Policies>) | undefined): Parsed<Policy> => {
  if (standsOn.policy === policyDigest(NO_POLICY) || policies === undefined) return { kind: "ok", value: NO_POLICY };
  const read = policies();
  return read.kind === "bad" ? read : { kind: "ok", value: read.value.get(environment) ?? NO_POLICY };
};
