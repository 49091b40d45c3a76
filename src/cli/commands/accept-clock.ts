// dedalus accept-clock: an operator's recorded word that this machine's clock is right and the ledger's last record is
// from the future. What was counted on the clock before is void; nothing else goes on until it is said.

import { clockJson } from "../../service/json/act-json.ts";
import { spanText } from "../../spine/words/template.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { instantText } from "../views/age.ts";

export const run: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ acceptClock }) => acceptClock,
    { reason: given.text.get("reason") ?? "" },
    ({ value }) => ({
      exit: "done",
      json: clockJson(value),
      text: (style) => [
        `accepted: it is ${instantText(value.accepted)}; the last record was stamped ${spanText(value.aheadSeconds)} ahead`,
        "every plan, approval, confirmation and observation from before is void; what is open or blocked waits a full window from now",
        `record ${value.seq}: accept-clock by ${value.by}`,
        `next: ${style.command({ ask: "makePlan", with: {} })}`,
      ],
    }),
  );
