// How things stand, as lines: freezes, what waits for approval or has it, what is open, what is blocked, what came of
// the last actions, and what was seen last.

import type { LedgerStatus } from "../../service/read/status.ts";
import { visible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { expiryText, whenText } from "./age.ts";
import { requestLines } from "./approval-requests.ts";
import { columns } from "./columns.ts";
import { counted } from "./counted.ts";
import { actionSign, outcomeSign, signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { policyText } from "./view-policy.ts";
import { reAnchoredText } from "./view-re-anchored.ts";

type Waiting = LedgerStatus["waiting"][number];

export type EndText = (intent: LedgerStatus["last"][number]) => string;

export const statusLines = (status: LedgerStatus, endText: EndText, style: TextStyle): readonly string[] => {
  const since = { now: status.at };
  const { approved, blocked, freezes, last, observations, open, overdue, policies, reAnchored, records, waiting } =
    status;
  const rows = columns([
    ...freezes.flatMap(({ at, by, reason, where }, index) => [
      [
        ` ${signText("refused", style)} ${style.bold("frozen")}`,
        where,
        `by ${visible(by)}: ${visible(reason)}  ${whenText(at, since)}`,
      ],
      // Those of one place are lifted together.
      ...(freezes[index + 1]?.where === where ? [] : [["", "", `  ${unfreezeCommand(freezes[index], style)}`]]),
    ]),
    ...waiting.flatMap((step) => [
      [` ${signText("unknown", style)} ${style.bold("waiting")}`, `VM ${step.vmid}`, waitingText(step, since)],
      ...requestLines(step.asked).map((line) => ["", "", `  ${line}`]),
      ["", "", `  ${style.command({ ask: "explain", with: { plan: step.plan, step: step.step } })}`],
      ["", "", `  ${approveCommand(step, style)}`],
    ]),
    ...approved.flatMap((step) => [
      [` ${actionSign(step.action, style)} ${style.bold("approved")}`, `VM ${step.vmid}`, approvedText(step, since)],
      ["", "", `  ${style.command({ ask: "apply", with: { plan: step.plan, step: step.step } })}`],
    ]),
    ...open.map(({ action, id, name, reference, settleBy, vmid }) => [
      ` ${actionSign(action, style)} ${style.bold("open")}`,
      `VM ${vmid}`,
      `${actionTitle(action, name)}, ${
        overdue.includes(id)
          ? `deadline passed ${whenText(settleBy, since)}; the next write records it as unknown`
          : `settles ${whenText(settleBy, since)}`
      }  ${intentText({ id, reference })}`,
    ]),
    ...blocked.flatMap((intent) => [
      [
        ` ${signText("unknown", style)} ${style.bold("blocked")}`,
        `VM ${intent.vmid}`,
        `${actionTitle(intent.action, intent.name)}: outcome unknown: ${endText(intent)}; ${reconcileText(intent.settleBy, since)}  ${intentText(intent)}`,
      ],
      ["", "", `  ${reconcileCommand(intent, style)}`],
    ]),
    ...last.map((intent) => [
      ` ${intent.end === undefined ? actionSign(intent.action, style) : outcomeSign(intent.end.outcome, intent.action, style)} ${intent.end?.outcome ?? "open"}`,
      `VM ${intent.vmid}`,
      `${actionTitle(intent.action, intent.name)}: ${endText(intent)}  ${intentText(intent)}`,
    ]),
  ]);
  return [
    ...policies.map(({ environment, tighten }) => `policy of ${environment}: ${policyText({ tighten })}`),
    ...rows,
    ...observations.map(
      ({ environment, id, observedAt }) =>
        `last observation of ${environment}: ${observedAt === undefined ? "at an unknown time" : whenText(observedAt, since)}  ${id}`,
    ),
    ...(reAnchored === undefined ? [] : [`ledger ${reAnchoredText(reAnchored, since)}`]),
    style.bold(
      `${open.length} open, ${blocked.length} blocked, ${waiting.length} waiting for approval, ${approved.length} approved, ${new Set(freezes.map(({ where }) => where)).size} frozen; ${counted(records, "record")}`,
    ),
  ];
};

const inviterText = ({ invited }: Waiting, of: string): string => {
  const party = invited.find(({ name, party }) => party === "requester" && name === of);
  return party === undefined ? "" : ` (invited by ${visible(party.invitedBy)})`;
};

/** `power off batch-01 [high]: approvals 0 of 1, requested by alice, expires in 14 min (…), plan 01… step 1` */
const waitingText = (waiting: Waiting, since: Pick<TextStyle, "now">): string => {
  const { action, approvedBy, endsAt, name, needed, ownCounts, plan, requester, step, tier } = waiting;
  return [
    `${actionTitle(action, name)} [${tier}]: approvals ${approvedBy.length} of ${needed}`,
    `requested by ${visible(requester)}${inviterText(waiting, requester)}${ownCounts ? "" : ", who may not approve it"}`,
    ...(endsAt === undefined ? [] : [expiryText(endsAt, since)]),
    `plan ${plan} step ${step}`,
  ].join(", ");
};

/** `power off batch-01 [high]: approved by bob, requested by alice, expires in 14 min (…), plan 01… step 1` */
const approvedText = (approved: LedgerStatus["approved"][number], since: Pick<TextStyle, "now">): string => {
  const { action, approvedBy, endsAt, name, plan, requester, step, tier } = approved;
  return [
    `${actionTitle(action, name)} [${tier}]: approved by ${approvedBy.map(visible).join(" and ")}`,
    `requested by ${visible(requester)}`,
    ...(endsAt === undefined ? [] : [expiryText(endsAt, since)]),
    `plan ${plan} step ${step}`,
  ].join(", ");
};

const approveCommand = ({ explanation, plan, step }: Waiting, { command }: TextStyle): string =>
  command({ ask: "approve", with: { ...present({ explanation }), plan, step } });

/** What the ledger and the provider call it. */
const intentText = ({ id, reference }: { readonly id: string; readonly reference?: string | undefined }): string =>
  `intent ${id}${reference === undefined ? "" : `, ${visible(reference)}`}`;

const unfreezeCommand = (freeze: LedgerStatus["freezes"][number] | undefined, { command }: TextStyle): string =>
  command({
    ask: "unfreeze",
    with: freeze !== undefined && "environment" in freeze ? { environment: freeze.environment } : {},
  });

const reconcileCommand = ({ environment, vmid }: LedgerStatus["blocked"][number], { command }: TextStyle): string =>
  command({ ask: "reconcile", with: { environment, vmid } });

const reconcileText = (settleBy: LedgerStatus["at"], since: Pick<TextStyle, "now">): string =>
  settleBy > since.now ? `can be reconciled ${whenText(settleBy, since)}` : "can be reconciled now";
