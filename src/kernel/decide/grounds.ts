// Grounds that several deciders share: the environment's configuration, a reason in words, a plan and its step.

import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant, Observation, PlanStep, Refusal, Sha256, Vmid } from "../../spine/model.ts";
import type { Hand, Policy } from "../../spine/plan/policy.ts";
import { refusedByPolicy } from "../../spine/plan/safety.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { msOf } from "../../spine/values/instant.ts";
import { hasInvisible, withoutInvisible } from "../../spine/values/invisible.ts";
import { observe } from "../../spine/values/observation.ts";
import type { RecordedEnvironment } from "../command/recorded-config.ts";
import type { Command, Confirmation, RegisteredEntry, StepRef } from "../command/request.ts";
import type { Bar } from "../command/result.ts";
import { rolesHeldIn } from "../command/role-grants.ts";
import { get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import type { Challenge, ObservationState, PlanState, State } from "../state/state.ts";
import { grantsOf } from "./actors.ts";
import { endOf } from "./agreement.ts";
import { handsOn, limitRefusals } from "./policy-limits.ts";
import type { Rulebook } from "./rulebook.ts";
import { closedRefusals, entryRefusals, groundRefusals, groundsUnder, policyOf, stepProtection } from "./stands-on.ts";
import { isStepOf, isWhole } from "./step-ref.ts";

/** The environment as the configuration of the asking process has it. */
export const environmentOf = (state: State, command: Command): RecordedEnvironment | undefined => {
  const config = get(state.configs, command.configHash);
  const { environment } = command;
  if (config === undefined || environment === undefined) return undefined;
  return Object.hasOwn(config.environments, environment) ? config.environments[environment] : undefined;
};

export const unknownEnvironment = ({ environment }: Command): Refusal =>
  environment === undefined
    ? refuse("environment-unknown", { cause: "not-named" })
    : refuse("environment-unknown", { cause: "not-configured", facts: { environment } });

export const environmentRefusal = (state: State, command: Command): Refusal | undefined =>
  environmentOf(state, command) === undefined ? unknownEnvironment(command) : undefined;

/** Long enough for a sentence or two; a record is no place for a document. */
const TEXT_LENGTH_MAX = 1_000;

/**
 * What a provider or the system said, as a record takes it: an outcome must never be turned away because of how it is
 * told. Undefined where nothing was said.
 */
export const asSaid = (text: string): string | undefined => {
  const seen = withoutInvisible(text.toWellFormed(), () => " ").trim();
  if (seen === "") return undefined;
  return seen.length > TEXT_LENGTH_MAX ? `${seen.slice(0, TEXT_LENGTH_MAX - 1).toWellFormed()}…` : seen;
};

/** Everything that some program shows as the end of a line (UAX 14). */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

/** One line: a second one could pass for words of whatever shows it. */
export const reasonRefusal = (text: string): Refusal | undefined => {
  if (text.trim() === "") return refuse("reason-missing", { cause: "blank" });
  if (LINE_BREAK.test(text)) return refuse("reason-missing", { cause: "lines" });
  if (hasInvisible(text)) return refuse("reason-missing", { cause: "invisible" });
  return text.length > TEXT_LENGTH_MAX
    ? refuse("reason-missing", { cause: "long", facts: { length: text.length, limit: TEXT_LENGTH_MAX } })
    : undefined;
};

/**
 * The challenge that is confirmed, if it was given to this very actor for this very step: it has shown it in its plan.
 */
const challengeOf = (state: State, { actor }: Command, { confirmation, of }: Asked): Challenge | undefined => {
  const challenge = confirmation === undefined ? undefined : recall(state.challenges, confirmation.challenge);
  const isOfStep = challenge?.plan === of.plan && challenge.index === of.index && challenge.step === of.step.hash;
  return isOfStep && challenge.by === actor.id ? challenge : undefined;
};

export type Shown = { readonly recorded: ObservationState; readonly observation: Observation };

/** A recorded live observation of an environment, with its value as somebody brought it; or why it is not that. */
export const liveObservation = (
  state: State,
  { environment, given }: Pick<Command, "environment" | "given">,
  id: Ulid,
): Shown | Refusal => {
  const recorded = recall(state.observations, id);
  if (recorded === undefined || recorded.environment !== environment || !recorded.live) {
    return refuse("observation-unknown", { cause: "not-live", facts: { observation: id } });
  }
  const observed = given?.observation === undefined ? undefined : observe(given.observation);
  if (observed === undefined || observed.digest !== recorded.digest) return altered("observation");
  return { recorded: recorded, observation: observed.observation };
};

/** Which value was not the one that was named; a replay asks for this cause. */
export const altered = (cause: "configuration" | "desired" | "observation" | "words"): Refusal =>
  refuse("value-altered", { cause });

export const unknownPlan = (plan: string): Refusal => refuse("plan-unknown", { facts: { plan } });

/**
 * Under another environment than its own it is refused, and to whoever has no role in its own it is unknown. keeps B3
 */
export const foreignPlanRefusal = (
  state: State,
  { actor, environment }: Command,
  { environment: own, id }: Pick<PlanState, "environment" | "id">,
): Refusal | undefined => {
  if (own === environment) return undefined;
  return rolesHeldIn(grantsOf(state, actor), own).length === 0
    ? unknownPlan(id)
    : refuse("plan-foreign", { cause: "plan", facts: { of: own } });
};

/** How old it is, by the process time of both records: never the difference of two clocks. */
export const staleRefusal = (
  recorded: ObservationState,
  environment: RecordedEnvironment,
  at: Instant,
): Refusal | undefined => {
  if (recorded.observedAt === undefined) return refuse("observation-stale", { cause: "undated" });
  const ageMs = msOf(at) - msOf(recorded.at);
  if (!environment.live || ageMs <= environment.maxObservationAgeMs) return undefined;
  const facts = { ageSeconds: seconds(ageMs), limitSeconds: seconds(environment.maxObservationAgeMs) };
  return refuse("observation-stale", { cause: "old", facts });
};

/** Records hold whole numbers. */
const seconds = (ms: number): number => Math.round(ms / 1_000);

export type Chosen = { readonly plan: PlanState; readonly refusals: readonly Refusal[] };

type Asked = {
  readonly confirmation?: Confirmation;
  readonly of: StepRef;
  readonly registered?: RegisteredEntry;
};

/** The plan of a step that somebody wants to agree to or to apply, with everything that speaks against it. */
export const chosen = (
  rules: Rulebook,
  state: State,
  command: Command,
  asked: Asked,
  at: Instant,
): Chosen | Refusal => {
  const { of } = asked;
  const plan = recall(state.plans, of.plan);
  if (plan === undefined) return unknownPlan(of.plan);
  const foreign = foreignPlanRefusal(state, command, plan);
  if (foreign !== undefined) return foreign;
  const challenge = challengeOf(state, command, asked);
  const isThere = of.proof.length === 0 && challenge !== undefined;
  // Nobody has shown that there is such an index: it is told as it was given, and not counted on from.
  if (!isWhole(of)) return refuse("step-unknown", { cause: "altered", facts: { index: of.index } });
  if (!(isThere || isStepOf(of, plan.steps))) {
    return refuse("step-unknown", { cause: "unproven", facts: { index: of.index } });
  }
  const policy = policyOf(environmentOf(state, command));
  const hands = handsOn(plan, command);
  const refusals = [
    against(rules, plan, of, at, policy, hands),
    configuredRefusals(state, plan, command, of.step.vmid),
    registeredRefusals(rules, state, plan, asked, challenge),
    stepProtection(of.step, rules),
    policyAgainst(rules, state, plan, of.step, { at, hands, isApplied: command.kind === "apply", policy }),
  ];
  // Nearly always there is none, and nothing to put together.
  return { plan, refusals: refusals.every(({ length }) => length === 0) ? [] : refusals.flat() };
};

/**
 * What its policy says of whom, when and how often: of a step that is applied now, or is agreed to and ends later. The
 * plan was judged for whoever asked for it, and a line may be for whoever applies it.
 */
export const policyAgainst = (
  rules: Rulebook,
  state: State,
  { environment, observedAt }: PlanState,
  step: PlanStep,
  { at, hands, isApplied, policy }: LimitedBy,
): readonly Refusal[] => {
  // Where nothing is tightened the step's end need not be worked out, and most environments have no policy.
  if (policy.tighten.length === 0) return [];
  const until = isApplied ? undefined : endOf(rules, step, observedAt, policy, hands);
  const limited = [{ action: step.action.kind, until }];
  return [
    ...refusedByPolicy(step, policy, hands),
    ...limitRefusals(state, { at, environment, hands, policy }, limited, step.vmid),
  ];
};
type LimitedBy = {
  readonly at: Instant;
  readonly hands: readonly Hand[];
  readonly isApplied: boolean;
  readonly policy: Policy;
};

/**
 * Under the asking process's own configuration, and under the one that was started last: the call is judged by that
 * one, and a step that would not come to its call is not claimed for it.
 */
const configuredRefusals = (state: State, plan: PlanState, { configHash }: Command, vmid: Vmid): readonly Refusal[] => {
  const under = (hash: Sha256 | undefined) => groundRefusals(plan, groundsUnder(state, hash, plan.environment), vmid);
  const own = under(configHash);
  return own.length > 0 || configHash === state.started ? own : under(state.started);
};

/** A challenge that was given on what is registered now has judged the entry, and it need not be shown again. */
const registeredRefusals = (
  rules: Rulebook,
  state: State,
  { environment }: PlanState,
  { of, registered }: Asked,
  challenge: Challenge | undefined,
): readonly Refusal[] => {
  const isJudged = registered === undefined && isJudgedNow(state, environment, challenge);
  return isJudged ? [] : entryRefusals(rules, of.step, registered, get(state.desired, environment));
};

/** Whether a challenge was given on the very registration that holds now. */
export const isJudgedNow = (state: State, environment: string, challenge: Challenge | undefined): boolean => {
  const desired = get(state.desired, environment);
  return desired !== undefined && challenge?.registered === desired.root;
};

const BARRED: Readonly<Record<Bar, (vmid: Vmid) => Refusal>> = {
  "local-door": (vmid) => refuse("service-needed", { cause: "planned", vmid }),
  "not-live": (vmid) => refuse("plan-not-live", { cause: "not-live", vmid }),
};

/** What the plan itself says against a step: closed, tried, denied or over. */
export const against = (
  rules: Rulebook,
  plan: PlanState,
  { index, step }: Pick<StepRef, "index" | "step">,
  at: Instant,
  policy: Policy,
  hands: readonly Hand[],
): readonly Refusal[] => {
  const { vmid } = step;
  const refusals: Refusal[] = [];
  if (plan.verdict === "refused") refusals.push(refuse("plan-refused", { vmid }));
  if (plan.bars !== undefined) refusals.push(BARRED[plan.bars](vmid));
  for (const refusal of closedRefusals(plan)) refusals.push({ ...refusal, vmid });
  const intent = get(plan.consumed, String(index));
  if (intent !== undefined) refusals.push(refuse("step-consumed", { cause: "intent", facts: { intent }, vmid }));
  const denial = plan.denials.find((one) => one.step === step.hash);
  if (denial !== undefined) {
    refusals.push(refuse("step-denied", { facts: { by: denial.by, reason: denial.reason }, vmid }));
  }
  const end = endOf(rules, step, plan.observedAt, policy, hands);
  if (end === undefined) refusals.push(refuse("step-expired", { cause: "undated", vmid }));
  else if (at >= end) refusals.push(refuse("step-expired", { cause: "ended", facts: { end }, vmid }));
  return refusals;
};
