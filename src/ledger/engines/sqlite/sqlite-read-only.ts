// The read-only mark: why this ledger takes no writes, kept as a mark beside the database.
//
// The mark is the truth, so that a restart does not take the mark off, every process that writes this ledger sees it,
// and an operator can unlock from any of them. It is a file of its own, because the database is what cannot be written.
// Where a full disk holds not even the mark, the mark holds in this process alone.

import { closeSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ReadOnlyFailure } from "../../failure.ts";
import { openOwn } from "../../files/own-file.ts";
import { readPlainBytes } from "../../files/plain-file.ts";
import { syncFolder } from "../../files/sync-folder.ts";
import { markText, readOnlyIn } from "../../read-only-mark.ts";
import { saidBy } from "./sqlite-errors.ts";

export type ReadOnlyMark = {
  /** Closes it, and gives the cause with what became of its mark. */
  readonly close: (failure: Closing) => ReadOnlyFailure;
  readonly holding: () => ReadOnlyFailure | undefined;
  readonly open: () => void;
};

type Closing = Extract<ReadOnlyFailure, { readonly cause: "unlock-failed" | "write-failed" }>;

const read = (mark: string, known: ReadOnlyFailure): ReadOnlyFailure => {
  try {
    const text = readPlainBytes(mark).toString("utf8").trim();
    return text === "" ? known : readOnlyIn(text);
  } catch (error) {
    return { cause: "mark-unreadable", facts: { said: saidBy(error) } };
  }
};

/**
 * Whatever stands there is a mark, a link that leads nowhere too, and so is what cannot be told: only nothing is none.
 * Asked before every commit, so that nothing is thrown for the nothing that is nearly always there.
 */
const isMarked = (mark: string): boolean => {
  try {
    return lstatSync(mark, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
};

const unmarkedOf = ({ cause, facts }: Closing, error: unknown): ReadOnlyFailure => ({
  cause: `${cause}-unmarked`,
  facts: { ...facts, markSaid: saidBy(error) },
});

export const readOnlyMarkOf = (path: string): ReadOnlyMark => {
  const mark = `${path}-read-only`;
  let unmarked: ReadOnlyFailure | undefined;
  // A full disk may leave the mark empty: mark enough, but without its cause.
  let known: ReadOnlyFailure = { cause: "mark-empty", facts: {} };
  return {
    close: (failure) => {
      known = failure;
      const text = `${markText(failure)}\n`;
      try {
        const file = openOwn(mark, "w");
        try {
          writeFileSync(file, text, { flush: true });
        } finally {
          closeSync(file);
        }
        syncFolder(dirname(mark));
      } catch (error) {
        if (!isMarked(mark)) unmarked = unmarkedOf(failure, error);
      }
      return unmarked ?? failure;
    },
    holding: () => unmarked ?? (isMarked(mark) ? read(mark, known) : undefined),
    open: () => {
      rmSync(mark, { force: true });
      unmarked = undefined;
    },
  };
};
