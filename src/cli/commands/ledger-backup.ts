// dedalus ledger backup: the ledger as it stands, online, as a folder that was verified before it has its name.

import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { folderNamed } from "../files/files.ts";
import { findOwnPathProblem } from "../files/out-file.ts";
import { backedUpLines } from "../views/view-ledger-act.ts";

export const run: CommandRun = async (given, io) => {
  const to = folderNamed(io.folder, given.text.get("to") ?? "");
  const shared = findOwnPathProblem(given, io, to.name);
  if (shared !== undefined) return badInput([shared]);
  return actOnLedger(
    given,
    io,
    ({ backup }) => backup,
    { to },
    ({ value }, { config }) => ({
      exit: "done",
      json: value,
      text: (style) => backedUpLines(value, config.signingKey, style),
    }),
  );
};
