// dedalus ledger unlock: after a full disk or a failed write, take writes again; who decided so, and why, is recorded.

import { unlockedJson } from "../../service/json/ledger-json.ts";
import { visible } from "../../spine/values/invisible.ts";
import { failureText } from "../../spine/words/cause.ts";
import { READ_ONLY_WORDS } from "../../spine/words/causes/engine-words.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";

export const run: CommandRun = (given, io) =>
  actOnLedger(
    given,
    io,
    ({ unlock }) => unlock,
    { reason: given.text.get("reason") ?? "" },
    ({ record, value }) => ({
      exit: "done",
      json: unlockedJson(value),
      text: () => [
        `${value.name} takes writes again`,
        `it was read-only: ${visible(failureText(READ_ONLY_WORDS, value.why))}`,
        `record ${value.seq}: ledger.unlock by ${record?.actor?.id}`,
      ],
    }),
  );
