// dedalus ledger export: the whole ledger as files that a stranger can verify with the public key alone.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { problem } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { unwritableFolder } from "../../ledger/files/writable.ts";
import { exportLedger, exportObstacle } from "../../ledger/write/export.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { pathIn } from "../files.ts";
import { progress } from "../io.ts";
import { atLedger, kernelRefused, readerAt } from "../ledger-desk.ts";

export const run: Run = async (given, io) => {
  const out = (given.text.get("out") ?? "").replace(/(?<=.)\/+$/, "");
  const folder = pathIn(io.folder, out);
  const whole = { column: 1, field: "", file: out, line: 1 };
  const obstacle = exportObstacle(folder);
  if (obstacle !== undefined) return badInput([problem("file-exists", whole, { cause: obstacle })]);
  const parent = dirname(folder);
  const error = existsSync(parent) ? unwritableFolder(parent) : undefined;
  if (error !== undefined) return badInput([problem("file-unwritable", whole, { cause: fileCause(error) })]);
  return atLedger(given, io, "read", async (ledger, desk) => {
    const reader = await readerAt(ledger, desk, "export");
    if ("code" in reader) return kernelRefused([reader]);
    const [{ engine }, { signer }] = [ledger, desk];
    try {
      const exported = await exportLedger(engine, signer, folder, (records, of) =>
        progress(io, `exporting ${records} of ${of} records`),
      );
      const { blobs, root, size } = exported;
      return {
        exit: "done",
        json: { ...exported, folder: out, key: signer.vkey },
        text: () => [
          `wrote ${out}: ${size} records, ${blobs} blobs, signed checkpoint`,
          `root ${root}`,
          `key  ${signer.vkey}`,
          "Hand on the key by another way than the folder. Anybody checks it with:",
          `  dedalus ledger verify --export ${out} --key '${signer.vkey}'`,
        ],
      };
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      return badInput([problem("file-unwritable", whole, { cause: fileCause(error) })]);
    }
  });
};
