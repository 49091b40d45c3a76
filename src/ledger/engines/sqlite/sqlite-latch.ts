// The latch: why this ledger takes no writes, kept as a mark beside the database.
//
// The mark is the truth, so that a restart does not take the latch off, every process that writes this ledger sees it,
// and an operator can re-arm from any of them. It is a file of its own, because the database is what cannot be written.
// Where a full disk holds not even the mark, the latch holds in this process alone.

import { closeSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openOwn } from "../../files/own-file.ts";
import { plainBytes } from "../../files/plain-file.ts";
import { syncFolder } from "../../files/sync-folder.ts";
import { wordsOf } from "./sqlite-errors.ts";

export type Latch = {
  readonly because: () => string | undefined;
  readonly close: (because: string) => void;
  readonly open: () => void;
};

const read = (mark: string, known: string): string => {
  try {
    return plainBytes(mark).toString("utf8").trim() || known;
  } catch (error) {
    return `a write failed, and why cannot be read: ${wordsOf(error)}`;
  }
};

export const latchOf = (path: string): Latch => {
  const mark = `${path}-latched`;
  let unmarked: string | undefined;
  // A full disk may leave the mark empty: mark enough, but without the words.
  let known = "a write failed";
  return {
    because: () => unmarked ?? (existsSync(mark) ? read(mark, known) : undefined),
    close: (because) => {
      known = because;
      try {
        const file = openOwn(mark, "w");
        try {
          writeFileSync(file, `${because}\n`, { flush: true });
        } finally {
          closeSync(file);
        }
        syncFolder(dirname(mark));
      } catch (error) {
        if (!existsSync(mark)) unmarked = `${because}; the mark beside it could not be written: ${wordsOf(error)}`;
      }
    },
    open: () => {
      rmSync(mark, { force: true });
      unmarked = undefined;
    },
  };
};
