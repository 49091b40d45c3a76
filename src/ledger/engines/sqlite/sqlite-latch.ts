// The latch: why this ledger takes no writes, kept as a mark beside the database.
//
// The mark is the truth, so that a restart does not take the latch off, every process that writes this ledger sees it,
// and an operator can re-arm from any of them. It is a file of its own, because the database is what cannot be written.
// Where a full disk holds not even the mark, the latch holds in this process alone.

import { closeSync, existsSync, rmSync, writeFileSync } from "node:fs";
import type { LatchFailure } from "../../failure.ts";
import { openOwn } from "../../files/own-file.ts";
import { plainBytes } from "../../files/plain-file.ts";
import { latchIn, markText } from "../../latch-mark.ts";
import { saidBy } from "./sqlite-errors.ts";
import { syncFolderOf } from "./sqlite-folder.ts";

export type Latch = {
  /** Closes it, and gives the cause with what became of its mark. */
  readonly close: (failure: Closing) => LatchFailure;
  readonly holding: () => LatchFailure | undefined;
  readonly open: () => void;
};

type Closing = Extract<LatchFailure, { readonly cause: "rearm-failed" | "write-failed" }>;

const read = (mark: string, known: LatchFailure): LatchFailure => {
  try {
    const text = plainBytes(mark).toString("utf8").trim();
    return text === "" ? known : latchIn(text);
  } catch (error) {
    return { cause: "mark-unreadable", facts: { said: saidBy(error) } };
  }
};

const unmarkedOf = ({ cause, facts }: Closing, error: unknown): LatchFailure => ({
  cause: `${cause}-unmarked`,
  facts: { ...facts, markSaid: saidBy(error) },
});

export const latchOf = (path: string): Latch => {
  const mark = `${path}-latched`;
  let unmarked: LatchFailure | undefined;
  // A full disk may leave the mark empty: mark enough, but without its cause.
  let known: LatchFailure = { cause: "mark-empty", facts: {} };
  return {
    close: (failure) => {
      known = failure;
      try {
        const file = openOwn(mark, "w");
        try {
          writeFileSync(file, `${markText(failure)}\n`, { flush: true });
        } finally {
          closeSync(file);
        }
        syncFolderOf(mark);
      } catch (error) {
        if (!existsSync(mark)) unmarked = unmarkedOf(failure, error);
      }
      return unmarked ?? failure;
    },
    holding: () => unmarked ?? (existsSync(mark) ? read(mark, known) : undefined),
    open: () => {
      rmSync(mark, { force: true });
      unmarked = undefined;
    },
  };
};
