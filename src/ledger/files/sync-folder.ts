// A file whose name is not on the disk is not there after a power cut, however often the file itself was synced.

import { closeSync, fsyncSync, openSync } from "node:fs";

/** Brings the names in a folder to the disk. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
