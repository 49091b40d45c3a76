// The fleet as the service had it before it was printed (service/json/fleet-json.ts). Words are left: views make their
// own.

import type { DesiredVm, Refusal } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { fleetJson } from "../json/fleet-json.ts";
import type { Fleet, FleetEnvironment, FleetVm } from "../read/fleet.ts";
import type { VmSeen } from "../read/judge-fleet.ts";
import { refusalFrom } from "./refusal-values.ts";

type EnvironmentJson = ReturnType<typeof fleetJson>["fleet"][number];
type RowJson = EnvironmentJson["registeredVms"][number];

export const fleetFrom = ({ at, fleet }: ReturnType<typeof fleetJson>, server: string): Fleet => ({
  at,
  environments: fleet.map((one) => environmentFrom(one, server)),
});

const environmentFrom = (environment: EnvironmentJson, server: string): FleetEnvironment => {
  const { approvalMode, desiredDigest, frozenNow, observationsUsed, registeredVms, tightened, ...shown } = environment;
  return {
    ...shown,
    approval: approvalMode,
    isFrozen: frozenNow,
    isTightened: tightened,
    observations: observationsUsed.map(({ observationDigest: digest, unseen, ...used }) => ({
      ...used,
      digest,
      gaps: unseen.map(withoutWords),
    })),
    ...present({ registered: desiredDigest }),
    vms: registeredVms.map((row) => vmFrom(row, server)),
  };
};

const withoutWords = <T extends { readonly detail: string }>({ detail: _, ...stated }: T): Omit<T, "detail"> => stated;

const vmFrom = (row: RowJson, server: string): FleetVm => {
  const { appliedSince, approvalsAwaited, blockedBy, doubt, lastObserved, observationId, openIntent, ...rest } = row;
  const { judged: _judged, mends: _mends, refusals: _refusals, vmStatus: status, ...entry } = rest;
  return {
    answer: answerFrom(row, server),
    entry: { ...entry, kind: "desired" } as DesiredVm,
    ...present({
      awaited: approvalsAwaited?.map(({ planId: plan, ...step }) => ({ ...step, plan })),
      blockedBy,
      doubt: doubt === undefined ? undefined : withoutWords(doubt),
      observation: observationId,
      openIntent,
      seen: lastObserved === undefined ? undefined : seenFrom(lastObserved),
    }),
    ...(appliedSince === undefined
      ? {}
      : { since: { action: appliedSince.action, ...present({ end: appliedSince.end }), id: appliedSince.intent } }),
    status,
  };
};

const answerFrom = ({ judged, mends, refusals }: RowJson, server: string): FleetVm["answer"] => {
  if (mends !== undefined) {
    const { detail: _, stepReason: reason, ...step } = mends;
    return { ...step, kind: "step", reason };
  }
  const [refusal] = refusals ?? [];
  if (refusal !== undefined) return refusalFrom(refusal, server) satisfies Refusal;
  if (judged !== "in-sync") throw new RangeError("what is not in sync has a step or a refusal");
  return { kind: judged };
};

const seenFrom = ({ blockers, onNode, ...seen }: NonNullable<RowJson["lastObserved"]>): VmSeen => ({
  ...seen,
  ...present({ blockers: blockers?.map(withoutWords), node: onNode }),
});
