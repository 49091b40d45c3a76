// The recent plans that concern a VM: those with a step or a refusal for it, the newest first.
//
// A plan never changes, and may answer for ten thousand VMs: what it says of those that are not in sync is kept for a
// while. Not here: what was recorded of the VM (vm-history.ts).

import type { StepProgress } from "../../kernel/decide/plan-status.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { Instant, PlanAnswer, PlanStep, Refusal, Vmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Reading } from "../hold/session.ts";
import { readPlanOf } from "./recorded.ts";
import { readProgress } from "./steps-shown.ts";

/** What a plan answers for the VM, and how the step stands where it is one. */
export type PlanOfVm = Pick<PlanState, "closed" | "id" | "observedAt" | "verdict"> & {
  readonly requester: string;
} & (
    | { readonly kind: "refusal"; readonly refusal: Refusal }
    | (Pick<StepProgress, "status" | "tier"> & {
        readonly action: PlanStep["action"]["kind"];
        readonly endsAt?: Instant;
        readonly kind: "step";
        readonly step: number;
      })
  );

type Answer = { readonly index: number; readonly step: PlanStep } | { readonly refusal: Refusal };
type Answers = ReadonlyMap<Vmid, Answer>;
export type ReadAnswers = (engine: Engine, plan: PlanState) => Promise<Answers>;

const PLANS_SHOWN_MAX = 10;
/** Plans that are looked into for these; older ones are found by the VM's history. */
const PLANS_READ_MAX = 40;
const ANSWERS_KEPT_MAX = 100_000;

/** The plans that were read last. */
export const rememberPlans = (): ReadAnswers => {
  const known = new Map<string, Answers>();
  let kept = 0;
  return async (engine, planState) => {
    const found = known.get(planState.id);
    if (found !== undefined) return found;
    const answers = answersIn((await readPlanOf(engine, planState)).plan.answers);
    known.set(planState.id, answers);
    kept += answers.size;
    for (const [id, { size }] of known) {
      if (kept <= ANSWERS_KEPT_MAX) break;
      known.delete(id);
      kept -= size;
    }
    return answers;
  };
};

const answersIn = (answers: readonly PlanAnswer[]): Answers => {
  const told = new Map<Vmid, Answer>();
  let index = 0;
  for (const answer of answers) {
    if (answer.kind === "step") told.set(answer.vmid, { index: index++, step: answer });
    else if (answer.kind === "refusal" && answer.vmid !== undefined) told.set(answer.vmid, { refusal: answer });
  }
  return told;
};

export const plansOfVm = async (
  reading: Reading,
  environment: string,
  vmid: Vmid,
  readAnswers: ReadAnswers,
): Promise<readonly PlanOfVm[]> => {
  const newestFirst = Array.from(recentEntries(reading.state.plans), ([, plan]) => plan)
    .filter((plan) => plan.environment === environment)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, PLANS_READ_MAX);
  const plans: PlanOfVm[] = [];
  for (const plan of newestFirst) {
    const answer = (await readAnswers(reading.ledger.engine, plan)).get(vmid);
    if (answer !== undefined) plans.push(await shownOf(reading, plan, answer));
    if (plans.length === PLANS_SHOWN_MAX) break;
  }
  return plans;
};

const shownOf = async (reading: Reading, plan: PlanState, answer: Answer): Promise<PlanOfVm> => {
  const { closed, id, observedAt, requester, verdict } = plan;
  const told = { ...present({ closed, observedAt }), id, requester: requester.id, verdict };
  if ("refusal" in answer) return { ...told, kind: "refusal", refusal: answer.refusal };
  const { index, step } = answer;
  const { endsAt, status, tier } = await readProgress(reading, plan, answer);
  return { ...told, action: step.action.kind, ...present({ endsAt }), kind: "step", status, step: index + 1, tier };
};
