// explain(): one answer of a plan as facts, effect, and the rules that were weighed with their evidence.
//
// One object for every view, codes and facts alone, with a hash to confirm against; it states facts and proposes
// nothing. keeps P7-D1. Its sentences are rendered for whoever reads (words/steps/explanation-words.ts).
// Who must still agree depends on records, is shown beside it, and is not hashed.

import type {
  ActionKind,
  Evidence,
  ExplainedDenial,
  ExplainedStep,
  Explanation,
  Facts,
  Plan,
  PlanAnswer,
  PlanStep,
  Refusal,
  Verdict,
  Vmid,
  Weighed,
} from "../model.ts";
import type { RuleId } from "../rules/invariants.ts";
import { sha256 } from "../values/hash.ts";
import type { PolicyLine } from "./policy.ts";
import { windowDays, windowHours } from "./policy-window.ts";

/** What of a plan an explanation speaks of. */
export type PlanOutline = Pick<Plan, "environment" | "hash" | "observation"> & {
  /** The last time that somebody said no to this action on this VM, in whichever plan. */
  readonly denied?: ExplainedDenial;
  /** What its policy asks of whoever asked for the plan. */
  readonly policy?: readonly PolicyLine[];
};
type Account = Pick<Explanation, "denied" | "effect" | "facts" | "rules" | "step">;

/** Undefined when the plan has no answer for this VM. */
export const explain = (plan: Plan, verdict: Verdict, vmid: Vmid): Explanation | undefined => {
  const answer = plan.answers.find((candidate) => candidate.vmid === vmid);
  return answer === undefined ? undefined : explainAnswer(plan, verdict, answer, vmid);
};

export const explainAnswer = (plan: PlanOutline, verdict: Verdict, answer: PlanAnswer, vmid: Vmid): Explanation => {
  const { denied, effect, facts, rules, step } = accountOf(plan, verdict, answer);
  const { environment, hash: of, observation } = plan;
  const { complete } = observation;
  const { kind } = answer;
  // Keys in order; a member that is undefined is left out of the text.
  const text = JSON.stringify({
    answer: kind,
    complete,
    denied,
    effect,
    environment,
    facts,
    plan: of,
    rules,
    step,
    vmid,
  });
  return {
    answer: kind,
    complete,
    ...(denied === undefined ? undefined : { denied }),
    effect,
    environment,
    facts,
    hash: sha256(text),
    plan: of,
    rules,
    ...(step === undefined ? undefined : { step }),
    vmid,
  };
};

const accountOf = (plan: PlanOutline, verdict: Verdict, answer: PlanAnswer): Account => {
  switch (answer.kind) {
    case "in-sync":
      return { effect: "in-sync", facts: {}, rules: [held("N1", "all-seen"), NAMED] };
    case "refusal":
      return { effect: "no-step", facts: answer.facts, rules: [broken(answer)] };
    case "step":
      return {
        ...deniedIn(plan),
        effect: verdict.kind === "refused" ? "plan-refused" : "performed",
        facts: answer.facts,
        rules: rulesOf(plan, verdict, answer),
        step: explainedStep(answer),
      };
  }
};

/** Keys in order, whatever order they were folded in. */
const deniedIn = ({ denied }: PlanOutline): Pick<Explanation, "denied"> => {
  if (denied === undefined) return {};
  const { at, by, id, reason } = denied;
  return { denied: { at, by, id, reason } };
};

const explainedStep = ({ action, applies, hash, name, power, reason, undo }: PlanStep): ExplainedStep => ({
  action,
  applies,
  hash,
  name,
  power,
  reason,
  undo,
});

const held = (rule: RuleId, evidence: Evidence, facts: Facts = {}): Weighed => ({ evidence, facts, held: true, rule });
const broken = (refusal: Refusal): Weighed => ({ held: false, refusal, rule: refusal.rule });

/** The rules a step is weighed under: held ones with what was seen, broken ones with the verdict's own refusal. */
const rulesOf = (plan: PlanOutline, verdict: Verdict, step: PlanStep): readonly Weighed[] => {
  if (verdict.kind !== "refused") return evidenceOf(plan, step);
  const concerning = verdict.refusals.filter((refusal) => concerns(refusal, step));
  const kept = evidenceOf(plan, step).filter(({ rule }) => !concerning.some((refusal) => refusal.rule === rule));
  return [...kept, ...concerning.map(broken)];
};

const concerns = (refusal: Refusal, step: PlanStep): boolean =>
  refusal.vmid === undefined || refusal.vmid === step.vmid;

/** Those whose evidence is the same for every step. */
const UNTOUCHED = held("N2", "no-sign-of-production");
const NAMED = held("N8", "name-as-desired");

/** A line that refuses is told by the verdict. */
const askedOf = (policy: readonly PolicyLine[], action: ActionKind): readonly Weighed[] =>
  policy.flatMap((line) => {
    if (line.action !== undefined && line.action !== action) return [];
    const { only, perHour, to } = line;
    return [
      ...(to === undefined || to === "refused" ? [] : [held("P7-A3", "policy-tier", { to })]),
      ...(only === undefined
        ? []
        : [held("P7-A3", "policy-window", { days: windowDays(only), hours: windowHours(only) })]),
      ...(perHour === undefined ? [] : [held("P7-A3", "policy-rate", { perHour })]),
    ];
  });

const evidenceOf = ({ environment, policy }: PlanOutline, step: PlanStep): readonly Weighed[] => {
  const action = step.action.kind;
  const { observedStatus = "unknown", protectedBecause } = step.facts;
  return [
    held("N1", "state-seen", { observedStatus }),
    protectedBecause === undefined ? UNTOUCHED : held("N2", "protected-untouched", { action, protectedBecause }),
    NAMED,
    held("P7-E1", "one-action", { action }),
    held("P7-F1", "state-fits", { action }),
    held("B3", "same-environment", { environment }),
    ...(policy === undefined ? [] : askedOf(policy, action)),
  ];
};
