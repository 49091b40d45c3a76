// How things stand, as lines: freezes, what is open, what is blocked, what came of the last actions, and what was seen last.

import type { LedgerStatus } from "../../service/read/status.ts";
import { actionTitle } from "../../spine/words/step-summary.ts";
import { plainActions } from "./action-text.ts";
import { whenText } from "./age.ts";
import { columns } from "./columns.ts";
import { counted } from "./counted.ts";
import type { Look } from "./look.ts";
import { actionSign, outcomeSign, signText } from "./signs.ts";
import { policyText } from "./view-policy.ts";
import { reAnchoredLine } from "./view-re-anchored.ts";

export type EndText = (intent: LedgerStatus["last"][number]) => string;

export const statusLines = (status: LedgerStatus, endText: EndText, look: Look): readonly string[] => {
  const since = { now: status.at };
  const { blocked, freezes, last, observations, open, overdue, policies, reAnchored, records } = status;
  return [
    ...policies.map(({ environment, tighten }) => `policy of ${environment}: ${policyText({ tighten })}`),
    ...columns([
      ...freezes.map(({ by, reason, where }) => [
        ` ${signText("refused", look)} ${look.bold("frozen")}`,
        where,
        `by ${by}: ${reason}`,
      ]),
      ...open.map(({ action, id, name, settleBy, vmid }) => [
        ` ${actionSign(action, look)} ${look.bold("open")}`,
        `VM ${vmid}`,
        `${actionTitle(action, name)}, ${
          overdue.includes(id)
            ? `its time ended ${whenText(settleBy, since)}; the next command that writes records it as unknown`
            : `settles ${whenText(settleBy, since)}`
        }  intent ${id}`,
      ]),
      ...blocked.map((intent) => [
        ` ${signText("unknown", look)} ${look.bold("blocked")}`,
        `VM ${intent.vmid}`,
        `${actionTitle(intent.action, intent.name)}: outcome unknown: ${plainActions(endText(intent))}; ${reconcileText(intent.settleBy, since)}`,
      ]),
      ...last.map((intent) => [
        ` ${intent.end === undefined ? actionSign(intent.action, look) : outcomeSign(intent.end.outcome, intent.action, look)} ${intent.end?.outcome ?? "open"}`,
        `VM ${intent.vmid}`,
        `${actionTitle(intent.action, intent.name)}: ${plainActions(endText(intent))}`,
      ]),
    ]),
    ...observations.map(
      ({ environment, id, observedAt }) =>
        `last observation of ${environment}: ${observedAt === undefined ? "at an unknown time" : whenText(observedAt, since)}  ${id}`,
    ),
    ...(reAnchored === undefined ? [] : [`ledger ${reAnchoredLine(reAnchored, look)}`]),
    look.bold(
      `${open.length} open, ${blocked.length} blocked, ${freezes.length} frozen; ${counted(records, "record")}`,
    ),
  ];
};

const reconcileText = (settleBy: LedgerStatus["at"], since: Pick<Look, "now">): string =>
  settleBy > since.now ? `can be reconciled ${whenText(settleBy, since)}` : "can be reconciled now";
