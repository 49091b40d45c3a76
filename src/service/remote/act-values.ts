// Recorded acts as the service had them before they were printed (service/json/act-json.ts).

import { msOf } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import type { ClockAccepted } from "../act/accept.ts";
import type { RemarkRecorded } from "../act/annotate.ts";
import type { ApplyPrepared } from "../act/apply.ts";
import type { DecisionRecorded, PlanCanceled } from "../act/decisions.ts";
import type { FreezeRecorded } from "../act/freeze.ts";
import type { ObservationIngested } from "../act/ingest.ts";
import type { CheckpointSigned } from "../act/ledger-checkpoint.ts";
import type { ObservationShown } from "../act/observe.ts";
import type { Applying } from "../act/perform-step.ts";
import type { Reconciled } from "../act/reconcile.ts";
import type { Registered } from "../act/register.ts";
import type {
  applyingJson,
  canceledJson,
  checkpointJson,
  clockJson,
  decisionJson,
  freezeJson,
  ingestedJson,
  observedJson,
  preparedJson,
  reconciledJson,
  registeredJson,
  remarkJson,
} from "../json/act-json.ts";
import type { UnansweredJson } from "../json/error-json.ts";
import { intentFrom } from "./intent-values.ts";
import { gapFrom, refusalFrom, whereFrom } from "./refusal-values.ts";

/** Where an observation was made for it, and the provider was not seen. */
export type WithGap<T> = T & { readonly unanswered?: UnansweredJson };

export const decisionFrom = ({ planId, ...rest }: ReturnType<typeof decisionJson>): DecisionRecorded => ({
  ...rest,
  plan: planId,
});

export const canceledFrom = ({ by, planId, seq }: ReturnType<typeof canceledJson>): PlanCanceled => ({
  by,
  plan: planId,
  seq,
});

export const freezeFrom =
  (kind: FreezeRecorded["kind"]) =>
  ({ by, environment, inFlight, seq }: ReturnType<typeof freezeJson>): FreezeRecorded => ({
    by,
    environment: environment ?? null,
    inFlight: inFlight.map(intentFrom),
    kind,
    seq,
  });

export const observedFrom = (body: WithGap<ReturnType<typeof observedJson>>): ObservationShown => {
  const { environment, id, observation, observationDigest: digest, replaced: changed, unanswered } = body;
  return { changed, digest, environment, id, observation, ...present({ unanswered: gapFrom(unanswered) }) };
};

export const registeredFrom = (body: ReturnType<typeof registeredJson>): Registered => {
  const { by, changes, desiredDigest: digest, environment, id, seq, vmCount: vms } = body;
  return { by, changes, digest, environment, id, seq, vms };
};

export const reconciledFrom = ({ vmStatus, ...rest }: ReturnType<typeof reconciledJson>): Reconciled => ({
  ...rest,
  ...present({ found: vmStatus }),
});

export const clockFrom = ({ accepted, by, lastRecordAt: head, seq }: ReturnType<typeof clockJson>): ClockAccepted => ({
  accepted,
  aheadSeconds: (msOf(head) - msOf(accepted)) / 1_000,
  by,
  head,
  seq,
});

export const checkpointFrom = (body: ReturnType<typeof checkpointJson>): CheckpointSigned => {
  const { anchor, by, key, note, root, seq, size } = body;
  const signed = note === undefined || root === undefined || size === undefined ? undefined : { note, root, size };
  return { anchor, by, key, seq, ...present({ signed }) };
};

export const remarkFrom = (body: ReturnType<typeof remarkJson>): RemarkRecorded => {
  const { by, id, recordId: about, remark: text, seq } = body;
  return { ...present({ about }), by, id, seq, text };
};

export const ingestedFrom = (body: ReturnType<typeof ingestedJson>): ObservationIngested => {
  const { gapCount: gaps, observationDigest: digest, vmCount: vms, ...rest } = body;
  return { ...rest, digest, gaps, vms };
};

/** How it goes on is followed by whoever asked (follow-intent.ts). */
export const applyingFrom = (body: ReturnType<typeof applyingJson>): Applying => {
  const { environment, intent, planId: plan, sendBy, settleBy, step, vmid } = body;
  const { recorded = true, result: file } = body;
  const applied = file === undefined ? undefined : { file, intent, recorded, step };
  return { ...present({ applied }), environment, intent, plan, sendBy, settleBy, step, vmid };
};

export const preparedFrom = (body: ReturnType<typeof preparedJson>, server: string): ApplyPrepared => {
  const { confirms, environment, planId: plan, stepCount: steps, untried } = body;
  return {
    confirms,
    environment,
    plan,
    steps,
    untried: untried.map(({ objections, step, vmid }) => ({
      objections: objections.map((one) => refusalFrom(one, server)),
      step,
      vmid,
      where: whereFrom(objections) ?? {},
    })),
  };
};
