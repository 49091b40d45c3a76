// dedalus status: what policies tighten, open intents, blocked VMs, freezes, and what was last seen. It reads, and
// disturbs nothing.

import { statusJson } from "../../service/json/intent-json.ts";
import type { LedgerStatus } from "../../service/read/status.ts";
import { present } from "../../spine/values/present.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { type EndText, statusLines } from "../views/view-status.ts";

export const run: CommandRun = async (given, io) => {
  const [environment, vmid] = [given.text.get("env"), given.text.get("vm")];
  return askService(
    given,
    io,
    ({ status }) => status,
    present({ environment, vmid }),
    async ({ value }) => {
      const endText = await endTextFor(value);
      return {
        exit: isWaiting(value) ? "outcome" : "done",
        json: statusJson(value),
        text: (style) => statusLines(value, endText, style),
      };
    },
  );
};

/** What nobody knows the outcome of yet waits for somebody. */
const isWaiting = ({ blocked, overdue }: LedgerStatus): boolean => blocked.length > 0 || overdue.length > 0;

/** The words of outcomes are loaded where there is one. */
const endTextFor = async ({ blocked, last }: LedgerStatus): Promise<EndText> => {
  if ([...blocked, ...last].every(({ end }) => end === undefined)) return () => "";
  const { outcomeText } = await import("../../spine/words/steps/outcome-words.ts");
  return ({ end }) => (end === undefined ? "" : outcomeText(end));
};
