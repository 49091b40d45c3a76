// What came of a recorded act on VMs, plans and freezes, as text for people: what holds now, the record, what comes
// next.

import type { ClockAccepted, IdentityAccepted } from "../../service/act/accept.ts";
import type { DecisionRecorded, PlanCanceled } from "../../service/act/decisions.ts";
import type { FreezeRecorded } from "../../service/act/freeze.ts";
import type { Reconciled } from "../../service/act/reconcile.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import { visible } from "../../spine/values/invisible.ts";
import { spanText } from "../../spine/words/template.ts";
import { expiryText, instantText } from "./age.ts";
import type { TextStyle } from "./text-style.ts";

type Lines = readonly string[];
type Commands = Pick<TextStyle, "command">;

export const clockAcceptedLines = (
  { accepted, aheadSeconds, by, seq }: ClockAccepted,
  { command }: Commands,
): Lines => [
  `accepted: it is ${instantText(accepted)}; the last record was stamped ${spanText(aheadSeconds)} ahead`,
  "every plan, approval, confirmation and observation from before is void; what is open or blocked waits a full window from now",
  `record ${seq}: accept-clock by ${by}`,
  `next: ${command({ ask: "makePlan", with: {} })}`,
];

export const identityAcceptedLines = (
  { by, environment, seq, vmid, was }: IdentityAccepted,
  identity: string,
  { command }: Commands,
): Lines => [
  `VM ${vmid} of ${environment} is ${identity} from here on; it was ${was}`,
  `record ${seq}: accept-identity by ${by}`,
  `next: ${command({ ask: "makePlan", with: { environment } })}`,
];

export const reconciledLines = ({ action, by, found, name, seq, vmid }: Reconciled): Lines => [
  `VM ${vmid} ${name} is ${found}; the outcome of ${action === undefined ? "its action" : actionText(action)} stays unknown, and the VM is free again`,
  `record ${seq}: reconcile by ${by}`,
];

const inFlightLines = ({ inFlight }: Pick<FreezeRecorded, "inFlight">): Lines =>
  inFlight.map(({ action, id, vmid }) => `  in flight: VM ${vmid} ${action}  intent ${id}`);

export const frozenLines = (value: FreezeRecorded, { command }: Commands): Lines => {
  const { by, environment, seq } = value;
  return [
    `frozen: ${environment ?? "everything"}`,
    ...inFlightLines(value),
    `record ${seq}: freeze by ${by}`,
    "to lift it:",
    `  ${command({ ask: "unfreeze", with: environment === null ? {} : { environment } })}`,
  ];
};

export const unfrozenLines = (value: FreezeRecorded): Lines => [
  `lifted: ${value.environment ?? "everything"}`,
  ...inFlightLines(value),
  `record ${value.seq}: unfreeze by ${value.by}`,
];

/** What was decided on a step, as its line begins. */
export type DecisionWord = "approval requested" | "approved" | "denied" | "revoked";

export const decisionLines = (word: DecisionWord, decision: DecisionRecorded, style: TextStyle): Lines => {
  const { action, approvalPage, by, expiresAt, id, needed, plan, reason, seq, step, vmid } = decision;
  return [
    `${word} by ${by}: step ${step} of plan ${plan} (VM ${vmid}, ${actionText(action ?? "")})`,
    ...(needed === 0 ? ["the step needs no approval: it can be applied without one"] : []),
    ...(expiresAt === undefined ? [] : [`it ${expiryText(expiresAt, style)}`]),
    ...(reason === undefined ? [] : [`reason: ${JSON.stringify(visible(reason))}`]),
    `record ${seq}: ${id}`,
    ...(approvalPage === undefined ? [] : [`to approve or deny it in a browser: ${approvalPage}`]),
    ...(expiresAt === undefined ? [] : [style.dim(`next: ${style.command({ ask: "showPlan", with: { plan } })}`)]),
  ];
};

export const canceledLines = ({ by, plan, seq }: PlanCanceled): Lines => [
  `canceled by ${by}: plan ${plan}`,
  `record ${seq}`,
];
