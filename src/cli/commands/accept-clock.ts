// dedalus accept-clock: an operator's recorded word that this machine's clock is right and the ledger's last record is
// from the future. What was counted on the clock before is void; nothing else goes on until it is said.

import { clockJson } from "../../service/json/act-json.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { clockAcceptedLines } from "../views/view-act.ts";

export const run: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ acceptClock }) => acceptClock,
    { reason: given.text.get("reason") ?? "" },
    ({ value }) => ({
      exit: "done",
      json: clockJson(value),
      text: (style) => clockAcceptedLines(value, style),
    }),
  );
