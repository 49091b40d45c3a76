// dedalus ledger join: one more instance at a ledger that others write to.

import { joinedJson } from "../../service/json/ledger-json.ts";
import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { pathIn } from "../files/files.ts";
import { joinedLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = (given, io) => {
  const textOf = (option: string): string => given.text.get(option) ?? "";
  const name = textOf("anchor");
  return actOnLedger(
    given,
    io,
    ({ join }) => join,
    { anchor: { name, path: pathIn(io.folder, name) }, key: textOf("key"), reason: textOf("reason") },
    ({ record, value }) => ({
      exit: "done",
      json: joinedJson(value),
      text: (style) => joinedLines(value, name, record?.actor?.id, style),
    }),
  );
};
