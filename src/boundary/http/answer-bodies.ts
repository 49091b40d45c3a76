// The body of each answer: what the command line prints with --json, by operation.
//
// Not here: what is sent as it was stored (records, an export, a blob).

import { desiredDraft } from "../../formats/desired-draft.ts";
import { refusedBy, type ServiceAnswer } from "../../service/answer.ts";
import type { InstallationFinding } from "../../service/examine/finding.ts";
import {
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
} from "../../service/json/act-json.ts";
import { allowancesJson } from "../../service/json/allowances-json.ts";
import { comparedJson } from "../../service/json/compared-json.ts";
import { errorJson, unansweredJson } from "../../service/json/error-json.ts";
import { type FindingWords, findingJson } from "../../service/json/finding-json.ts";
import { fleetJson, vmShownJson } from "../../service/json/fleet-json.ts";
import { intentFoundJson, stateJson, statusJson } from "../../service/json/intent-json.ts";
import { brokenJson, checkpointsJson, verifiedJson } from "../../service/json/ledger-json.ts";
import { driftJson, explainedJson, planJson, plansJson, reviewedJson } from "../../service/json/plan-answer-json.ts";
import {
  answeredJson,
  desiredJson,
  environmentsJson,
  historyJson,
  inventoryJson,
  tokensJson,
  vmsJson,
  whatIfJson,
} from "../../service/json/read-json.ts";
import { rulesJson } from "../../service/json/rules-json.ts";
import type { Service } from "../../service/service.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import type { RoutedOperation } from "../contract/routes.ts";
import type { AnswerBodies, Gapped, TypedOperation } from "../contract/typed-answers.ts";

export type StreamedOperation = "blob" | "export" | "records";
export type AnsweredOperation = Exclude<RoutedOperation, StreamedOperation>;
export type ValueAt<K extends AnsweredOperation> =
  Awaited<ReturnType<Service[K]>> extends ServiceAnswer<infer T> ? T : never;

/** What only whoever joins the program knows: the words of a finding, which for a provider are its adapter's. */
export type BodyWords = { readonly findingWords: (finding: InstallationFinding) => FindingWords };

/** What pages read by its type is made by it. */
type BodyAt<K extends AnsweredOperation> = K extends TypedOperation ? AnswerBodies[K] : object;
type BodyOf<K extends AnsweredOperation> = (value: ValueAt<K>, words: BodyWords) => BodyAt<K>;

const withGap = <T extends object>(body: T, gap: Gap | undefined): T & Gapped =>
  gap === undefined ? body : { ...body, unanswered: unansweredJson(gap) };
const asItIs = <T extends object>(value: T): T => value;

export const BODIES: { readonly [K in AnsweredOperation]: BodyOf<K> } = {
  acceptClock: clockJson,
  acceptIdentity: asItIs,
  annotate: remarkJson,
  answered: answeredJson,
  apply: applyingJson,
  approve: decisionJson,
  cancel: canceledJson,
  challenge: explainedJson,
  checkpoint: checkpointJson,
  checkpoints: checkpointsJson,
  comparePlans: comparedJson,
  createToken: asItIs,
  deny: decisionJson,
  desired: desiredJson,
  drift: ({ unanswered, ...value }) => withGap(driftJson(value), unanswered),
  examine: ({ findings }, { findingWords }) => ({
    checks: findings.map((finding) => findingJson(finding, findingWords(finding))),
    healthy: findings.every(({ refusals }) => refusals.length === 0),
  }),
  explain: explainedJson,
  fleet: fleetJson,
  freeze: freezeJson,
  history: historyJson,
  ingest: ingestedJson,
  intent: intentFoundJson,
  inventory: ({ unanswered, ...value }) => withGap(inventoryJson(value, desiredDraft(value)), unanswered),
  invite: asItIs,
  makePlan: ({ unanswered, ...value }) => withGap(planJson(value), unanswered),
  observe: ({ unanswered, ...value }) => withGap(observedJson(value), unanswered),
  people: asItIs,
  environments: environmentsJson,
  plans: ({ plans }) => plansJson(plans),
  prepareApply: preparedJson,
  prove: ({ anchored, hash, key, seq, size, text }) => ({ anchored, hash, key, proof: text, seq, size }),
  reconcile: reconciledJson,
  register: registeredJson,
  replay: ({ foreign, records }) => ({ foreign, size: records }),
  requestApproval: decisionJson,
  allowances: allowancesJson,
  review: reviewedJson,
  rules: rulesJson,
  revoke: decisionJson,
  revokeToken: asItIs,
  rotateToken: asItIs,
  signOut: asItIs,
  showPlan: planJson,
  stateAfter: stateJson,
  status: statusJson,
  tokens: tokensJson,
  unfreeze: freezeJson,
  verify: (verified) =>
    verified.refusal === undefined
      ? verifiedJson(verified)
      : { ...errorJson(refusedBy(verified.refusal)), ...brokenJson(verified) },
  vm: vmShownJson,
  vms: vmsJson,
  whatIf: whatIfJson,
  whoami: (shown) => ({ ...shown, provenBy: "token" }),
};
