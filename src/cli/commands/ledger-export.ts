// dedalus ledger export: the whole ledger as files that a stranger can verify with the public key alone.

import { isWrittenTo, writeExport } from "../../ledger/write/export-folder.ts";
import { probeNewFolder, writeProblem } from "../../service/ledger/new-folder.ts";
import type { LedgerExport } from "../../service/read/export.ts";
import { refusalOutcome, refusedOutcome, withService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { folderNamed } from "../files/files.ts";
import { findOwnPathProblem } from "../files/out-file.ts";
import type { Outcome } from "../outcome.ts";
import { counted } from "../views/counted.ts";
import { hashText } from "../views/text-style.ts";

export const run: CommandRun = async (given, io) => {
  const out = folderNamed(io.folder, given.text.get("out") ?? "");
  const obstacle = findOwnPathProblem(given, io, out.name) ?? probeNewFolder(out);
  if (obstacle !== undefined) return badInput([obstacle]);
  return withService(given, io, async ({ caller, service, watch }) => {
    const answer = await service.export(caller, { isKept: isWrittenTo(out.path) }, watch);
    if (answer.kind === "refused") return refusedOutcome(answer);
    try {
      return await writeFolder(out.path, out.name, answer.value);
    } catch (error) {
      return badInput([writeProblem(out, error)]);
    }
  });
};

const writeFolder = async (folder: string, out: string, { key, pieces }: LedgerExport): Promise<Outcome> => {
  const exported = await writeExport(folder, pieces);
  if ("kind" in exported) return refusalOutcome(exported.refusal);
  const { blobs, root, size } = exported;
  return {
    exit: "done",
    json: { ...exported, folder: out, key },
    text: (style) => [
      `wrote ${out}: ${counted(size, "record")}, ${counted(blobs, "blob")}, signed checkpoint`,
      `root ${hashText(root, style)}`,
      `key  ${key}`,
      "Send the key separately from the folder. To verify the export:",
      `  ${style.command({ ask: "verify", with: { export: out, key } })}`,
    ],
  };
};
