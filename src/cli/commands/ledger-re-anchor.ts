// dedalus ledger re-anchor: after the anchor was lost, an operator's recorded word that this ledger goes on with a new
// one.

import { reAnchoredJson } from "../../service/json/ledger-json.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { anchorBegunLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = (given, io) =>
  actOnLedger(
    given,
    io,
    ({ reAnchor }) => reAnchor,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: reAnchoredJson(value),
      text: (style) => anchorBegunLines(value, record?.actor?.id, style),
    }),
  );
