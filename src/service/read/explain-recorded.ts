// One answer of a recorded plan: a step, as whoever agrees to it must have read it, and who must still agree; or, asked
// for by its VM, a refusal or in sync.

import type { StepRef } from "../../kernel/command/request.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { Explanation, Instant, Refusal, Sha256, Tier, Vmid } from "../../spine/model.ts";
import { explain } from "../../spine/plan/explain.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import type { AsShown } from "./as-shown.ts";
import { type Compared, compareIn } from "./compared.ts";
import { readKnownVms } from "./known-vms.ts";
import { withOlder } from "./older-plans.ts";
import { readNamedPlan } from "./plan-references.ts";
import { chosenStep, type RecordedPlan, type StepNamed, stepOfVm } from "./recorded.ts";
import { refuseUnshown } from "./step-unshown.ts";
import { type StepShown, showSteps } from "./steps-shown.ts";
import { resolveVm, type VmRef, vmidIn, vmsOf } from "./vm-references.ts";

export type StepRequest = { readonly plan: string; readonly step: StepNamed };
/** In the words and as of the time when somebody was shown it last; as it stands now when nothing is said. */
export type ExplainRequest = StepRequest & { readonly words?: "as-shown" };
export type StepFound = { readonly found: RecordedPlan; readonly of: StepRef };

/** What was shown is recorded as shown; the hash of it confirms the step once, until it ends. */
export type ChallengeShown = {
  readonly expiresAt: Instant;
  readonly hash: Sha256;
  readonly id: Ulid;
  /** Whether the VM's name must be typed, too: nothing can be undone. */
  readonly typedName: boolean;
  /** The catalogue in which it was shown; whoever confirms names it. */
  readonly words: Sha256;
};

export type StepExplained = {
  readonly challenge?: ChallengeShown;
  readonly explanation: Explanation;
  /** The step, by its number from 1. */
  readonly of: { readonly environment: string; readonly plan: Ulid; readonly step: number };
  /** How it stands; absent for what was shown then. */
  readonly shown: StepShown | undefined;
  readonly asShown?: AsShown;
  readonly tier?: Tier;
};

export const findStep = async (
  reading: Pick<Reading, "actor" | "desk" | "ledger" | "state">,
  { plan, step }: StepRequest,
): Promise<StepFound | RefusedAnswer> => {
  const found = await readNamedPlan(reading, plan);
  if ("code" in found) return refusedInput([found]);
  const of = chosenStep(found, step);
  return "code" in of ? refusedInput([of]) : { found, of };
};

/** `step` is absent where the VM has none: it was refused, or is in sync. */
export type AnswerExplained = Omit<StepExplained, "of"> & {
  /** What was compared, of a VM that is in sync. */
  readonly compared?: readonly Compared[];
  readonly of: { readonly environment: string; readonly plan: Ulid; readonly step?: number };
};

/** By its VM, whatever the plan answers for it; by its number, a step. */
export const explainOne = async (
  recent: Reading,
  request: ExplainRequest,
): Promise<AnswerExplained | RefusedAnswer> => {
  const reading = await withOlder(recent, request.plan);
  if (request.words === "as-shown") {
    const { explainAsShown } = await import("./as-shown.ts");
    return explainAsShown(reading, await namedExactly(reading, request));
  }
  const { plan, step } = request;
  const found = await readNamedPlan(reading, plan);
  if ("code" in found) return refusedInput([found]);
  const vmid = "vmid" in step ? await vmInPlan(reading, found, step.vmid) : undefined;
  if (typeof vmid === "object") return refusedInput([vmid]);
  const of = vmid === undefined ? chosenStep(found, step) : stepOfVm(found, vmid);
  if (of !== undefined && "code" in of) return refusedInput([of]);
  if (of !== undefined) return explainStep(reading, { found, of });
  const explanation = vmid === undefined ? undefined : explain(found.plan, found.verdict, vmid);
  if (explanation === undefined) {
    return refusedInput([refuse("vm-not-desired", { cause: "unanswered", ...present({ vmid }) })]);
  }
  const { environment, id } = found.planState;
  return {
    ...(explanation.answer === "in-sync" ? { compared: await compareIn(reading, found, explanation.vmid) } : {}),
    explanation,
    of: { environment, plan: id },
    shown: undefined,
  };
};

/** A plan that is not remembered any more is taken by the id that was given. */
const namedExactly = async (reading: Reading, request: StepRequest): Promise<StepRequest> => {
  const chosen = await findStep(reading, request);
  return "kind" in chosen ? request : { plan: chosen.of.plan, step: { number: chosen.of.index + 1 } };
};

/** The step as whoever walks the ledger for the caller finds it: what a word means to them is known here alone. */
export const stepToShow = async (recent: Reading, request: StepRequest): Promise<StepRequest | RefusedAnswer> => {
  const named = await namedExactly(await withOlder(recent, request.plan), request);
  return isUlid(named.plan) ? named : refuseUnshown(request.plan);
};

/** A plan names the VMs of its steps; the others have the names that are registered. */
const vmInPlan = async (
  { ledger, state }: Reading,
  { plan, planState }: RecordedPlan,
  ref: VmRef,
): Promise<Vmid | Refusal> => {
  const answered = new Map(vmsOf(plan).map((one) => [one.vmid, one]));
  const registered = (await readKnownVms(ledger.engine, state, planState.environment)).filter(({ vmid }) => {
    return answered.get(vmid)?.name === "";
  });
  for (const one of registered) answered.set(one.vmid, { name: one.name, vmid: one.vmid });
  const number = typeof ref === "string" ? vmidIn(ref) : ref;
  if (number !== undefined && !answered.has(number))
    return refuse("vm-not-desired", { cause: "unanswered", vmid: number });
  return resolveVm(ref, [...answered.values()]);
};

export const explainStep = async (
  reading: Reading,
  { found, of }: StepFound,
  challenge?: ChallengeShown,
): Promise<StepExplained> => {
  const explanation = explanationOf(reading.state, found.planState, of.step, found.verdict);
  const shown = (await showSteps(reading, found)).find(({ step }) => step === of.index + 1);
  return {
    ...present({ challenge }),
    explanation,
    of: { environment: found.planState.environment, plan: of.plan, step: of.index + 1 },
    shown,
    ...(shown === undefined ? {} : { tier: shown.tier }),
  };
};
