// apply: one step of a plan, performed once. It answers with the intent as soon as that is durable; progress and
// outcome follow, whether or not anybody waits for them.
//
// Nothing here decides: the kernel grants or refuses. Whoever leaves cancels nothing; a repeated key gets its intent
// and never a second call. Not here: the performance itself (perform-step.ts), asking a person for the yes (a
// door's), walking a plan step by step (cli). Keeps P7-E3, B6.

import type { Adapter } from "../../adapters/descriptor.ts";
import type { Confirmation, StepRef } from "../../kernel/command/request.ts";
import { commandOf } from "../../kernel/command-desk.ts";
import { planStatusOf } from "../../kernel/decide/plan-status.ts";
import { shownBefore } from "../../kernel/decide/step-ref.ts";
import { challengeFor } from "../../kernel/state/challenge-for.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByRule, refusedInput, type ServiceAnswer } from "../answer.ts";
import { checkAsker, readingIn, type ServiceSession } from "../hold/session.ts";
import type { StepRequest } from "../read/explain-recorded.ts";
import { isLatest, readNamedPlan } from "../read/plan-references.ts";
import { LATEST_PLAN } from "../read/plan-word.ts";
import { chosenStep, type RecordedPlan, readRegisteredNow } from "../read/recorded.ts";
import { type StepShown, showSteps } from "../read/steps-shown.ts";
import { type Applying, type LastQuestion, type Performing, performStep } from "./perform-step.ts";

/**
 * The applier's own yes to the explanation with this hash. Which challenge it answers is found where it is not named:
 * the youngest of the caller's own for this step and text.
 */
export type ConfirmationGiven = {
  readonly challenge?: Ulid;
  readonly explanation: string;
  /** The VM's name, typed, where nothing can be undone. */
  readonly name?: string;
  /** The catalogue in which it was read, by its digest; where nothing is said, the one that this program shows. */
  readonly words?: Sha256;
};
export type ApplyRequest = StepRequest & { readonly confirmation?: ConfirmationGiven };

/** Everything that a walk over a plan must know first; that the environment can be applied to was tried. */
export type ApplyPrepared = {
  /** Whether the caller confirms each step after reading it; an agent's plan was approved by people instead. */
  readonly confirms: boolean;
  readonly environment: string;
  readonly plan: Ulid;
  readonly steps: number;
  /** Steps that have no intent yet, with what keeps the caller from applying them whatever they confirm. */
  readonly untried: readonly Pick<StepShown, "objections" | "step" | "vmid" | "where">[];
};

/**
 * A plan as somebody refers to it, and the hash that they have of it; without a word the one that the caller's last
 * request for a plan was answered with.
 */
export type PlanToApply = { readonly hash?: string; readonly plan?: string };

type Ready = { readonly adapter: Adapter; readonly found: RecordedPlan };

/** An adapter for the plan's environment: made anew, so that a rotated secret is read. */
const makeReady = async ({ desk }: ServiceSession, found: RecordedPlan): Promise<Ready | RefusedAnswer> => {
  const { environment: name } = found.planState;
  const environment = desk.config.environments.get(name);
  if (environment === undefined) {
    return refusedInput([refuse("environment-unknown", { cause: "not-configured", facts: { environment: name } })]);
  }
  const adapter = await desk.ports.adapter(name, environment, desk.home);
  return "code" in adapter ? refusedInput([adapter]) : { adapter, found };
};

export const prepareApply = async (
  session: ServiceSession,
  { hash, plan: named }: PlanToApply,
): Promise<ServiceAnswer<ApplyPrepared>> => {
  const plan = named ?? LATEST_PLAN;
  const found = await readNamedPlan(readingIn(session), plan);
  if ("code" in found) return refusedInput([found]);
  const refused = await checkAsker(session, "apply", found.planState.environment);
  if (refused !== undefined) return refused;
  const ready = await makeReady(session, found);
  if ("kind" in ready) return ready;
  if (hash !== undefined && hash !== ready.found.planState.hash) {
    return refusedByRule(refuse("plan-altered", { cause: "recorded", facts: { plan } }));
  }
  const { consumed, environment, id, steps } = ready.found.planState;
  const reading = readingIn(session);
  const shown = await showSteps(reading, ready.found);
  const untried = shown
    .filter(({ step }) => get(consumed, String(step - 1)) === undefined)
    .map(({ objections, step, vmid, where }) => ({ objections, step, vmid, where }));
  const { kind } = session.caller.actor;
  // Whoever names no plan asks for what is left to do, and is never given another plan than the one they were shown
  // last.
  if (isLatest(plan) && untried.length === 0) {
    const facts = { environment, plan: id, planStatus: planStatusOf(ready.found.planState, shown) };
    return refusedInput([refuse("plan-done", { facts })]);
  }
  const confirms = kind !== "agent";
  const value = { confirms, environment, plan: id, steps: steps.size, untried };
  return { head: reading.head, kind: "ok", replayed: false, value };
};

export const applyStep = async (
  session: ServiceSession,
  { confirmation: given, plan, step }: ApplyRequest,
  performing: Performing,
  isWanted: LastQuestion | undefined,
): Promise<ServiceAnswer<Applying>> => {
  const found = await readNamedPlan(readingIn(session), plan);
  if ("code" in found) return refusedInput([found]);
  const ready = await makeReady(session, found);
  if ("kind" in ready) return ready;
  const { adapter } = ready;
  const of = chosenStep(found, step);
  if ("code" in of) return refusedInput([of]);
  const confirmation = session.caller.actor.kind === "agent" ? undefined : confirmationOf(session, of, given);
  if (confirmation !== undefined && "code" in confirmation) return refusedInput([confirmation]);
  const { actuator, source } = adapter;
  const { environment } = found.planState;
  if (actuator === undefined) return refusedByRule(refuse("adapter-unavailable", { facts: { environment } }));
  const registered = await readRegisteredNow(session, environment, of.step.vmid, confirmation);
  const command = commandOf(
    session.kernel,
    confirmation === undefined
      ? { kind: "apply", of, ...registered }
      : { confirmation, kind: "apply", of: shownBefore(of), ...registered },
    { environment, ...session.answering, ...present({ words: given?.words }) },
  );
  return performStep(session, { actuator, command, found, of, source, ...present({ isWanted }) }, performing);
};

/** Without a challenge that it answers the kernel is asked unconfirmed, and says so. */
const confirmationOf = (
  { caller, writer }: ServiceSession,
  of: StepRef,
  given: ConfirmationGiven | undefined,
): Confirmation | Refusal | undefined => {
  if (given === undefined) return undefined;
  const { explanation, name } = given;
  if (!isSha256(explanation)) {
    return refuse("usage", { cause: "not-a-hash", facts: { argument: "confirmation" } });
  }
  const challenge = given.challenge ?? challengeFor(writer.state(), caller.actor.id, of, explanation);
  return challenge === undefined ? undefined : { challenge, explanation, ...present({ name }) };
};
