// The value of each answer, made of the body that came: the way back from what a door prints, by operation.
//
// A body was held against its published schema before (answer-in.ts). Not here: what comes as it was stored (records,
// an export, a blob).

import type { RequestAt, RoutedOperation } from "../../boundary/contract/routes.ts";
import type { OkAnswer } from "../answer.ts";
import type { Service } from "../service.ts";
import {
  applyingFrom,
  canceledFrom,
  checkpointFrom,
  clockFrom,
  decisionFrom,
  freezeFrom,
  ingestedFrom,
  observedFrom,
  preparedFrom,
  reconciledFrom,
  registeredFrom,
  remarkFrom,
} from "./act-values.ts";
import { allowancesFrom } from "./allowances-values.ts";
import { examinedFrom } from "./finding-values.ts";
import { fleetFrom, vmShownFrom } from "./fleet-values.ts";
import { intentFoundFrom, stateFrom, statusFrom } from "./intent-values.ts";
import { comparedFrom, driftFrom, explainedFrom, planFrom, plansFrom, reviewedFrom } from "./plan-values.ts";
import {
  checkpointsFrom,
  desiredFrom,
  environmentsFrom,
  historyFrom,
  inventoryFrom,
  provenFrom,
  replayedFrom,
  rulesFrom,
  tokensFrom,
  vmsFrom,
  whatIfFrom,
} from "./read-values.ts";
import { verifiedFrom } from "./verified-values.ts";

export type WholeOperation = Exclude<RoutedOperation, "blob" | "export" | "records">;
export type ValueOf<K extends RoutedOperation> =
  Extract<Awaited<ReturnType<Service[K]>>, { readonly kind: "ok" }> extends OkAnswer<infer T> ? T : never;
export type RequestFor<K extends RoutedOperation> = RequestAt<K>;

/** What the schema took is what the function takes; a test prints every answer and makes its value again. */
type ValueFrom<K extends WholeOperation> = (body: never, server: string) => ValueOf<K>;

const asItCame = <T>(body: T): T => body;

export const VALUES: { readonly [K in WholeOperation]: ValueFrom<K> } = {
  acceptClock: clockFrom,
  acceptIdentity: asItCame,
  allowances: allowancesFrom,
  annotate: remarkFrom,
  answered: asItCame,
  apply: applyingFrom,
  approve: decisionFrom,
  cancel: canceledFrom,
  challenge: explainedFrom as ValueFrom<"challenge">,
  checkpoint: checkpointFrom,
  checkpoints: checkpointsFrom,
  comparePlans: comparedFrom,
  createToken: asItCame,
  deny: decisionFrom,
  desired: desiredFrom,
  drift: driftFrom,
  examine: examinedFrom,
  explain: explainedFrom,
  fleet: fleetFrom,
  freeze: freezeFrom("freeze"),
  history: historyFrom,
  ingest: ingestedFrom,
  intent: intentFoundFrom,
  inventory: inventoryFrom,
  invite: asItCame,
  makePlan: planFrom,
  observe: observedFrom,
  people: asItCame,
  plans: plansFrom,
  prepareApply: preparedFrom,
  prove: provenFrom,
  reconcile: reconciledFrom,
  register: registeredFrom,
  replay: replayedFrom,
  requestApproval: decisionFrom,
  review: reviewedFrom,
  revoke: decisionFrom,
  rules: rulesFrom,
  revokeToken: asItCame,
  rotateToken: asItCame,
  showPlan: planFrom,
  signOut: asItCame,
  stateAfter: stateFrom,
  status: statusFrom,
  environments: environmentsFrom,
  tokens: tokensFrom,
  unfreeze: freezeFrom("unfreeze"),
  verify: verifiedFrom,
  vm: vmShownFrom,
  vms: vmsFrom,
  whatIf: whatIfFrom,
  whoami: asItCame,
};
