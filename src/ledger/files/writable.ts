// Whether a file can be made or a folder written to, found out by doing it. Why not is the system's own error.
//
// What must be writable is tested before anything is claimed. Not here: writing whole files for an operator
// (cli/files/files.ts).

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What could not be written whole goes again; what stood there before stays, and so does what is no file at all. */
export const removeOurs = (path: string, error: unknown): void => {
  if (!NOT_OURS.has((error as NodeJS.ErrnoException).code ?? "")) rmSync(path, { force: true });
};
const NOT_OURS: ReadonlySet<string> = new Set(["EEXIST", "ENOTDIR"]);

/** As much as a small file takes: an empty one can be made on a full disk. */
const PROBE = "\n".repeat(4_096);

/** Why this file could not be made, found out by making it; it is gone again. One that is there already stays. */
export const probeFile = (path: string): unknown => {
  try {
    writeFileSync(path, PROBE, { flag: "wx", mode: 0o600 });
  } catch (error) {
    removeOurs(path, error);
    return error;
  }
  rmSync(path, { force: true });
  return undefined;
};

/** Why nothing can be written into this folder. */
export const probeFolder = (folder: string): unknown => probeFile(join(folder, `.dedalus-${process.pid}.probe`));

/** Why a file of this folder cannot grow; whether others can be made beside it is not asked. */
export const probeDisk = (folder: string): unknown => {
  const error = probeFolder(folder);
  return FULL.has((error as NodeJS.ErrnoException | undefined)?.code ?? "") ? error : undefined;
};
const FULL: ReadonlySet<string> = new Set(["EDQUOT", "ENOSPC", "EROFS"]);
