// dedalus ledger re-anchor: after the anchor was lost, an operator's recorded word that this ledger goes on with a new
// one.

import { reAnchoredJson } from "../../service/json/ledger-json.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { counted } from "../views/counted.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = (given, io) =>
  actOnLedger(
    given,
    io,
    ({ reAnchor }) => reAnchor,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: reAnchoredJson(value),
      text: (style) => [
        `the anchor was lost: ${becauseOf(value.loss)}`,
        `verified and accepted: ${counted(value.size, "record")}, root ${hashText(value.root, style)}`,
        `record ${value.seq}: ledger.re-anchor by ${record?.actor?.id}`,
        ...(value.kept === undefined ? [] : [`what was there is kept as ${value.kept}`]),
        `${value.anchor} begins again; keep a copy of it on another machine`,
      ],
    }),
  );
