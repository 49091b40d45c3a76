// Recorded acts as a door prints them: who decided what on which plan, what was observed, registered and applied. `seq`
// is the record that answers.

import { present } from "../../spine/values/present.ts";
import type { ClockAccepted } from "../act/accept.ts";
import type { RemarkRecorded } from "../act/annotate.ts";
import type { ApplyPrepared } from "../act/apply.ts";
import type { DecisionRecorded, PlanCanceled } from "../act/decisions.ts";
import type { FreezeRecorded } from "../act/freeze.ts";
import type { ObservationIngested } from "../act/ingest.ts";
import type { CheckpointSigned } from "../act/ledger-checkpoint.ts";
import type { PlanMade } from "../act/make-plan.ts";
import type { ObservationShown } from "../act/observe.ts";
import type { Applying, StepApplied } from "../act/perform-step.ts";
import type { Reconciled } from "../act/reconcile.ts";
import type { Registered } from "../act/register.ts";
import { type ErrorJson, refusalsJson } from "./error-json.ts";
import { intentJson } from "./intent-json.ts";

export const decisionJson = (decision: DecisionRecorded) => {
  const { action, approvalPage, by, expiresAt, id, needed, plan, reason, seq, step, vmid } = decision;
  return {
    ...present({ action, approvalPage }),
    by,
    ...present({ expiresAt }),
    id,
    ...present({ needed }),
    planId: plan,
    ...present({ reason }),
    seq,
    ...present({ step, vmid }),
  };
};

export const canceledJson = ({ by, plan, seq }: PlanCanceled) => ({ by, planId: plan, seq });

/** Without an environment it is of everything. */
export const freezeJson = ({ by, environment, inFlight, seq }: FreezeRecorded) => ({
  by,
  ...(environment === null ? {} : { environment }),
  inFlight: inFlight.map(intentJson),
  seq,
});

export const observedJson = ({ changed, digest, environment, id, observation }: ObservationShown) => ({
  environment,
  id,
  observation,
  observationDigest: digest,
  replaced: changed,
});

export const registeredJson = ({ by, changes, digest, environment, id, seq, vms }: Registered) => ({
  by,
  changes: changes ?? [],
  desiredDigest: digest,
  environment,
  id,
  seq,
  vmCount: vms,
});

export const reconciledJson = ({ found, ...rest }: Reconciled) => ({ ...rest, ...present({ vmStatus: found }) });

export const clockJson = ({ accepted, by, head, seq }: ClockAccepted) => ({ accepted, by, lastRecordAt: head, seq });

export const checkpointJson = ({ anchor, by, key, seq, signed }: CheckpointSigned) => ({
  anchor,
  by,
  key,
  ...signed,
  seq,
});

export const remarkJson = ({ about, by, id, seq, text }: RemarkRecorded) => ({
  by,
  id,
  ...present({ recordId: about }),
  remark: text,
  seq,
});

export const ingestedJson = ({ digest, gaps, vms, ...rest }: ObservationIngested) => ({
  ...rest,
  gapCount: gaps,
  observationDigest: digest,
  vmCount: vms,
});

/** The intent, and its end where that is known. */
export const applyingJson = ({ applied, environment, intent, plan, sendBy, settleBy, step, vmid }: Applying) => ({
  environment,
  intent,
  planId: plan,
  ...(applied === undefined ? {} : { recorded: applied.recorded, result: applied.file }),
  sendBy,
  settleBy,
  step,
  vmid,
});

const withheldJson = ({ objections, step, vmid, where }: ApplyPrepared["untried"][number]) => ({
  objections: refusalsJson(objections, where),
  step,
  vmid,
});

export const preparedJson = ({ confirms, environment, plan, steps, untried }: ApplyPrepared) => ({
  confirms,
  environment,
  planId: plan,
  stepCount: steps,
  untried: untried.map(withheldJson),
});

/** A walk over a plan: what was applied, and why it went no further where it did not. */
export type WalkGiven = {
  readonly applied: readonly StepApplied[];
  readonly halted?: ErrorJson;
  readonly plan: string;
  readonly skipped: readonly number[];
  readonly withheld: ApplyPrepared["untried"];
};

export const walkJson = ({ applied, halted, plan, skipped, withheld }: WalkGiven) => ({
  applied: applied.map(({ file, intent, recorded, step }) => ({ intent, recorded, result: file, step })),
  ...present({ halted }),
  planId: plan,
  ...(skipped.length === 0 ? {} : { skipped }),
  ...(withheld.length === 0 ? {} : { withheld: withheld.map(withheldJson) }),
});

/** Of a short command, which made the plan that it walked: what stands beside a plan stands beside its walk. */
export const walkMadeJson = (walk: object, { against, desiredFile }: Pick<PlanMade, "against" | "desiredFile">) => ({
  ...walk,
  ...present({ against, desiredFile }),
});
