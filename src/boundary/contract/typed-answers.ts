// The body of an answer as a type, for whoever reads it as JSON: what the functions that make it return.
//
// The door is held to this table by the compiler (http/answer-bodies.ts), and pages read by it. Types alone: nothing of
// the service is loaded by it.

import type { CallerShown } from "../../service/hold/callers.ts";
import type {
  applyingJson,
  canceledJson,
  decisionJson,
  freezeJson,
  observedJson,
  reconciledJson,
  remarkJson,
} from "../../service/json/act-json.ts";
import type { allowancesJson } from "../../service/json/allowances-json.ts";
import type { comparedJson } from "../../service/json/compared-json.ts";
import type { UnansweredJson } from "../../service/json/error-json.ts";
import type { fleetJson, vmShownJson } from "../../service/json/fleet-json.ts";
import type { intentFoundJson, stateJson, statusJson } from "../../service/json/intent-json.ts";
import type { checkpointsJson } from "../../service/json/ledger-json.ts";
import type {
  driftJson,
  explainedJson,
  planJson,
  plansJson,
  reviewedJson,
} from "../../service/json/plan-answer-json.ts";
import type {
  answeredJson,
  desiredJson,
  environmentsJson,
  historyJson,
  tokensJson,
  vmsJson,
} from "../../service/json/read-json.ts";
import type { rulesJson } from "../../service/json/rules-json.ts";
import type { PeopleList } from "../../service/read/people-list.ts";
import type { ServicePosture } from "../../service/read/service-posture.ts";

/** Why the provider was not seen at all: everything there is unknown. */
export type Gapped = { readonly unanswered?: UnansweredJson };

export type AnswerBodies = {
  readonly allowances: ReturnType<typeof allowancesJson>;
  readonly annotate: ReturnType<typeof remarkJson>;
  readonly answered: ReturnType<typeof answeredJson>;
  readonly apply: ReturnType<typeof applyingJson>;
  readonly approve: ReturnType<typeof decisionJson>;
  readonly cancel: ReturnType<typeof canceledJson>;
  readonly challenge: ReturnType<typeof explainedJson>;
  readonly checkpoints: ReturnType<typeof checkpointsJson>;
  readonly comparePlans: ReturnType<typeof comparedJson>;
  readonly deny: ReturnType<typeof decisionJson>;
  readonly desired: ReturnType<typeof desiredJson>;
  readonly drift: ReturnType<typeof driftJson> & Gapped;
  readonly environments: ReturnType<typeof environmentsJson>;
  readonly explain: ReturnType<typeof explainedJson>;
  readonly fleet: ReturnType<typeof fleetJson>;
  readonly freeze: ReturnType<typeof freezeJson>;
  readonly history: ReturnType<typeof historyJson>;
  readonly intent: ReturnType<typeof intentFoundJson>;
  readonly makePlan: ReturnType<typeof planJson> & Gapped;
  readonly observe: ReturnType<typeof observedJson> & Gapped;
  readonly people: PeopleList;
  readonly plans: ReturnType<typeof plansJson>;
  readonly prove: {
    readonly anchored: boolean;
    readonly hash: string;
    readonly key: string;
    readonly proof: string;
    readonly seq: number;
    readonly size: number;
  };
  readonly reconcile: ReturnType<typeof reconciledJson>;
  readonly requestApproval: ReturnType<typeof decisionJson>;
  readonly review: ReturnType<typeof reviewedJson>;
  readonly revoke: ReturnType<typeof decisionJson>;
  readonly rules: ReturnType<typeof rulesJson>;
  readonly showPlan: ReturnType<typeof planJson>;
  readonly stateAfter: ReturnType<typeof stateJson>;
  readonly status: ReturnType<typeof statusJson>;
  readonly tokens: ReturnType<typeof tokensJson>;
  readonly unfreeze: ReturnType<typeof freezeJson>;
  readonly vm: ReturnType<typeof vmShownJson>;
  readonly vms: ReturnType<typeof vmsJson>;
  readonly whoami: CallerShown & { readonly provenBy: "token" };
};

/** What `/readyz` says while it can serve. */
export type ReadyBody = ServicePosture & { readonly ready: true };

/** What is answered with a body of a known type. */
export type TypedOperation = keyof AnswerBodies;
