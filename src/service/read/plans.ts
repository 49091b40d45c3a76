// The recorded plans of the last day or two, and one of them with how its steps stand, as values.

import { recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { PlanFile } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import { type RecordedPlan, readRecordedPlan } from "./recorded.ts";
import { planFileOf, type StepShown, stepsShown } from "./steps-shown.ts";

export type PlanListed = Omit<PlanState, "consumed"> & { readonly applied: number };
export type PlanList = { readonly plans: readonly PlanListed[] };

export const listPlans = async ({ state }: Reading): Promise<PlanList> => {
  const plans = Array.from(recentEntries(state.plans), ([, plan]) => plan).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    plans: plans.map(({ approvals, consumed, denials, ...plan }) => ({
      ...plan,
      applied: consumed.size,
      approvals,
      denials,
    })),
  };
};

/** The reader's own plan that was made last and has a step left that could be applied; undefined where there is none. */
export const latestOpenPlan = ({ actor, state }: Pick<Reading, "actor" | "state">): Ulid | undefined =>
  Array.from(recentEntries(state.plans), ([, plan]) => plan)
    .filter(
      ({ bars, closed, consumed, requester, steps, verdict }) =>
        requester.id === actor.id &&
        bars === undefined &&
        closed === undefined &&
        verdict !== "refused" &&
        consumed.size < steps.size,
    )
    .map(({ id }) => id)
    .reduce<Ulid | undefined>((last, id) => (last === undefined || id > last ? id : last), undefined);

/** A plan as plan.json has it, under its id. */
export type PlanShown = PlanFile & { readonly id: string; readonly steps: readonly StepShown[] };

export const showPlan = async (
  reading: Reading,
  { plan }: { readonly plan: string },
): Promise<PlanShown | RefusedAnswer> => {
  const found = await readRecordedPlan(reading.ledger.engine, reading.state, plan);
  if ("code" in found) return refusedByKernel([found]);
  const { environment } = found.planState;
  if (!reading.desk.config.environments.has(environment)) {
    const known = [...reading.desk.config.environments.keys()];
    const facts = { environment, file: reading.desk.file, known };
    return refusedInput([refuse("environment-unknown", { cause: "not-in-file", facts })]);
  }
  return planShown(reading, found);
};

export const planShown = async (reading: Reading, found: RecordedPlan): Promise<PlanShown> => ({
  ...planFileOf(found),
  id: found.planState.id,
  steps: await stepsShown(reading, found),
});
