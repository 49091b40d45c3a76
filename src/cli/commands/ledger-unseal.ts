// dedalus ledger unseal: a sealed ledger goes on because its operator states that the copy is gone.

import { unsealedJson } from "../../service/json/ledger-json.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { unsealedLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = async (given, io) => {
  if (!given.flags.has("copy-gone"))
    return badInput([refuse("usage", { cause: "copy-gone-unsaid", facts: { argument: "--copy-gone" } })]);
  return actOnLedger(
    given,
    io,
    ({ unseal }) => unseal,
    { isCopyGone: true, reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: unsealedJson(value),
      text: (style) => unsealedLines(value, record?.actor?.id, style),
    }),
  );
};
