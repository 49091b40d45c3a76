// Where the steps of a recorded plan stand, for whoever would apply them: who agreed, who must still, until when.

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { sectionsOf } from "../../kernel/command/recorded-config.ts";
import { isCoveredIn } from "../../kernel/decide/actors.ts";
import { objectionsTo } from "../../kernel/decide/objections.ts";
import { type StepProgress, stepProgressOf, type Terms } from "../../kernel/decide/plan-status.ts";
import { stepsOf } from "../../kernel/decide/step-ref.ts";
import { uncountedApprovers } from "../../kernel/decide/uncounted.ts";
import type { ApprovalRequest, PlanState } from "../../kernel/state/state.ts";
import type { PlanFile, PlanStep, Refusal, Tier } from "../../spine/model.ts";
import { entryOf } from "../../spine/plan/desired-state.ts";
import type { Where } from "../../spine/rules/next-steps.ts";
import { present } from "../../spine/values/present.ts";
import { aboutStep } from "../hold/about-step.ts";
import type { Reading } from "../hold/session.ts";
import type { Configuration } from "../ports.ts";
import { type RecordedPlan, readEntryHashes } from "./recorded.ts";
import { readRegisteredIn } from "./registered.ts";

export type StepShown = StepProgress & {
  /** Who asked people to decide on it, and why, in their words. */
  readonly asked: readonly ApprovalRequest[];
  /** Why the reader cannot apply it now, whatever they would confirm; empty where they can. */
  readonly objections: readonly Refusal[];
  readonly step: number;
  /** Approvers who could be the one who asked. */
  readonly uncounted: readonly string[];
  readonly vmid: number;
  /** For the next steps of what keeps them. */
  readonly where: Where;
};

/** What is not configured any more is shown as it would be judged most strictly. */
const FOUR_EYES = { approval: "four-eyes" } as const;

/** What the steps of an environment are judged by here, but for what is registered. */
const termsOf = ({ config, policies }: Configuration, name: string): Omit<Terms, "entryOf"> => {
  const { approval } = config.environments.get(name) ?? FOUR_EYES;
  const policy = policies.get(name);
  const section = sectionsOf(configToRecord(config, policies))[name];
  return {
    approval,
    ...present({ policy, section }),
  };
};

export const showSteps = async (reading: Reading, { plan, planState }: RecordedPlan): Promise<readonly StepShown[]> => {
  const { actor, at, desk, door, ledger, state } = reading;
  const { environment } = planState;
  const isApprover = isCoveredIn(reading, "approve", environment);
  const terms = { ...termsOf(desk, environment), entryOf: await readEntryHashes(ledger.engine, state, environment) };
  const uncounted = new Map<Tier, readonly string[]>();
  const uncountedOf = (tier: Tier): readonly string[] => {
    const names = uncounted.get(tier) ?? uncountedApprovers(state, planState, tier, terms.approval);
    uncounted.set(tier, names);
    return names;
  };
  return stepsOf(plan).map((step, index) => {
    const progress = stepProgressOf(state, planState, index, step, at, terms, actor);
    const names = uncountedOf(progress.tier);
    const mayApprove = isApprover && !names.includes(actor.id);
    return {
      ...progress,
      asked: planState.waiting.find((one) => one.step === step.hash)?.asked ?? [],
      objections: objectionsTo(state, planState, { index, step }, at, terms, { actor, door }),
      step: index + 1,
      uncounted: names,
      vmid: step.vmid,
      // Whose approval would be refused or not count is not sent to approve.
      where: { ...aboutStep(state, planState, { index, step }), ...(mayApprove ? {} : { unable: ["approve"] }) },
    };
  });
};

/** How one step alone stands: of what is registered, only the entry of its VM is hashed. */
export const readProgress = async (
  { actor, at, desk, ledger, state }: Reading,
  planState: PlanState,
  { index, step }: { readonly index: number; readonly step: PlanStep },
): Promise<StepProgress> => {
  const { environment } = planState;
  const registered = await readRegisteredIn(ledger.engine, state, environment);
  const entry = registered?.entries.find(({ vmid }) => vmid === step.vmid);
  const hash = entry === undefined ? undefined : entryOf(entry);
  const terms = { ...termsOf(desk, environment), entryOf: () => hash };
  return stepProgressOf(state, planState, index, step, at, terms, actor);
};

export const planFileOf = ({ plan, planState, verdict }: RecordedPlan): PlanFile => ({
  applicable: planState.bars === undefined && verdict.kind !== "refused",
  ...(planState.bars !== undefined
    ? { because: planState.bars }
    : verdict.kind === "refused"
      ? { because: "refused" }
      : {}),
  plan,
  verdict,
  version: 1,
});
