// The fleet, and one VM of it, as a door prints them: codes and facts, and beside each the words for people.
//
// There may be ten thousand rows, of which most are the same as a moment ago: what was printed of one is kept with it.

import type { Blocker, OutcomeEnd } from "../../spine/model.ts";
import type { Doubt } from "../../spine/observed-codes.ts";
import { present } from "../../spine/values/present.ts";
import { blockerText, doubtText } from "../../spine/words/causes/observation-words.ts";
import { driftText } from "../../spine/words/remarks/drift-words.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import type { EnvironmentListed } from "../read/environments.ts";
import type { Fleet, FleetVm, ObservationAged } from "../read/fleet.ts";
import type { IntentShown } from "../read/intent-shown.ts";
import type { VmJudged, VmSeen } from "../read/judge-fleet.ts";
import type { PlanOfVm } from "../read/plans-of-vm.ts";
import type { VmShown } from "../read/vm-shown.ts";
import { refusalJson, unansweredJson } from "./error-json.ts";
import { intentJson } from "./intent-json.ts";

export const fleetJson = ({ at, environments }: Fleet) => ({
  at,
  fleet: environments.map(({ counts, observations, registered, vms, ...environment }) => ({
    ...listedJson(environment),
    counts,
    ...present({ desiredDigest: registered }),
    observationsUsed: observations.map(observationJson),
    registeredVms: vms.map((vm) => vmJson(vm, environment.environment)),
  })),
});

export const vmShownJson = (shown: VmShown) => {
  const { at, blocked, last, observed, open, plans, rememberedIdentity, vm, vmid, ...environment } = shown;
  return {
    at,
    ...listedJson(environment),
    ...present({
      blockedIntent: blocked === undefined ? undefined : intentInWords(blocked),
      lastIntent: last === undefined ? undefined : intentInWords(last),
      newestObservation: observed === undefined ? undefined : seenWholeJson(observed),
      openNow: open === undefined ? undefined : intentInWords(open),
      registeredVm: vm === undefined ? undefined : vmJson(vm, environment.environment),
      rememberedIdentity,
    }),
    plansOfVm: plans.map((plan) => planOfVmJson(plan, environment.environment)),
    vmid,
  };
};

const intentInWords = (intent: IntentShown) => ({ ...intentJson(intent), ...detailOf(intent.end) });

const detailOf = (end: OutcomeEnd | undefined) => present({ detail: end === undefined ? undefined : outcomeText(end) });

const listedJson = ({ approval, isFrozen, isTightened, ...environment }: EnvironmentListed) => ({
  ...environment,
  approvalMode: approval,
  frozenNow: isFrozen,
  tightened: isTightened,
});

const observationJson = ({ digest, gaps, ...used }: ObservationAged) => ({
  ...used,
  observationDigest: digest,
  unseen: gaps.map(unansweredJson),
});

const seenWholeJson = ({ state, ...used }: NonNullable<VmShown["observed"]>) => ({
  ...observationJson(used),
  ...present({ vmState: state }),
});

const planOfVmJson = ({ requester: by, verdict: verdictKind, ...plan }: PlanOfVm, environment: string) => {
  if (plan.kind === "step") {
    const { kind: judged, ...step } = plan;
    return { ...step, by, judged, verdictKind };
  }
  const { kind: judged, refusal, ...told } = plan;
  return {
    ...told,
    by,
    judged,
    refusals: [refusalJson(refusal, undefined, { environment, plan: told.id })],
    verdictKind,
  };
};

const PRINTED = new WeakMap<FleetVm, ReturnType<typeof rowJson>>();

const vmJson = (vm: FleetVm, environment: string): ReturnType<typeof rowJson> => {
  const known = PRINTED.get(vm) ?? rowJson(vm, environment);
  PRINTED.set(vm, known);
  return known;
};

const rowJson = (vm: FleetVm, environment: string) => {
  const { awaited, blockedBy, doubt, entry, observation, openIntent, seen, since, status } = vm;
  const { kind: _, ...registered } = entry;
  return {
    ...registered,
    vmStatus: status,
    ...answerJson(vm, environment),
    ...present({
      appliedSince: since === undefined ? undefined : sinceJson(since),
      approvalsAwaited: awaited?.map(({ plan, ...step }) => ({ ...step, planId: plan })),
      blockedBy,
      doubt: doubt === undefined ? undefined : doubtJson(doubt),
      lastObserved: seen === undefined ? undefined : seenJson(seen),
      observationId: observation,
      openIntent,
    }),
  };
};

const sinceJson = ({ action, end, id }: NonNullable<FleetVm["since"]>) => ({
  action,
  ...present({ end }),
  ...detailOf(end),
  intent: id,
});

const answerJson = ({ answer, entry }: VmJudged, environment: string) => {
  switch (answer.kind) {
    case "in-sync":
      return { judged: answer.kind };
    case "refusal":
      return { judged: answer.kind, refusals: [refusalJson(answer, undefined, { environment })] };
    case "step": {
      const { kind, reason: stepReason, ...step } = answer;
      return { judged: kind, mends: { ...step, detail: driftText({ ...step, name: entry.name }), stepReason } };
    }
  }
};

const seenJson = ({ blockers, node, ...seen }: VmSeen) => ({
  ...seen,
  ...present({ blockers: blockers?.map(blockerJson), onNode: node }),
});

const blockerJson = (blocker: Blocker) => ({ ...blocker, detail: blockerText(blocker) });
const doubtJson = (doubt: Doubt) => ({ ...doubt, detail: doubtText(doubt) });
