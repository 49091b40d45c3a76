// Clocks, read from the records alone: what is seen is stamped by no clock that is ahead of the provider's, is aged on
// one clock, and nothing that was counted on a clock before an accepted one is ever used again.

import type { Instant } from "../../../src/spine/model.ts";
import { later, msOf } from "../../../src/spine/values/instant.ts";
import { type Check, type Entry, type EntryOf, entriesOf, isGranted, isKind } from "./evidence.ts";

const AHEAD_MAX_MS = 60_000;
const AGE_MAX_MS = 60_000;

export const clocked: Check = ({ stage }) => {
  const entries = entriesOf(stage);
  return entries.flatMap((entry, at) => [
    ...stampedEarly(entry, entries[at - 1]),
    ...(isGranted(entry) ? objections(entry, entries.slice(0, at)).map((what) => `record ${at}: ${what}`) : []),
  ]);
};

const isAccepted = (entry: Entry): boolean => isKind(entry, "accept-clock") && isGranted(entry);

/** Only an accepted clock is earlier than the record before, and it always is. */
const stampedEarly = (entry: Entry, before: Entry | undefined): readonly string[] => {
  const isEarly = before !== undefined && entry.record.processTime < before.record.processTime;
  if (isEarly === isAccepted(entry)) return [];
  return [
    `record ${entry.record.seq} is ${isEarly ? "earlier than the one before" : "no clock that had to be accepted"}`,
  ];
};

const objections = (entry: Entry, before: readonly Entry[]): readonly string[] => {
  if (isKind(entry, "observe")) return ahead(entry);
  const acceptedAt = before.findLastIndex(isAccepted);
  const isVoid = (id: string | undefined): boolean =>
    id !== undefined && before.findIndex(({ record }) => record.auditId === id) < acceptedAt;
  if (isKind(entry, "plan")) {
    const shown = before.find(({ record }) => record.auditId === entry.request.observation);
    if (shown === undefined || (!isKind(shown, "observe") && !isKind(shown, "ingest")))
      return ["it stands on no observation"];
    return [...(isVoid(shown.record.auditId) ? ["its observation is void"] : []), ...aged(entry, shown)];
  }
  if (isKind(entry, "approve") || isKind(entry, "challenge"))
    return isVoid(entry.request.of.plan) ? ["its plan is void"] : [];
  if (!isKind(entry, "apply")) return [];
  const { confirmation, of } = entry.request;
  return [
    ...(isVoid(of.plan) ? ["its plan is void"] : []),
    ...(isVoid(confirmation?.challenge) ? ["its challenge is void"] : []),
  ];
};

const ahead = ({ record, request }: EntryOf<"observe">): readonly string[] => {
  const { complete, providerTime, vms } = request;
  if (providerTime === undefined) return vms === 0 && !complete ? [] : ["nobody knows what time it was there"];
  return msOf(record.processTime) - msOf(providerTime) > AHEAD_MAX_MS ? ["the clock was ahead of the provider's"] : [];
};

const aged = (plan: EntryOf<"plan">, shown: EntryOf<"observe"> | EntryOf<"ingest">): readonly string[] => {
  if (!isKind(shown, "observe")) return [];
  const seenAt = later(shown.record.processTime, -(shown.request.tookMs ?? 0));
  const isOld = msOf(plan.record.processTime) - msOf(seenAt) > AGE_MAX_MS;
  const isOther = plan.result.kind === "planned" && plan.result.observedAt !== seenAt;
  return [
    ...(isOld ? ["its observation is old"] : []),
    ...(isOther ? ["it is counted from another time than its observation"] : []),
  ];
};

/**
 * When an intent is settled at the latest: a full window after its decision, or after the last clock that was accepted.
 */
export const settledBy = (intent: EntryOf<"apply">, between: readonly Entry[]): Instant =>
  countedOn("settleBy", intent, between);

/** Until when its call may leave, counted in the same way. */
export const sentBy = (intent: EntryOf<"apply">, between: readonly Entry[]): Instant =>
  countedOn("sendBy", intent, between);

const countedOn = (end: "sendBy" | "settleBy", intent: EntryOf<"apply">, between: readonly Entry[]): Instant => {
  const { [end]: decided } = intent.result as { readonly sendBy: Instant; readonly settleBy: Instant };
  const windowMs = msOf(decided) - msOf(intent.record.processTime);
  const accepted = between.findLast(isAccepted);
  return accepted === undefined ? decided : later(accepted.record.processTime, windowMs);
};
