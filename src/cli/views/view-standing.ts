// Where the steps of a recorded plan stand, as values and as lines: who agreed, who must still, until when.

import { type StepStanding, standingOf, type Terms } from "../../kernel/decide/plan-status.ts";
import { stepsOf } from "../../kernel/decide/step-ref.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Actor } from "../../ledger/record/record.ts";
import type { Instant, PlanFile } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { becauseOf } from "../../spine/words/refusal-words.ts";
import type { RecordedPlan } from "../recorded.ts";
import type { Paint } from "./paint.ts";

export type Standing = StepStanding & { readonly step: number; readonly vmid: number };

export const standingsOf = (
  state: State,
  { plan, planState }: RecordedPlan,
  at: Instant,
  terms: Terms,
  applier: Pick<Actor, "id" | "kind">,
): readonly Standing[] =>
  stepsOf(plan).map((step, index) => ({
    ...standingOf(state, planState, index, step, at, terms, applier),
    step: index + 1,
    vmid: step.vmid,
  }));

export const planFileOf = ({ plan, planState, verdict }: RecordedPlan): PlanFile => ({
  applicable: planState.bars === undefined && verdict.kind !== "refused",
  ...(planState.bars !== undefined
    ? { because: becauseOf(refuse("plan-not-live", { cause: planState.bars })) }
    : verdict.kind === "refused"
      ? { because: becauseOf(refuse("plan-refused", {})) }
      : {}),
  plan,
  verdict,
  version: 1,
});

export const standingLines = (id: string, standings: readonly Standing[], paint: Paint): readonly string[] => [
  paint.bold(`plan ${id}`),
  ...standings.map(({ approvedBy, endsAt, needed, status, step, tier, vmid }) => {
    const approvals = needed === 0 ? "" : `, approvals ${approvedBy.length} of ${needed}${namesText(approvedBy)}`;
    return `  step ${step}: VM ${vmid} ${status} [${tier}]${approvals}${endsAt === undefined ? "" : `, ends ${endsAt}`}`;
  }),
];

const namesText = (names: readonly string[]): string => (names.length === 0 ? "" : ` (${names.join(", ")})`);
