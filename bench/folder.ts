// A folder for the files of one measurement, removed when it is over.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const withFolder = <T>(use: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

export const withFolderAsync = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};
