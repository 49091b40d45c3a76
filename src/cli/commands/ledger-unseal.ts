// dedalus ledger unseal: a sealed ledger goes on because its operator states that the copy is gone.

import { unsealedJson } from "../../service/json/ledger-json.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";

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
      text: (style) => [
        `${value.name} goes on after the seal of record ${value.seal}`,
        `the copy ${value.copy} is void for good; never open it again`,
        "plans, approvals and tokens from before are void; make a new token for everybody who needs one",
        "everything is frozen; lift the freeze once you have checked the VMs:",
        `  ${style.command({ ask: "unfreeze", with: {} })}`,
        `record ${value.seq}: ledger.unseal by ${record?.actor?.id}`,
      ],
    }),
  );
};
