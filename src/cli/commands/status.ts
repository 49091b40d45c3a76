// dedalus status: what policies tighten, open intents, blocked VMs, freezes, and what was last seen. It reads, and disturbs
// nothing.

import type { LedgerStatus } from "../../service/read/status.ts";
import type { Policy } from "../../spine/plan/safety.ts";
import { present } from "../../spine/values/present.ts";
import { notAVmid, vmidIn } from "../arguments/vmids.ts";
import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { policyText } from "../views/view-policy.ts";
import { reAnchoredText } from "../views/view-re-anchored.ts";

export const run: CommandRun = async (given, io) => {
  const word = given.text.get("vm");
  const vmid = word === undefined ? undefined : vmidIn(word);
  if (word !== undefined && vmid === undefined) return badInput([notAVmid("--vm", word)]);
  const environment = given.text.get("env");
  const request = {
    ...present({ environment, vmid }),
  };
  return asking(
    given,
    io,
    ({ status }) => status,
    request,
    async ({ value }) => {
      const endText = await endTextFor(value);
      return {
        exit: "done",
        json: value,
        text: () => [...value.policies.map(policyLine), ...statusLines(value, endText)],
      };
    },
  );
};

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
  { at, blocked, freezes, last, observations, open, reAnchored, records }: LedgerStatus,
  endText: (intent: Ended) => string,
): readonly string[] => [
  ...freezes.map(({ by, reason, where }) => `FROZEN ${where} by ${by}: ${reason}`),
  ...open.map((intent) => {
    const late = at > intent.settleBy ? "; its time is over, the next command that writes will say so" : "";
    return `open     VM ${intent.vmid} ${intent.action} ${intent.name}, until ${intent.settleBy}${late}  intent ${intent.id}`;
  }),
  ...blocked.map(
    (intent) =>
      `BLOCKED  VM ${intent.vmid} ${intent.name}: outcome of ${intent.action} is unknown: ${endText(intent)}  (reconcile after ${intent.settleBy})`,
  ),
  ...last.map(
    (intent) =>
      `${(intent.end?.outcome ?? "open").padEnd(8)} VM ${intent.vmid} ${intent.action} ${intent.name}: ${endText(intent)}`,
  ),
  ...observations.map(
    ({ environment, id, observedAt }) =>
      `last observation of ${environment}: ${observedAt ?? "at an unknown time"}  (${id})`,
  ),
  ...(reAnchored === undefined ? [] : [`ledger ${reAnchoredText(reAnchored)}`]),
  `${open.length} open, ${blocked.length} blocked, ${freezes.length} frozen; ${records} records`,
];
