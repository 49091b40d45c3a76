// dedalus status: what policies tighten, open intents, blocked VMs, freezes, and what was last seen. It reads, and disturbs
// nothing.

import { statusJson } from "../../service/json/intent-json.ts";
import type { LedgerStatus } from "../../service/read/status.ts";
import type { Policy } from "../../spine/plan/safety.ts";
import { present } from "../../spine/values/present.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { counted } from "../views/counted.ts";
import type { Paint } from "../views/paint.ts";
import { policyText } from "../views/view-policy.ts";
import { reAnchoredText } from "../views/view-re-anchored.ts";

export const run: CommandRun = async (given, io) => {
  const [environment, vmid] = [given.text.get("env"), given.text.get("vm")];
  return asking(
    given,
    io,
    ({ status }) => status,
    present({ environment, vmid }),
    async ({ value }) => {
      const endText = await endTextFor(value);
      return {
        exit: isWaiting(value) ? "outcome" : "done",
        json: statusJson(value),
        text: (paint) => [...value.policies.map(policyLine), ...statusLines(value, endText, paint)],
      };
    },
  );
};

/** What nobody knows the outcome of yet waits for somebody. */
const isWaiting = ({ blocked, overdue }: LedgerStatus): boolean => blocked.length > 0 || overdue.length > 0;

const policyLine = ({ environment, tighten }: { readonly environment: string } & Pick<Policy, "tighten">): string =>
  `policy of ${environment}: ${policyText({ tighten })}`;

type Ended = LedgerStatus["last"][number];

/** The words of outcomes are loaded where there is one. */
const endTextFor = async ({ blocked, last }: LedgerStatus): Promise<(intent: Ended) => string> => {
  if ([...blocked, ...last].every(({ end }) => end === undefined)) return () => "";
  const { outcomeText } = await import("../../spine/words/outcome-words.ts");
  return ({ end }) => (end === undefined ? "" : outcomeText(end));
};

const statusLines = (
  { blocked, freezes, last, observations, open, overdue, reAnchored, records }: LedgerStatus,
  endText: (intent: Ended) => string,
  paint: Paint,
): readonly string[] => [
  ...freezes.map(({ by, reason, where }) => `FROZEN ${where} by ${by}: ${reason}`),
  ...open.map((intent) => {
    const late = overdue.includes(intent.id) ? "; deadline passed; the next write records it as unknown" : "";
    return `open     VM ${intent.vmid} ${intent.action} ${intent.name}, until ${intent.settleBy}${late}  intent ${intent.id}`;
  }),
  ...blocked.flatMap((intent) => [
    `BLOCKED  VM ${intent.vmid} ${intent.name}: outcome of ${intent.action} is unknown: ${endText(intent)}`,
    `         after ${intent.settleBy}: ${paint.command({ ask: "reconcile", with: { environment: intent.environment, vmid: intent.vmid } })}`,
  ]),
  ...last.map(
    (intent) =>
      `${(intent.end?.outcome ?? "open").padEnd(8)} VM ${intent.vmid} ${intent.action} ${intent.name}: ${endText(intent)}`,
  ),
  ...observations.map(
    ({ environment, id, observedAt }) =>
      `last observation of ${environment}: ${observedAt ?? "at an unknown time"}  (${id})`,
  ),
  ...(reAnchored === undefined ? [] : [`ledger ${reAnchoredText(reAnchored)}`]),
  `${open.length} open, ${blocked.length} blocked, ${freezes.length} frozen; ${counted(records, "record")}`,
];
