// safety(): the verdict on a whole plan: clear, needs approval, or refused with every reason there is.
//
// One forbidden step refuses everything; so does one unknown VM in scope, an incomplete observation of everything, or
// one of another environment. The operator narrows the scope on purpose, and then truth is whole for what was asked.
// Keeps N1, N2. Rules are compiled in and cannot be passed; a policy has words for "refuse" and "more", and none for
// "less".

import type { Plan, PlanAnswer, PlanStep, Protection, Refusal, Tier, Verdict } from "../model.ts";
import { type ActionTable, higherTier, tierOf } from "../rules/actions.ts";
import { refuse } from "../rules/refusals.ts";
import { type Hand, isAbout, type Policy } from "./policy.ts";
import { SPINE_RULES, type SpineRules } from "./spine-rules.ts";

/** `hands` are whoever asks: a policy may have lines for some alone. Without them only those for everybody hold. */
export const safety = (
  plan: Plan,
  policy: Policy,
  rules: SpineRules = SPINE_RULES,
  hands: readonly Hand[] = [],
): Verdict => {
  const { refused, steps } = sorted(plan.answers);
  const touching = steps.filter((step) => isProtected(step, rules) && !rules.actions[step.action.kind].onProtected);
  const [first, ...rest] = [
    ...untrue(plan, refused),
    ...touching.map((step) => productionTouched(step, step.facts["protectedBecause"], rules)),
    ...steps.flatMap((step) => refusedByPolicy(step, policy, hands)),
  ];
  if (first !== undefined) return { kind: "refused", refusals: [first, ...rest] };
  const tiers = steps.map((step) => ({ step: step.hash, tier: tierUnder(step, policy, rules.actions, hands) }));
  return { kind: tiers.some(({ tier }) => needsApproval(tier)) ? "needs-approval" : "clear", tiers };
};

/** In one pass: nearly every answer of a fleet is in sync, and each further pass would visit them all again. */
const sorted = (
  answers: readonly PlanAnswer[],
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
    const { observed = "", desired = "" } = foreign.facts;
    refusals.push(refuse("observation-foreign", { facts: { desired, observed } }));
  }
  if (plan.scope === "all" && !plan.observation.complete) refusals.push(incomplete(plan));
  if (unknown.length > 0) {
    const vmids = unknown.slice(0, LISTED_MAX).flatMap(({ vmid }) => vmid ?? []);
    const seen = seenIn(plan);
    refusals.push(
      seen === undefined
        ? refuse("truth-incomplete", { cause: "whole", facts: { unknown: unknown.length, vmids } })
        : refuse("truth-incomplete", { cause: "narrowable", facts: { seen, unknown: unknown.length, vmids } }),
    );
  }
  return refusals;
};

/** Enough to act on; every unknown VM has an answer of its own besides. */
const LISTED_MAX = 12;

const incomplete = (plan: Plan): Refusal => {
  const seen = seenIn(plan);
  const count = plan.observation.gaps.length;
  if (count === 0) {
    return seen === undefined
      ? refuse("observation-incomplete", { cause: "unclaimed" })
      : refuse("observation-incomplete", { cause: "unclaimed-narrowable", facts: { seen } });
  }
  return seen === undefined
    ? refuse("observation-incomplete", { cause: "gaps", facts: { count } })
    : refuse("observation-incomplete", { cause: "gaps-narrowable", facts: { count, seen } });
};

/**
 * What the scope can be narrowed to, where that is short: a step or an answer in sync proves that a VM was seen whole.
 */
const seenIn = (plan: Plan): readonly number[] | undefined => {
  const seen: number[] = [];
  for (const answer of plan.answers) {
    if (answer.kind === "refusal") continue;
    if (seen.length === LISTED_MAX) return undefined;
    seen.push(answer.vmid);
  }
  return seen.length === 0 ? undefined : seen;
};

/** The name is read again here: a step that lost its mark on the way is still a step on production. */
const isProtected = (step: PlanStep, rules: SpineRules): boolean => step.protected || rules.isProductionName(step.name);

const SIGNS: readonly unknown[] = ["desired-name", "entry", "observed-name", "tag"] satisfies readonly Protection[];
const isSign = (sign: unknown): sign is Protection => SIGNS.includes(sign);

/** A step on production that it may not have; `sign` is what is known of why it is protected. */
export const productionTouched = ({ action, name, vmid }: PlanStep, sign: unknown, rules: SpineRules): Refusal => {
  const cause = isSign(sign) ? sign : rules.isProductionName(name) ? "desired-name" : "marked";
  return refuse("production-touched", { cause, facts: { action: action.kind, name }, vmid });
};

/**
 * Whether a line refuses a step to any of these hands: here to whoever plans, and in the kernel also to whoever applies
 * what somebody else planned. The line for everybody comes first, and is enough.
 */
export const refusedByPolicy = (
  { action, vmid }: PlanStep,
  { tighten }: Policy,
  hands: readonly Hand[],
): readonly Refusal[] => {
  const { kind } = action;
  const line = tighten.find((one) => one.to === "refused" && isAbout(one, kind, hands));
  if (line === undefined) return [];
  const facts = { action: kind };
  return [
    line.for === undefined
      ? refuse("policy-refuses", { cause: "everybody", facts, vmid })
      : refuse("policy-refuses", { cause: "whom", facts: { ...facts, whom: line.for }, vmid }),
  ];
};

/** The tier of a step under a policy, which can only raise it. */
export const tierUnder = (
  step: PlanStep,
  { tighten }: Policy,
  actions: ActionTable,
  hands: readonly Hand[] = [],
): Tier => {
  let tier = tierOf(step, actions);
  for (const line of tighten)
    if (line.to !== undefined && line.to !== "refused" && isAbout(line, step.action.kind, hands))
      tier = higherTier(tier, line.to);
  return tier;
};
