// dedalus ledger unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.

import { unlockedJson } from "../../service/json/ledger-json.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { unlockedLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = (given, io) =>
  actOnLedger(
    given,
    io,
    ({ unlock }) => unlock,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: unlockedJson(value),
      text: () => unlockedLines(value, record?.actor?.id),
    }),
  );
