// dedalus ledger backup: the ledger as it stands, online, as a folder that was verified before it has its name.

import { actOnLedger } from "../asking/at-ledger.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { folderNamed } from "../files/files.ts";
import { findOwnPathProblem } from "../files/out-file.ts";
import { hashText } from "../views/text-style.ts";

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
      text: (style) => [
        `backed up ${value.name} to ${value.folder}: ${value.size} records, ${value.blobs} blobs, verified`,
        `root ${hashText(value.root, style)}`,
        `key  ${value.key}`,
        `${config.signingKey} is not in it; keep a copy of that elsewhere, or nothing can be restored.`,
        "To verify the backup on another machine:",
        `  ${style.command({ ask: "verify", with: { export: value.folder, key: value.key } })}`,
      ],
    }),
  );
};
