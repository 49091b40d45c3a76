// dedalus ledger re-anchor: after the anchor was lost, an operator's recorded word that this ledger goes on with a new one.

import { becauseOf } from "../../spine/words/refusal-words.ts";
import { actingOnLedger } from "../at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { counted } from "../views/counted.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = (given, io) =>
  actingOnLedger(
    given,
    io,
    ({ reAnchor }) => reAnchor,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value: { anchor, found, kept, loss, notes, reason, root, seq, size } }) => ({
      exit: "done",
      json: { anchor, found, kept, notes, reason, root, seq, size },
      text: (style) => [
        `the anchor was lost: ${becauseOf(loss)}`,
        `verified and accepted: ${counted(size, "record")}, root ${hashText(root, style)}`,
        `record ${seq}: re-anchor by ${record?.actor.id}`,
        ...(kept === undefined ? [] : [`what was there is kept as ${kept}`]),
        `${anchor} begins again; keep a copy of it on another machine`,
      ],
    }),
  );
