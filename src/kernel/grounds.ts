// Grounds that several deciders share: the environment's configuration, a reason in words, a plan and its step.

import { msOf } from "../spine/instant.ts";
import type { Instant, Refusal, Sha256 } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { NO_POLICY, type Policy, policyDigest } from "../spine/safety.ts";
import { endOf } from "./agreement.ts";
import type { EnvironmentSnapshot } from "./config-snapshot.ts";
import { get } from "./persistent-map.ts";
import { recall } from "./recent.ts";
import type { Command, Confirmation, StepRef } from "./request.ts";
import type { Look, PlanState, State } from "./state.ts";
import { isStepOf, isWhole } from "./step-ref.ts";

/** The environment as the configuration of the asking process has it. */
export const environmentOf = (state: State, command: Command): EnvironmentSnapshot | undefined => {
  const config = get(state.configs, command.configHash);
  const { environment } = command;
  if (config === undefined || environment === undefined) return undefined;
  return Object.hasOwn(config.environments, environment) ? config.environments[environment] : undefined;
};

/** What its operator added to the rules. keeps P7-A3: it comes from the recorded configuration, never with a command. */
export const policyOf = (environment: Pick<EnvironmentSnapshot, "policy"> | undefined): Policy =>
  environment?.policy ?? NO_POLICY;

/** The policy that a plan stands on, by its digest; undefined where nothing is tightened. */
export const policyNamed = (policy: Policy): Sha256 | undefined =>
  policy.tighten.length === 0 ? undefined : policyDigest(policy);

export const unknownEnvironment = ({ environment }: Command): Refusal =>
  refuse("environment-unknown", { because: `${environment ?? "no environment"} is not configured` });

export const environmentRefusal = (state: State, command: Command): Refusal | undefined =>
  environmentOf(state, command) === undefined ? unknownEnvironment(command) : undefined;

/** Long enough for a sentence or two; a record is no place for a document. */
const TEXT_LENGTH_MAX = 1_000;
/** What cannot be seen, or would speak to a terminal instead of to its reader. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const INVISIBLES = new RegExp(INVISIBLE, "gu");

/** What a place said, as words that a record takes: an outcome must never be turned away because of how it is told. */
export const asReason = (text: string): string => {
  const seen = text.toWellFormed().replace(INVISIBLES, " ").trim();
  if (seen === "") return "no reason was given";
  return seen.length > TEXT_LENGTH_MAX ? `${seen.slice(0, TEXT_LENGTH_MAX - 1).toWellFormed()}…` : seen;
};

export const reasonRefusal = (text: string): Refusal | undefined => {
  if (text.trim() === "") return refuse("reason-missing", { because: "nothing but blanks is given" });
  if (INVISIBLE.test(text)) return refuse("reason-missing", { because: "it holds characters that cannot be seen" });
  return text.length > TEXT_LENGTH_MAX
    ? refuse("reason-missing", { because: `${text.length} characters are given, and ${TEXT_LENGTH_MAX} are read` })
    : undefined;
};

/** Whether the challenge that is confirmed was given for this very step, and so has shown it in its plan. */
const isShown = (state: State, of: StepRef, confirmation: Confirmation | undefined): boolean => {
  const challenge = confirmation === undefined ? undefined : recall(state.challenges, confirmation.challenge);
  return challenge?.plan === of.plan && challenge.index === of.index && challenge.step === of.step.hash;
};

/** How old it is, by the process time of both records: never the difference of two clocks. */
export const staleRefusal = (look: Look, environment: EnvironmentSnapshot, at: Instant): Refusal | undefined => {
  if (look.observedAt === undefined)
    return refuse("look-stale", { because: "the observation does not say when it was" });
  const ageMs = msOf(at) - msOf(look.at);
  if (!environment.live || ageMs <= environment.maxObservationAgeMs) return undefined;
  const because = `it is ${Math.round(ageMs / 1_000)} s old, and ${environment.maxObservationAgeMs / 1_000} s is the limit`;
  return refuse("look-stale", { because });
};

export type Chosen = { readonly plan: PlanState; readonly refusals: readonly Refusal[] };

/** The plan of a step that somebody wants to agree to or to apply, with everything that speaks against it. */
export const chosen = (
  state: State,
  command: Command,
  { confirmation, of }: { readonly confirmation?: Confirmation; readonly of: StepRef },
  at: Instant,
): Chosen | Refusal => {
  const plan = recall(state.plans, of.plan);
  if (plan === undefined) return refuse("plan-unknown", { because: `there is no plan ${of.plan}` });
  if (plan.environment !== command.environment) {
    return refuse("plan-foreign", {
      because: `the plan is of ${plan.environment}, and ${command.environment ?? "no environment"} is asked for`,
    });
  }
  const isThere = of.proof.length === 0 && isShown(state, of, confirmation);
  if (!isWhole(of) || !(isThere || isStepOf(of, plan.steps))) {
    return refuse("step-unknown", { because: `the plan has another step ${of.index}, none, or it was not shown` });
  }
  return { plan, refusals: against(plan, of, at, policyOf(environmentOf(state, command))) };
};

const against = (plan: PlanState, { index, step }: StepRef, at: Instant, policy: Policy): readonly Refusal[] => {
  const { vmid } = step;
  const refusals: Refusal[] = [];
  if (plan.verdict === "refused") refusals.push(refuse("plan-refused", { because: "its verdict is refused", vmid }));
  const configured = policyNamed(policy);
  if (plan.policy !== configured) {
    const because = `the plan stands on ${policyText(plan.policy)}, and ${policyText(configured)} is configured`;
    refusals.push(refuse("policy-differs", { because, vmid }));
  }
  if (plan.bars !== undefined) refusals.push(refuse("plan-not-live", { because: plan.bars, vmid }));
  if (plan.closed !== undefined) refusals.push(refuse("plan-closed", { because: `it was ${plan.closed}`, vmid }));
  if (get(plan.consumed, String(index)) !== undefined) {
    refusals.push(refuse("step-consumed", { because: `intent ${get(plan.consumed, String(index))} has it`, vmid }));
  }
  const denial = plan.denials.find((one) => one.step === step.hash);
  if (denial !== undefined) {
    refusals.push(refuse("step-denied", { because: `${denial.by} denied it: ${denial.reason}`, vmid }));
  }
  const end = endOf(step, plan.observedAt, policy);
  if (end === undefined || at >= end) {
    const because = end === undefined ? "its look has no time" : `it ended at ${end}`;
    refusals.push(refuse("step-expired", { because, vmid }));
  }
  return refusals;
};

const policyText = (digest: Sha256 | undefined): string => (digest === undefined ? "no policy" : `policy ${digest}`);
