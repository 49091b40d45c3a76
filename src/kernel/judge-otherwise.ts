// What another policy would have decided: every granted plan and apply of a ledger, judged on the state and at the time
// of its record, as if this policy had been that of its environment. What comes out stricter is told. keeps P7-A3
//
// Applies that would have been refused are not counted towards later rates, and neither are those of a plan that would
// have been refused. What would have needed more approvals is taken to have got them. What was refused in its time was
// no apply, and is not judged. What is told is bounded; what is left out is counted.
// Not here: whether the records are what their state decides (replay-ledger.ts), whose plans are shown (service/).

import type { LedgerRecord, Ulid } from "../ledger/record/record.ts";
import type { Page } from "../ledger/verify/chained.ts";
import type { ActionKind, Plan, PlanStep, Refusal, Sha256, Tier, TierNeeds, Verdict, Vmid } from "../spine/model.ts";
import type { Hand, Policy } from "../spine/plan/policy.ts";
import { tierUnder } from "../spine/plan/safety.ts";
import { higherTier } from "../spine/rules/actions.ts";
import { bodyOf } from "./command/record-body.ts";
import type { RecordedEnvironment } from "./command/recorded-config.ts";
import type { ResultOf } from "./command/result.ts";
import { endOf } from "./decide/agreement.ts";
import { irreversibleByAgent } from "./decide/apply-step.ts";
import { policyAgainst } from "./decide/grounds.ts";
import { handsOn, limitRefusals } from "./decide/policy-limits.ts";
import type { Rulebook } from "./decide/rulebook.ts";
import { policyOf } from "./decide/stands-on.ts";
import { stepsOf } from "./decide/step-ref.ts";
import { evolve } from "./fold-versions.ts";
import { get } from "./state/persistent-map.ts";
import { keep, NOTHING_RECENT, type Recent, recall, turned } from "./state/recent.ts";
import { rulesUnder } from "./state/rules-in-force.ts";
import { INITIAL, type State } from "./state/state.ts";
import { VERSIONS } from "./versions.ts";

/** Who must agree to a step, by its tier and for whoever asked or applied. */
export type TierAsked = { readonly needs: TierNeeds; readonly tier: Tier };

/** A step for which another policy is stricter than what was decided. */
export type StepOtherwise = {
  readonly action: ActionKind;
  readonly decided: TierAsked;
  readonly environment: string;
  readonly judgedWhen: "applied" | "planned";
  readonly name: string;
  readonly plan: Ulid;
  readonly requester: string;
  readonly seq: number;
  readonly step: number;
  readonly vmid: Vmid;
  readonly would: TierAsked | { readonly refusals: readonly [Refusal, ...Refusal[]] };
};

/** Of the environments that are shown; `asked` and `refused` count also the steps that are left out of the list. */
export type JudgedOtherwise = {
  readonly applies: number;
  readonly asked: number;
  readonly plans: number;
  readonly refused: number;
  readonly steps: readonly StepOtherwise[];
};

/** Enough to read; a policy that changes more than this is told by its counts. */
export const STEPS_TOLD_MAX = 1_000;

type Judging = {
  readonly environment: RecordedEnvironment;
  readonly policy: Policy;
  readonly record: LedgerRecord;
  readonly rules: Rulebook;
  readonly state: State;
};
type Told = Pick<StepOtherwise, "judgedWhen" | "plan" | "requester" | "step">;

export const judgeOtherwise = async (
  pages: AsyncIterable<Page> | Iterable<Page>,
  blob: (digest: Sha256) => Promise<string>,
  policy: Policy,
  isShown: (environment: string) => boolean,
): Promise<JudgedOtherwise> => {
  let state = INITIAL;
  /** Kept for as long as the state keeps the plans themselves. */
  let refusedPlans: Recent<true> = NOTHING_RECENT;
  const steps: StepOtherwise[] = [];
  const counts = { applies: 0, asked: 0, plans: 0, refused: 0 };
  const tell = (of: "applies" | "plans", { environment = "" }: LedgerRecord, found: readonly StepOtherwise[]): void => {
    if (!isShown(environment)) return;
    counts[of] += 1;
    for (const one of found) {
      counts[isRefusedThen(one) ? "refused" : "asked"] += 1;
      if (steps.length < STEPS_TOLD_MAX) steps.push(one);
    }
  };
  for await (const page of pages) {
    for (const record of page) {
      const body = bodyOf(record);
      const after = evolve(state, record);
      const before: State = state;
      state = after;
      if (body?.kind === "plan" && body.result.kind === "planned") {
        const judging = judgingOf(before, record, policy);
        const text = await blob(body.result.plan);
        const found = judging === undefined ? [] : judgePlan(judging, body.result, JSON.parse(text));
        refusedPlans = turned(refusedPlans, after.plans.day);
        if (found.some(isRefusedThen)) refusedPlans = keep(refusedPlans, record.auditId, true);
        tell("plans", record, found);
      } else if (body?.kind === "apply" && body.result.kind === "intended") {
        const { of } = body.request;
        const isGone = recall(refusedPlans, of.plan) !== undefined;
        const judging = isGone ? undefined : judgingOf(before, record, policy);
        const found = judging === undefined ? [] : judgeApply(judging, of);
        if (isGone || found.some(isRefusedThen)) state = { ...after, claims: before.claims };
        tell("applies", record, found);
      }
    }
  }
  return { ...counts, steps };
};

const isRefusedThen = ({ would }: StepOtherwise): boolean => "refusals" in would;

/** Undefined of a record that was not decided under a configuration of its environment. */
const judgingOf = (state: State, record: LedgerRecord, policy: Policy): Judging | undefined => {
  const environment = get(state.configs, record.configHash)?.environments[record.environment ?? ""];
  const version = VERSIONS[rulesUnder(state, record.configHash)];
  return environment === undefined || version === undefined
    ? undefined
    : { environment, policy, record, rules: version.rulebook, state };
};

/** What was refused in its time cannot be asked more of. */
const judgePlan = (
  judging: Judging,
  { observedAt }: ResultOf<"planned">,
  { plan, verdict }: { readonly plan: Plan; readonly verdict: Verdict },
): readonly StepOtherwise[] => {
  if (verdict.kind === "refused") return [];
  const { policy, record, rules } = judging;
  const hands = [record.actor];
  const judged = rules.safety(plan, policy, rules, hands);
  const refusals = judged.kind === "refused" ? judged.refusals : [];
  const tiers = new Map(verdict.tiers.map(({ step, tier }) => [step, tier]));
  return stepsOf(plan).flatMap((step, index) => {
    const of = { judgedWhen: "planned", plan: record.auditId, requester: record.actor.id, step: index + 1 } as const;
    const until = endOf(rules, step, observedAt, policy, hands);
    const own = refusals.filter(({ vmid }) => vmid === step.vmid);
    const refused = [...own, ...limits(judging, step, hands, until)];
    return otherwise(judging, of, step, tiers.get(step.hash) ?? "read", hands, refused);
  });
};

/** Told beside what was told of its plan, where whoever applied makes a difference, or the time at which they did. */
const judgeApply = (
  judging: Judging,
  { index, plan: id, step }: { readonly index: number; readonly plan: Ulid; readonly step: PlanStep },
): readonly StepOtherwise[] => {
  const { environment, policy, record, rules, state } = judging;
  const plan = recall(state.plans, id);
  if (plan === undefined) return [];
  const hands = handsOn(plan, { actor: record.actor, kind: "apply" });
  const [tier, planned] = [hands, [plan.requester]].map((whose) => tierUnder(step, policy, rules.actions, whose));
  const decided = tierUnder(step, policyOf(environment), rules.actions, hands);
  const needs = needsIn(judging, tier ?? decided);
  const isByAgent = needs === "refused" ? [irreversibleByAgent(step)] : [];
  const by = { at: record.processTime, hands, isApplied: true, policy };
  const refused = [...isByAgent, ...policyAgainst(rules, state, plan, step, by)];
  if (refused.length === 0 && tier === planned) return [];
  const of = { judgedWhen: "applied", plan: id, requester: plan.requester.id, step: index + 1 } as const;
  return otherwise(judging, of, step, decided, hands, refused);
};

const limits = (
  { policy, record, state }: Judging,
  { action, vmid }: PlanStep,
  hands: readonly Hand[],
  until: ReturnType<typeof endOf>,
): readonly Refusal[] => {
  const { environment = "", processTime: at } = record;
  return limitRefusals(state, { at, environment, hands, policy }, [{ action: action.kind, until }], vmid);
};

const needsIn = ({ environment, record, rules }: Judging, tier: Tier): TierNeeds =>
  rules.agreement[environment.approval][record.actor.kind === "agent" ? "agent" : "person"][tier];

/** None where the policy asks no more than was asked. */
const otherwise = (
  judging: Judging,
  of: Told,
  step: PlanStep,
  decided: Tier,
  hands: readonly Hand[],
  [first, ...rest]: readonly Refusal[],
): readonly StepOtherwise[] => {
  const { policy, record, rules } = judging;
  const tier = tierUnder(step, policy, rules.actions, hands);
  const isMore = tier !== decided && higherTier(tier, decided) === tier;
  if (first === undefined && !isMore) return [];
  const asked = (one: Tier): TierAsked => ({ needs: needsIn(judging, one), tier: one });
  return [
    {
      ...of,
      action: step.action.kind,
      decided: asked(decided),
      environment: record.environment ?? "",
      name: step.name,
      seq: record.seq,
      vmid: step.vmid,
      would: first === undefined ? asked(tier) : { refusals: [first, ...rest] },
    },
  ];
};
