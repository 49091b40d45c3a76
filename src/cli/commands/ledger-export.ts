// dedalus ledger export: the whole ledger as files that a stranger can verify with the public key alone.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { problem } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { unwritableFolder } from "../../ledger/files/writable.ts";
import { exportObstacle, isWrittenTo, writeExport } from "../../ledger/write/export-folder.ts";
import type { LedgerExport } from "../../service/read/export.ts";
import { atService, refusalOutcome, refusedOutcome } from "../at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failure.ts";
import { pathIn } from "../files.ts";
import { ownPathProblem } from "../out-file.ts";
import type { Outcome } from "../outcome.ts";

export const run: CommandRun = async (given, io) => {
  const out = (given.text.get("out") ?? "").replace(/(?<=.)\/+$/, "");
  const folder = pathIn(io.folder, out);
  const whole = { column: 1, field: "", file: out, line: 1 };
  const shared = ownPathProblem(given, io, out);
  if (shared !== undefined) return badInput([shared]);
  const obstacle = exportObstacle(folder);
  if (obstacle !== undefined) return badInput([problem("file-exists", whole, { cause: obstacle })]);
  const parent = dirname(folder);
  const error = existsSync(parent) ? unwritableFolder(parent) : undefined;
  if (error !== undefined) return badInput([problem("file-unwritable", whole, { cause: fileCause(error) })]);
  return atService(given, io, async ({ caller, service, watch }) => {
    const answer = await service.export(caller, { isKept: isWrittenTo(folder) }, watch);
    if (answer.kind === "refused") return refusedOutcome(answer);
    try {
      return await writeFolder(folder, out, answer.value);
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      return badInput([problem("file-unwritable", whole, { cause: fileCause(error) })]);
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
    text: () => [
      `wrote ${out}: ${size} records, ${blobs} blobs, signed checkpoint`,
      `root ${root}`,
      `key  ${key}`,
      "Hand on the key by another way than the folder. Anybody checks it with:",
      `  dedalus ledger verify --export ${out} --key '${key}'`,
    ],
  };
};
