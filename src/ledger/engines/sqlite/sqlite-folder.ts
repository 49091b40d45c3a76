// A file whose name is not on the disk is not there after a power cut, however often the file itself was synced.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Brings the names in the folder of this file to the disk. */
export const syncFolderOf = (file: string): void => {
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
