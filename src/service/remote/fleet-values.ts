// The fleet as the service had it before it was printed (service/json/fleet-json.ts). Words are left: views make their
// own.

import type { DesiredVm, Refusal } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { fleetJson, vmShownJson } from "../json/fleet-json.ts";
import type { EnvironmentListed } from "../read/environments.ts";
import type { Fleet, FleetVm, ObservationAged } from "../read/fleet.ts";
import type { IntentShown } from "../read/intent-shown.ts";
import type { VmSeen } from "../read/judge-fleet.ts";
import type { PlanOfVm } from "../read/plans-of-vm.ts";
import type { VmShown } from "../read/vm-shown.ts";
import { intentFrom } from "./intent-values.ts";
import { refusalFrom } from "./refusal-values.ts";

type EnvironmentJson = ReturnType<typeof fleetJson>["fleet"][number];
type RowJson = EnvironmentJson["registeredVms"][number];
type VmShownJson = ReturnType<typeof vmShownJson>;

export const fleetFrom = ({ at, fleet }: ReturnType<typeof fleetJson>, server: string): Fleet => ({
  at,
  environments: fleet.map(({ counts, desiredDigest, observationsUsed, registeredVms, ...environment }) => ({
    ...listedFrom(environment),
    counts,
    observations: observationsUsed.map(observationFrom),
    ...present({ registered: desiredDigest }),
    vms: registeredVms.map((row) => vmFrom(row, server)),
  })),
});

export const vmShownFrom = (body: VmShownJson, server: string): VmShown => {
  const { at, blockedIntent, lastIntent, newestObservation, openNow, plansOfVm, registeredVm, ...rest } = body;
  const { rememberedIdentity, vmid, ...environment } = rest;
  return {
    ...listedFrom(environment),
    at,
    ...present({
      blocked: blockedIntent === undefined ? undefined : spokenFrom(blockedIntent),
      last: lastIntent === undefined ? undefined : spokenFrom(lastIntent),
      observed: newestObservation === undefined ? undefined : seenWholeFrom(newestObservation),
      open: openNow === undefined ? undefined : spokenFrom(openNow),
      rememberedIdentity,
      vm: registeredVm === undefined ? undefined : vmFrom(registeredVm, server),
    }),
    plans: plansOfVm.map((plan) => planOfVmFrom(plan, server)),
    vmid,
  };
};

const spokenFrom = ({ detail: _, ...intent }: NonNullable<VmShownJson["lastIntent"]>): IntentShown =>
  intentFrom(intent);

type ListedJson = Pick<
  VmShownJson,
  "adapter" | "approvalMode" | "environment" | "frozenNow" | "live" | "numbers" | "tightened"
>;

const listedFrom = ({ approvalMode, frozenNow, tightened, ...environment }: ListedJson): EnvironmentListed => ({
  ...environment,
  approval: approvalMode,
  isFrozen: frozenNow,
  isTightened: tightened,
});

type ObservationJson = EnvironmentJson["observationsUsed"][number];

const observationFrom = ({ observationDigest: digest, unseen, ...used }: ObservationJson): ObservationAged => ({
  ...used,
  digest,
  gaps: unseen.map(withoutWords),
});

const seenWholeFrom = ({
  vmState,
  ...used
}: NonNullable<VmShownJson["newestObservation"]>): NonNullable<VmShown["observed"]> => ({
  ...observationFrom(used),
  ...present({ state: vmState }),
});

const planOfVmFrom = (plan: VmShownJson["plansOfVm"][number], server: string): PlanOfVm => {
  const { by: requester, verdictKind: verdict, ...told } = plan;
  if (told.judged === "step") {
    const { judged: kind, ...step } = told;
    return { ...step, kind, requester, verdict };
  }
  const { judged: kind, refusals, ...refused } = told;
  const [refusal] = refusals;
  if (refusal === undefined) throw new RangeError("nothing is refused without a reason");
  return { ...refused, kind, refusal: refusalFrom(refusal, server), requester, verdict };
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
