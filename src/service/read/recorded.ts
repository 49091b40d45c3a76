// What the ledger holds, as values: the blobs that records name, and the plans among them.
//
// A blob is found by its digest, so what comes back is what was recorded, and is not judged again here.

import type { CommandWriter } from "../../kernel/apply/perform-apply.ts";
import type { Confirmation, RegisteredEntry, StepRef } from "../../kernel/command/request.ts";
import { isJudgedNow } from "../../kernel/decide/grounds.ts";
import type { Terms } from "../../kernel/decide/plan-status.ts";
import type { EntryReader } from "../../kernel/decide/stands-on.ts";
import { stepRef, stepsOf } from "../../kernel/decide/step-ref.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { recall } from "../../kernel/state/recent.ts";
import { entriesIn } from "../../kernel/state/registered-entry.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { Ledger } from "../../ledger/open.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { Observation, Plan, Refusal, Verdict, Vmid, VmState } from "../../spine/model.ts";
import { entryOf } from "../../spine/plan/desired-state.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type Identities, NO_IDENTITIES } from "../../spine/values/identities.ts";
import { readBlobText, readRegisteredIn } from "./registered.ts";
import { resolveVm, type VmRef, vmsOf } from "./vm-references.ts";

/** What is remembered of the VMs of an environment. */
export const readIdentities = async (engine: Engine, state: State, environment: string): Promise<Identities> => {
  const digest = get(state.identities, environment);
  if (digest === undefined) return NO_IDENTITIES;
  const { identities }: { readonly identities: Identities } = JSON.parse(await readBlobText(engine, digest));
  return identities;
};

/**
 * The registered entry of one VM as a door brings it, with its proof: for whoever agrees to a step or applies it, and
 * again right before the call. What cannot be read throws, and nothing is done.
 */
export const entryReader =
  (engine: Engine): EntryReader =>
  async (state, environment, vmid) => {
    const desired = await readRegisteredIn(engine, state, environment);
    return desired === undefined ? "none" : entriesIn(desired)(vmid);
  };

type Registering = { readonly ledger: Pick<Ledger, "engine">; readonly writer: CommandWriter };

/**
 * What a door brings of a step's VM: its entry as it is registered at this moment. Beside a confirmation nothing, where
 * the challenge was given on this very registration.
 */
export const readRegisteredNow = async (
  { ledger, writer }: Registering,
  environment: string,
  vmid: Vmid,
  confirmation?: Confirmation,
): Promise<{ readonly registered?: RegisteredEntry }> => {
  const state = await writer.refresh();
  const challenge = confirmation === undefined ? undefined : recall(state.challenges, confirmation.challenge);
  if (isJudgedNow(state, environment, challenge)) return {};
  return { registered: await entryReader(ledger.engine)(state, environment, vmid) };
};

/** The hashes of what is registered, for views of how steps stand. */
export const readEntryHashes = async (engine: Engine, state: State, environment: string): Promise<Terms["entryOf"]> => {
  const entries = (await readRegisteredIn(engine, state, environment))?.entries ?? [];
  const hashes = new Map(entries.map((entry) => [entry.vmid, entryOf(entry)]));
  return (vmid) => hashes.get(vmid);
};

export type RecordedPlan = { readonly plan: Plan; readonly planState: PlanState; readonly verdict: Verdict };

export const readRecordedPlan = async (engine: Engine, state: State, id: string): Promise<RecordedPlan | Refusal> => {
  const planState = isUlid(id) ? recall(state.plans, id) : undefined;
  return planState === undefined ? refuse("plan-unknown", { facts: { plan: id } }) : readPlanOf(engine, planState);
};

export const readPlanOf = async (engine: Engine, planState: PlanState): Promise<RecordedPlan> => {
  const { plan, verdict }: { readonly plan: Plan; readonly verdict: Verdict } = JSON.parse(
    await readBlobText(engine, planState.blob),
  );
  return { plan, planState, verdict };
};

/** One step of a plan: by its number, counted from 1 where people count them, or by its VM. */
export type StepNamed = { readonly number: number } | { readonly vmid: VmRef };

/** A VM without a step is not answered with another one's. */
export const chosenStep = ({ plan, planState }: RecordedPlan, named: StepNamed): StepRef | Refusal => {
  const vmid = "vmid" in named ? resolveVm(named.vmid, vmsOf(plan)) : undefined;
  if (typeof vmid === "object") return vmid;
  if (vmid !== undefined) {
    const facts = { plan: planState.id, vm: String(vmid) };
    return stepOfVm({ plan, planState }, vmid) ?? refuse("usage", { cause: "no-step-of-vm", facts });
  }
  const index = "number" in named ? named.number - 1 : -1;
  const ref = Number.isSafeInteger(index) && index >= 0 ? stepRef(planState.id, plan, index) : undefined;
  if (ref !== undefined) return ref;
  const { size } = planState.steps;
  if (size === 0) return refuse("usage", { cause: "no-step", facts: { plan: planState.id } });
  return size === 1
    ? refuse("usage", { cause: "only-step", facts: { plan: planState.id } })
    : refuse("usage", { cause: "not-in-range", facts: { argument: "step", least: 1, most: size } });
};

/** Undefined where the plan has no step for this VM. */
export const stepOfVm = (
  { plan, planState }: Pick<RecordedPlan, "plan" | "planState">,
  vmid: Vmid,
): StepRef | undefined => {
  const index = stepsOf(plan).findIndex((step) => step.vmid === vmid);
  return index < 0 ? undefined : stepRef(planState.id, plan, index);
};

/** The state of one VM that a plan stands on, from the observation that it names. */
export const readPlannedState = async (
  engine: Engine,
  { plan }: RecordedPlan,
  vmid: Vmid,
): Promise<VmState | undefined> => {
  const { vms }: Observation = JSON.parse(await readBlobText(engine, plan.standsOn.observation));
  return vms.find((state) => state.vmid === vmid);
};
