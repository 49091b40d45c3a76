// Lists of VMs, tokens and records, what became of a key, and what is at a provider, as a door prints them.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { type Policy, policyDigest } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import { refusedByKernel } from "../answer.ts";
import type { KeyAnswered } from "../read/answered.ts";
import type { DesiredShown } from "../read/desired-shown.ts";
import type { EnvironmentList } from "../read/environments.ts";
import type { InventoryShown } from "../read/import.ts";
import type { TokenList } from "../read/tokens.ts";
import type { VmHistory } from "../read/vm-history.ts";
import type { VmList, VmListed } from "../read/vms.ts";
import type { WhatIf } from "../read/weigh-policy.ts";
import { type ErrorJson, errorJson, refusalJson } from "./error-json.ts";

/** A refusal is a record too: it is said as it was to whoever asked. */
export const answeredJson = (answered: KeyAnswered): KeyAnswered & Partial<ErrorJson> => {
  const result = answered.record === undefined ? undefined : bodyOf(answered.record)?.result;
  return result?.kind === "refused" ? { ...answered, ...errorJson(refusedByKernel(result.refusals)) } : answered;
};

export const historyJson = ({ events, vmid }: VmHistory) => ({
  events: events.map(({ answer, plan, refusals, ...event }) => ({
    ...event,
    ...present({ answer, planId: plan, refusals: refusals?.map((refusal) => refusalJson(refusal)) }),
  })),
  vmid,
});

export const vmsJson = ({ at, vms }: VmList) => ({
  at,
  vms: vms.map(({ observed, ...vm }) => ({ ...vm, ...present({ observed: seenJson(observed) }) })),
});

const seenJson = (observed: VmListed["observed"]) => {
  if (observed === undefined) return undefined;
  const { ageSeconds, at, paused, since, status } = observed;
  const appliedSince =
    since === undefined ? undefined : { action: since.action, ...present({ end: since.end }), intent: since.id };
  const vmStatus: "paused" | VmListed["target"] | "unknown" = paused === true ? "paused" : status;
  return { ageSeconds, ...present({ appliedSince }), at, vmStatus };
};

export const environmentsJson = ({ environments }: EnvironmentList) => ({
  configured: environments.map(({ approval, isFrozen, isTightened, ...environment }) => ({
    ...environment,
    approvalMode: approval,
    frozenNow: isFrozen,
    tightened: isTightened,
  })),
});

export const tokensJson = ({ tokens }: TokenList) => ({
  tokens: tokens.map(({ isExpired, maker, ...token }) => ({ ...token, expired: isExpired, ...present({ maker }) })),
});

/** `draft` is the desired.yaml that it comes to. */
export const inventoryJson = ({ vms, ...shown }: Omit<InventoryShown, "unanswered">, draft: string) => ({
  ...shown,
  draft,
  guests: vms,
});

export const desiredJson = ({ entries, environment, registration }: DesiredShown) => ({
  ...present({ desiredDigest: registration?.digest, id: registration?.id }),
  environment,
  registeredEntries: entries.map(({ kind: _, ...entry }) => entry),
});

export const policyJson = (policy: Policy) => ({ policyDigest: policyDigest(policy), tighten: policy.tighten });

export const whatIfJson = ({ applies, asked, plans, policy, refused, steps }: WhatIf) => ({
  judgedApplies: applies,
  judgedPlans: plans,
  policyDigest: policy,
  stepsOtherwise: steps.map(({ plan: planId, requester: by, would, ...step }) => ({
    ...step,
    by,
    planId,
    would: "refusals" in would ? { refusals: would.refusals.map((refusal) => refusalJson(refusal)) } : would,
  })),
  wouldAsk: asked,
  wouldRefuse: refused,
});
