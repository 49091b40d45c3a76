// readPlainBytes(): the bytes of a plain file, and of nothing else.
//
// A device or a FIFO has no end or no beginning: whoever opens one waits, or reads for ever. So what stands there is
// asked first, and asked again of what was opened, without waiting for a writer.

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

class NotPlain extends Error {
  readonly code = "ENOTPLAIN";
  constructor() {
    super("it is not a plain file");
  }
}

/** Throws what the system throws, or that it is no plain file. A folder is left to the system's own words. */
export const readPlainBytes = (path: string): Buffer => {
  assertPlain(statSync(path));
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    assertPlain(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
};

/** For readers that open a file themselves. */
export const assertPlainAt = (path: string): void => assertPlain(statSync(path));

const assertPlain = (found: ReturnType<typeof fstatSync>): void => {
  if (!found.isFile() && !found.isDirectory()) throw new NotPlain();
};
