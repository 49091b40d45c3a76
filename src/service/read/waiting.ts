// What waits for approval: the steps of open plans that could be applied once enough people have agreed.
//
// Whoever is asked to approve finds here which plan and step is meant. Not here: who may approve
// (kernel/decide/agreement.ts).

import { stepsOf } from "../../kernel/decide/step-ref.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { ActionKind, Fact, Instant, InvitedParty, Tier, Vmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Reading } from "../hold/session.ts";
import { readPlanOf } from "./recorded.ts";
import { type StepShown, showSteps } from "./steps-shown.ts";

export type StepWaiting = {
  readonly action: ActionKind;
  readonly approvedBy: readonly string[];
  readonly asked: StepShown["asked"];
  readonly endsAt?: Instant;
  readonly environment: string;
  /** Whoever approves names it where the same was denied before. */
  readonly explanation?: Fact;
  /** Who asked for it or approved it, and was invited. */
  readonly invited: readonly InvitedParty[];
  readonly name: string;
  readonly needed: number;
  /** Whether whoever asked for the plan, or applies it, may be among those who approve. */
  readonly ownCounts: boolean;
  readonly plan: string;
  readonly requester: string;
  readonly step: number;
  readonly tier: Tier;
  readonly vmid: Vmid;
};

export const listWaitingSteps = async (
  reading: Reading,
  open: readonly PlanState[],
  vmid: Vmid | undefined,
): Promise<readonly StepWaiting[]> => {
  const waiting: StepWaiting[] = [];
  for (const planState of open) {
    const found = await readPlanOf(reading.ledger.engine, planState);
    const steps = stepsOf(found.plan);
    for (const shown of await showSteps(reading, found)) {
      const step = steps[shown.step - 1];
      if (step === undefined || shown.status !== "awaiting-approval") continue;
      if (vmid !== undefined && step.vmid !== vmid) continue;
      const { approvedBy, asked, endsAt, invited, needed, tier, where } = shown;
      waiting.push({
        action: step.action.kind,
        approvedBy,
        asked,
        ...present({ endsAt, explanation: where.explanation }),
        environment: planState.environment,
        invited,
        name: step.name,
        needed,
        ownCounts: ownCountsFor(shown, planState.requester.kind),
        plan: planState.id,
        requester: planState.requester.id,
        step: shown.step,
        tier,
        vmid: step.vmid,
      });
    }
  }
  return waiting;
};

const ownCountsFor = ({ agreements: [agreement] }: StepShown, kind: string): boolean => {
  const needs = agreement?.[kind === "agent" ? "agent" : "person"];
  return needs !== undefined && needs !== "refused" && needs.ownCounts;
};
