// The fleet as a door prints it: codes and facts, and beside each the words for people. What is absent is not there.
//
// There may be ten thousand rows, of which most are the same as a moment ago: what was printed of one is kept with it.

import type { Blocker } from "../../spine/model.ts";
import type { Doubt, Gap } from "../../spine/observed-codes.ts";
import { present } from "../../spine/values/present.ts";
import { blockerText, doubtText } from "../../spine/words/causes/observation-words.ts";
import { driftText } from "../../spine/words/remarks/drift-words.ts";
import type { Fleet, FleetEnvironment, FleetVm } from "../read/fleet.ts";
import type { VmJudged, VmSeen } from "../read/judge-fleet.ts";
import { refusalJson, unansweredJson } from "./error-json.ts";

export const fleetJson = ({ at, environments }: Fleet) => ({ at, fleet: environments.map(environmentJson) });

const environmentJson = (environment: FleetEnvironment) => {
  const { approval, isFrozen, isTightened, observations, registered, vms, ...shown } = environment;
  return {
    ...shown,
    approvalMode: approval,
    ...present({ desiredDigest: registered }),
    frozenNow: isFrozen,
    observationsUsed: observations.map(({ digest, gaps, ...used }) => ({
      ...used,
      observationDigest: digest,
      unseen: gaps.map((gap: Gap) => unansweredJson(gap)),
    })),
    registeredVms: vms.map((vm) => vmJson(vm, shown.environment)),
    tightened: isTightened,
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
      appliedSince:
        since === undefined ? undefined : { action: since.action, ...present({ end: since.end }), intent: since.id },
      approvalsAwaited: awaited?.map(({ plan, ...step }) => ({ ...step, planId: plan })),
      blockedBy,
      doubt: doubt === undefined ? undefined : doubtJson(doubt),
      lastObserved: seen === undefined ? undefined : seenJson(seen),
      observationId: observation,
      openIntent,
    }),
  };
};

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
