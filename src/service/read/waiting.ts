// What waits for approval: the steps of open plans that could be applied once enough people have agreed; and those to
// which enough have agreed, for whoever may apply them.
//
// Whoever is asked to approve finds here which plan and step is meant, and whoever asked what may be applied. Not here:
// who may approve (kernel/decide/agreement.ts).

import { isCoveredIn } from "../../kernel/decide/actors.ts";
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

/** It has the approvals that it needs, and the reader may apply it now. */
export type StepApproved = Pick<
  StepWaiting,
  "action" | "approvedBy" | "endsAt" | "environment" | "name" | "plan" | "requester" | "step" | "tier" | "vmid"
>;

export type StepsToDecide = { readonly approved: readonly StepApproved[]; readonly waiting: readonly StepWaiting[] };

const AGREED: ReadonlySet<StepShown["status"]> = new Set(["approved", "awaiting-confirmation"]);

export const listStepsToDecide = async (
  reading: Reading,
  open: readonly PlanState[],
  vmid: Vmid | undefined,
): Promise<StepsToDecide> => {
  const [approved, waiting]: [StepApproved[], StepWaiting[]] = [[], []];
  for (const planState of open) {
    const found = await readPlanOf(reading.ledger.engine, planState);
    const steps = stepsOf(found.plan);
    const mayApply = isCoveredIn(reading, "apply", planState.environment);
    for (const shown of await showSteps(reading, found)) {
      const step = steps[shown.step - 1];
      if (step === undefined || (vmid !== undefined && step.vmid !== vmid)) continue;
      const { approvedBy, asked, endsAt, invited, needed, objections, status, tier, where } = shown;
      const common = {
        action: step.action.kind,
        approvedBy,
        ...present({ endsAt }),
        environment: planState.environment,
        name: step.name,
        plan: planState.id,
        requester: planState.requester.id,
        step: shown.step,
        tier,
        vmid: step.vmid,
      };
      if (needed > 0 && mayApply && AGREED.has(status) && objections.length === 0) approved.push(common);
      if (status === "awaiting-approval")
        waiting.push({
          ...common,
          asked,
          ...present({ explanation: where.explanation }),
          invited,
          needed,
          ownCounts: ownCountsFor(shown, planState.requester.kind),
        });
    }
  }
  return { approved, waiting };
};

const ownCountsFor = ({ agreements: [agreement] }: StepShown, kind: string): boolean => {
  const needs = agreement?.[kind === "agent" ? "agent" : "person"];
  return needs !== undefined && needs !== "refused" && needs.ownCounts;
};
