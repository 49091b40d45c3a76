// dedalus ledger restore: a ledger where there is none, from a backup; it goes on frozen, and says what was lost.

import { restoredJson } from "../../service/json/ledger-json.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { folderNamed } from "../files/files.ts";
import { restoredLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = (given, io) => {
  const from = folderNamed(io.folder, given.text.get("from") ?? "");
  return actOnLedger(
    given,
    io,
    ({ restore }) => restore,
    { from, reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: restoredJson(value),
      text: (style) => restoredLines(value, from.name, record?.actor?.id, style),
    }),
  );
};
