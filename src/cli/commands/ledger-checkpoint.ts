// dedalus ledger checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.

import { checkpointJson } from "../../service/json/act-json.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { checkpointLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ checkpoint }) => checkpoint,
    {},
    ({ value }) => ({
      exit: "done",
      json: checkpointJson(value),
      text: (style) => checkpointLines(value, style),
    }),
  );
