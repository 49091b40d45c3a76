// How things stand, as lines: freezes, what is open, what is blocked, what came of the last actions, and what was seen last.

import type { LedgerStatus } from "../../service/read/status.ts";
import { actionTitle } from "../../spine/words/steps/step-summary.ts";
import { whenText } from "./age.ts";
import { columns } from "./columns.ts";
import { counted } from "./counted.ts";
import { actionSign, outcomeSign, signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { policyText } from "./view-policy.ts";
import { reAnchoredText } from "./view-re-anchored.ts";

export type EndText = (intent: LedgerStatus["last"][number]) => string;

export const statusLines = (status: LedgerStatus, endText: EndText, style: TextStyle): readonly string[] => {
  const since = { now: status.at };
  const { blocked, freezes, last, observations, open, overdue, policies, reAnchored, records } = status;
  const rows = columns([
    ...freezes.map(({ by, reason, where }) => [
      ` ${signText("refused", style)} ${style.bold("frozen")}`,
      where,
      `by ${by}: ${reason}`,
    ]),
    ...open.map(({ action, id, name, settleBy, vmid }) => [
      ` ${actionSign(action, style)} ${style.bold("open")}`,
      `VM ${vmid}`,
      `${actionTitle(action, name)}, ${
        overdue.includes(id)
          ? `deadline passed ${whenText(settleBy, since)}; the next write records it as unknown`
          : `settles ${whenText(settleBy, since)}`
      }  intent ${id}`,
    ]),
    ...blocked.flatMap((intent) => [
      [
        ` ${signText("unknown", style)} ${style.bold("blocked")}`,
        `VM ${intent.vmid}`,
        `${actionTitle(intent.action, intent.name)}: outcome unknown: ${endText(intent)}; ${reconcileText(intent.settleBy, since)}`,
      ],
      ["", "", `  ${reconcileCommand(intent, style)}`],
    ]),
    ...last.map((intent) => [
      ` ${intent.end === undefined ? actionSign(intent.action, style) : outcomeSign(intent.end.outcome, intent.action, style)} ${intent.end?.outcome ?? "open"}`,
      `VM ${intent.vmid}`,
      `${actionTitle(intent.action, intent.name)}: ${endText(intent)}`,
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
      `${open.length} open, ${blocked.length} blocked, ${freezes.length} frozen; ${counted(records, "record")}`,
    ),
  ];
};

const reconcileCommand = ({ environment, vmid }: LedgerStatus["blocked"][number], { command }: TextStyle): string =>
  command({ ask: "reconcile", with: { environment, vmid } });

const reconcileText = (settleBy: LedgerStatus["at"], since: Pick<TextStyle, "now">): string =>
  settleBy > since.now ? `can be reconciled ${whenText(settleBy, since)}` : "can be reconciled now";
