// Lists of VMs, tokens and records, and what is at a provider, as the service had them before they were printed
// (service/json/read-json.ts, ledger-json.ts).

import type { DesiredVm } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { checkpointsJson } from "../json/ledger-json.ts";
import type {
  desiredJson,
  environmentsJson,
  historyJson,
  inventoryJson,
  tokensJson,
  vmsJson,
  whatIfJson,
} from "../json/read-json.ts";
import type { rulesJson } from "../json/rules-json.ts";
import type { CheckpointList } from "../read/checkpoints.ts";
import type { DesiredShown } from "../read/desired-shown.ts";
import type { EnvironmentList } from "../read/environments.ts";
import type { InventoryShown } from "../read/import.ts";
import type { RecordProven } from "../read/records.ts";
import type { ReplayedEqual } from "../read/replay-records.ts";
import type { RuleList } from "../read/rule-list.ts";
import type { TokenList } from "../read/tokens.ts";
import type { VmHistory } from "../read/vm-history.ts";
import type { VmList, VmListed } from "../read/vms.ts";
import type { WhatIf } from "../read/weigh-policy.ts";
import type { WithGap } from "./act-values.ts";
import { gapFrom, refusalFrom } from "./refusal-values.ts";

export const historyFrom = ({ events, vmid }: ReturnType<typeof historyJson>, server: string): VmHistory => ({
  events: events.map(({ planId: plan, refusals, ...event }) => ({
    ...event,
    ...present({ plan, refusals: refusals?.map((one) => refusalFrom(one, server)) }),
  })),
  vmid,
});

type SeenJson = NonNullable<ReturnType<typeof vmsJson>["vms"][number]["observed"]>;

/** One that is paused runs. */
const STATUSES_SEEN = {
  paused: { paused: true, status: "running" },
  running: { status: "running" },
  stopped: { status: "stopped" },
  unknown: { status: "unknown" },
} as const;

const seenFrom = ({ ageSeconds, appliedSince, at, vmStatus }: SeenJson): NonNullable<VmListed["observed"]> => {
  const seen = { ageSeconds, at, ...STATUSES_SEEN[vmStatus] };
  if (appliedSince === undefined) return seen;
  const { intent: id, ...since } = appliedSince;
  return { ...seen, since: { ...since, id } };
};

export const vmsFrom = ({ at, vms }: ReturnType<typeof vmsJson>): VmList => ({
  at,
  vms: vms.map(({ observed, ...vm }) => ({
    ...vm,
    ...(observed === undefined ? {} : { observed: seenFrom(observed) }),
  })),
});

export const environmentsFrom = ({ configured }: ReturnType<typeof environmentsJson>): EnvironmentList => ({
  environments: configured.map(({ approvalMode: approval, frozenNow: isFrozen, tightened: isTightened, ...one }) => ({
    ...one,
    approval,
    isFrozen,
    isTightened,
  })),
});

export const tokensFrom = ({ tokens }: ReturnType<typeof tokensJson>): TokenList => ({
  tokens: tokens.map(({ expired: isExpired, maker, ...token }) => ({ ...token, isExpired, maker })),
});

export const inventoryFrom = (body: WithGap<ReturnType<typeof inventoryJson>>): InventoryShown => {
  const { draft: _, guests: vms, unanswered, ...shown } = body;
  return { ...shown, ...present({ unanswered: gapFrom(unanswered) }), vms };
};

export type ProvenJson = Omit<RecordProven, "text"> & { readonly proof: string };

export const provenFrom = ({ proof: text, ...proven }: ProvenJson): RecordProven => ({ ...proven, text });

export type ReplayedJson = { readonly foreign: number; readonly size: number };

export const replayedFrom = ({ foreign, size: records }: ReplayedJson): ReplayedEqual => ({
  foreign,
  records,
  result: "equal",
});

export const checkpointsFrom = (body: ReturnType<typeof checkpointsJson>): CheckpointList => {
  const { anchoredCount: count, firstNote: from, key, newestCheckpoint: newest, signedCheckpoints: page } = body;
  return { count, from, key, ...present({ newest }), page };
};

export const desiredFrom = (body: ReturnType<typeof desiredJson>): DesiredShown => {
  const { desiredDigest: digest, environment, id, registeredEntries } = body;
  return {
    entries: registeredEntries.map((entry): DesiredVm => ({ ...entry, kind: "desired" })),
    environment,
    ...(digest === undefined || id === undefined ? {} : { registration: { digest, id } }),
  };
};

export const whatIfFrom = (body: ReturnType<typeof whatIfJson>, server: string): WhatIf => ({
  applies: body.judgedApplies,
  asked: body.wouldAsk,
  plans: body.judgedPlans,
  policy: body.policyDigest,
  refused: body.wouldRefuse,
  steps: body.stepsOtherwise.map(({ by: requester, planId: plan, would, ...step }) => {
    if (!("refusals" in would)) return { ...step, plan, requester, would };
    const [first, ...rest] = would.refusals.map((one) => refusalFrom(one, server));
    if (first === undefined) throw new RangeError("nothing is refused without a reason");
    return { ...step, plan, requester, would: { refusals: [first, ...rest] } };
  }),
});

export const rulesFrom = ({ rules }: ReturnType<typeof rulesJson>): RuleList => ({
  rules: rules.map(({ codes, ...rule }) => ({
    ...rule,
    refusals: codes.map(({ code, stage, text: { detail: because, ...words } }) => ({
      because,
      code,
      ...words,
      rule: rule.id,
      stage,
    })),
  })),
});
