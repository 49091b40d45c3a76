// dedalus ledger unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.

import { visible } from "../../formats/field-path.ts";
import { actingOnLedger } from "../at-ledger.ts";
import type { Run } from "../command.ts";

export const run: Run = (given, io) =>
  actingOnLedger(
    given,
    io,
    ({ unlock }) => unlock,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value: { name, ...value } }) => ({
      exit: "done",
      json: value,
      text: () => [
        `${name} takes writes again`,
        ...(value.said === undefined ? [] : [`it was readOnly: ${visible(value.said)}`]),
        `record ${value.seq}: ledger.unlock by ${record?.actor.id}`,
      ],
    }),
  );
