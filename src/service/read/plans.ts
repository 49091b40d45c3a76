// The recorded plans of the last day or two, and one of them with how its steps stand, as values.

import { type PlanStatus, planStatusOf } from "../../kernel/decide/plan-status.ts";
import { stepsOf } from "../../kernel/decide/step-ref.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { ActionKind, PlanFile, PlanStep, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type AnswerCounts, countsOf } from "../../spine/values/counts.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import { withOlder } from "./older-plans.ts";
import { readNamedPlan } from "./plan-references.ts";
import { type RecordedPlan, readPlanOf } from "./recorded.ts";
import { type RequesterShown, requesterIn } from "./requester-shown.ts";
import { planFileOf, type StepShown, showSteps } from "./steps-shown.ts";

/** How many of its steps do what; the VM where it is one. */
export type PlanDoes = {
  readonly action: ActionKind;
  readonly count: number;
  readonly name?: string;
  readonly vmid?: Vmid;
};
export type PlanListed = Pick<PlanState, "closed" | "environment" | "id" | "observedAt" | "verdict"> & {
  readonly applied: number;
  readonly counts: AnswerCounts;
  readonly does: readonly PlanDoes[];
  readonly requester: Pick<PlanState["requester"], "id">;
  readonly status: PlanStatus;
  readonly steps: Pick<PlanState["steps"], "size">;
};
export type PlanList = { readonly plans: readonly PlanListed[] };

export const listPlans = async (reading: Reading): Promise<PlanList> => {
  const states = Array.from(recentEntries(reading.state.plans), ([, plan]) => plan);
  const plans: PlanListed[] = [];
  for (const planState of states.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { consumed, ...plan } = planState;
    const found = await readPlanOf(reading.ledger.engine, planState);
    const status = planStatusOf(planState, await showSteps(reading, found));
    const counts = countsOf(found.plan.answers);
    plans.push({ ...plan, applied: consumed.size, counts, does: doesOf(stepsOf(found.plan)), status });
  }
  return { plans };
};

const doesOf = (steps: readonly PlanStep[]): readonly PlanDoes[] =>
  Array.from(
    Map.groupBy(steps, ({ action }) => action.kind),
    ([action, [first, ...others]]) => ({
      action,
      count: 1 + others.length,
      ...(first === undefined || others.length > 0 ? {} : { name: first.name, vmid: first.vmid }),
    }),
  );

/**
 * A plan as plan.json has it, under its id, and how it stands. Who asked for it and how it stands is not known of one
 * that the state has forgotten.
 */
export type PlanShown = PlanFile &
  Partial<Pick<PlanState, "closed" | "observedAt">> & {
    readonly id: string;
    readonly requester?: RequesterShown;
    readonly status?: PlanStatus;
    readonly steps: readonly StepShown[];
  };

export const showPlan = async (
  recent: Reading,
  { plan }: { readonly plan: string },
): Promise<PlanShown | RefusedAnswer> => {
  const reading = await withOlder(recent, plan);
  const found = await readNamedPlan(reading, plan);
  if ("code" in found) return refusedInput([found]);
  const { environment } = found.planState;
  if (!reading.desk.config.environments.has(environment)) {
    const known = [...reading.desk.config.environments.keys()];
    const facts = { environment, file: reading.desk.file, known };
    return refusedInput([refuse("environment-unknown", { cause: "not-in-file", facts })]);
  }
  return showFoundPlan(reading, found);
};

export const showFoundPlan = async (reading: Reading, found: RecordedPlan): Promise<PlanShown> => {
  const { planState } = found;
  const { closed, id, observedAt } = planState;
  const steps = await showSteps(reading, found);
  return {
    ...planFileOf(found),
    ...present({ closed }),
    id,
    ...present({ observedAt }),
    requester: requesterIn(reading.state, planState),
    status: planStatusOf(planState, steps),
    steps,
  };
};
