// dedalus ledger unseal: a sealed ledger goes on because its operator states that the copy is gone.

import { refuse } from "../../spine/rules/refusals.ts";
import { actingOnLedger } from "../at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";

export const run: CommandRun = async (given, io) => {
  if (!given.flags.has("copy-gone"))
    return badInput([refuse("usage", { cause: "copy-gone-unsaid", facts: { argument: "--copy-gone" } })]);
  return actingOnLedger(
    given,
    io,
    ({ unseal }) => unseal,
    { isCopyGone: true, reason: given.text.get("reason") ?? "" },
    ({ record, value: { copy, name, seal, seq } }) => ({
      exit: "done",
      json: { copy, frozen: true, seal, seq },
      text: (paint) => [
        `${name} goes on after the seal of record ${seal}`,
        `the copy ${copy} is void for ever; never open it again`,
        "everything is frozen; lift it when you have looked:",
        `  ${paint.command({ ask: "unfreeze", with: {} })}`,
        `record ${seq}: ledger.unseal by ${record?.actor.id}`,
      ],
    }),
  );
};
