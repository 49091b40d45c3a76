// Whether a folder can be written where somebody wants one: it is not there or empty, and its parent takes files.
//
// Asked before a ledger is read, so that nobody waits for a walk that could not be kept.

import { dirname } from "node:path";
import { type Problem, problem, wholeFile } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { probeFolder } from "../../ledger/files/writable.ts";
import { findExportObstacle } from "../../ledger/write/export-folder.ts";
import type { FileNamed } from "./held-against.ts";

export const probeNewFolder = ({ name, path }: FileNamed): Problem | undefined => {
  const taken = takenProblem({ name, path });
  if (taken !== undefined) return taken;
  const parent = dirname(path);
  const error = isThere(parent) ? probeFolder(parent) : undefined;
  return error === undefined ? undefined : unwritableProblem(name, error);
};

const takenProblem = ({ name, path }: FileNamed): Problem | undefined => {
  const obstacle = findExportObstacle(path);
  return obstacle === undefined ? undefined : problem("file-exists", wholeFile(name), { cause: obstacle });
};

const unwritableProblem = (name: string, error: unknown): Problem =>
  problem("file-unwritable", wholeFile(name), { cause: fileCause(error) });

/** What took the name while it was written, or what the system said; a bug rises. */
export const writeProblem = (folder: FileNamed, error: unknown): Problem => {
  if (!(error instanceof Error && "syscall" in error)) throw error;
  return takenProblem(folder) ?? unwritableProblem(folder.name, error);
};
