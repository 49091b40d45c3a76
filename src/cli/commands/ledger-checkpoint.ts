// dedalus ledger checkpoint: who asked for it as a record, then size and root signed and appended to the anchor.

import { asking } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ checkpoint }) => checkpoint,
    {},
    ({ record, value: { anchor, key, seq, signed } }) => ({
      exit: "done",
      json: { anchor, key, ...signed, seq },
      text: (style) => [
        `record ${seq}: ledger.checkpoint by ${record?.actor.id}`,
        `size ${signed?.size}`,
        `root ${hashText(signed?.root ?? "", style)}`,
        `signed and appended to ${anchor}`,
        `key  ${key}`,
      ],
    }),
  );
