// safety(): the verdict on a whole plan: clear, needs approval, or refused with every reason there is.
//
// One forbidden step refuses everything; so does one unknown VM in scope, an incomplete look at everything, or a look at
// another environment. The operator narrows the scope on purpose, and then truth is whole for what was asked. Keeps N1, N2.
// Rules are compiled in and cannot be passed; a policy has words for "refuse" and "more", and none for "less".

import type { ActionKind, Answer, Plan, PlanStep, Refusal, Sha256, Tier, Verdict, Vmid } from "../model.ts";
import { higherTier, rowOf, tierOf } from "../rules/actions.ts";
import { refuse } from "../rules/refusals.ts";
import { canonical } from "../values/canonical.ts";
import { sha256 } from "../values/hash.ts";
import { gapText } from "../words/observation-words.ts";
import { becauseOf } from "../words/refusal-words.ts";
import { isProductionName } from "./protection.ts";

/** What an operator may add to the rules. keeps P7-A3: nothing here can allow, choose or start anything. */
export type Policy = {
  readonly tighten: readonly { readonly action: ActionKind; readonly to: "refused" | Exclude<Tier, "read"> }[];
  readonly version: 1;
};
export const NO_POLICY: Policy = Object.freeze({ tighten: [], version: 1 });
export const policyDigest = (policy: Policy): Sha256 => sha256(canonical(policy));

export const safety = (plan: Plan, policy: Policy): Verdict => {
  const { refused, steps } = sorted(plan.answers);
  const touching = steps.filter((step) => isProtected(step) && !rowOf(step.action.kind).onProtected);
  const ruledOut = steps.filter(({ action }) => isRuledOut(action.kind, policy));
  const [first, ...rest] = [...untrue(plan, refused), ...touching.map(touched), ...ruledOut.map(policyRefuses)];
  if (first !== undefined) return { kind: "refused", refusals: [first, ...rest] };
  const tiers = steps.map((step) => ({ step: step.hash, tier: tierUnder(step, policy) }));
  return { kind: tiers.some(({ tier }) => needsApproval(tier)) ? "needs-approval" : "clear", tiers };
};

/** In one pass: nearly every answer of a fleet is settled, and each further pass would visit them all again. */
const sorted = (
  answers: readonly Answer[],
): { readonly refused: readonly Refusal[]; readonly steps: readonly PlanStep[] } => {
  const refused: Refusal[] = [];
  const steps: PlanStep[] = [];
  for (const answer of answers) {
    if (answer.kind === "step") steps.push(answer);
    else if (answer.kind === "refusal") refused.push(answer);
  }
  return { refused, steps };
};

const needsApproval = (tier: Tier): boolean => tier === "high" || tier === "irreversible";

const untrue = (plan: Plan, refused: readonly Refusal[]): readonly Refusal[] => {
  const unknown = refused.filter(({ code }) => code === "vm-unknown");
  const refusals: Refusal[] = [];
  const foreign = refused.find(({ code }) => code === "environment-mismatch");
  if (foreign !== undefined) {
    refusals.push(refuse("look-foreign", { because: becauseOf(foreign), facts: foreign.facts }));
  }
  if (plan.scope === "all" && !plan.look.complete) {
    refusals.push(
      refuse("look-incomplete", {
        because:
          plan.look.gaps.length === 0
            ? "the look does not claim to have seen everything"
            : plan.look.gaps.map(gapText).join("; "),
        facts: { gaps: plan.look.gaps.length },
        next: seeing(plan),
      }),
    );
  }
  if (unknown.length > 0) {
    refusals.push(
      refuse("truth-incomplete", {
        because: `${listed(unknown.map(({ vmid }) => vmid))} ${unknown.length === 1 ? "is" : "are"} unknown`,
        facts: { unknown: unknown.length },
        next: seeing(plan),
      }),
    );
  }
  return refusals;
};

/** Enough to act on; every unknown VM has an answer of its own besides. */
const LISTED_MAX = 12;
const listed = (vmids: readonly (Vmid | undefined)[]): string => {
  const shown = vmids.slice(0, LISTED_MAX).join(", ");
  return vmids.length > LISTED_MAX ? `${shown} and ${vmids.length - LISTED_MAX} more` : shown;
};

/** Only VMs that were seen whole are named: a step or a settled answer proves it. */
const seeing = (plan: Plan): string => {
  const known = plan.answers.filter(({ kind }) => kind !== "refusal").map(({ vmid }) => vmid);
  if (known.length === 0 || known.length > LISTED_MAX) {
    return "Look again, or narrow the scope (--only) to VMs that were seen.";
  }
  return `Look again, or narrow the scope to what was seen (--only ${known.join(",")}).`;
};

/** The name is read again here: a step that lost its mark on the way is still a step on production. */
const isProtected = (step: PlanStep): boolean => step.protected || isProductionName(step.name);

const touched = (step: PlanStep): Refusal =>
  refuse("production-touched", {
    because: `the plan has ${step.action.kind} of ${step.name}, and ${step.facts["protectedBecause"] ?? "its name begins with prod-"}`,
    facts: { action: step.action.kind, name: step.name },
    vmid: step.vmid,
  });

const isRuledOut = (kind: ActionKind, policy: Policy): boolean =>
  policy.tighten.some(({ action, to }) => action === kind && to === "refused");

const policyRefuses = ({ action, vmid }: PlanStep): Refusal =>
  refuse("policy-refuses", { because: `the policy refuses ${action.kind}`, facts: { action: action.kind }, vmid });

/** The tier of a step under a policy, which can only raise it. */
export const tierUnder = (step: PlanStep, policy: Policy): Tier =>
  policy.tighten.reduce<Tier>(
    (tier, { action, to }) => (action === step.action.kind && to !== "refused" ? higherTier(tier, to) : tier),
    tierOf(step),
  );
