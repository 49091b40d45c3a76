// Under which ids this installation's processes have written: messages are made of their records alone, so that of
// several instances on one ledger each tells what it answered itself, and nobody is told twice.
//
// An id is in the file before its process answers anything, so that what a crash left untold is told by the next
// process. Only the newest are kept: a process that ended writes no more.

import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { readOwnText, replaceOwnText } from "./cursor-file.ts";

export type OwnInstances = { readonly add: (instance: Ulid) => void; readonly has: (instance: Ulid) => boolean };

const KEPT = 64;

/** `onUnwritten` hears of an id that could not be kept: what this process writes is told while it lives. */
export const openInstances = (savedState: string, onUnwritten: (error: unknown) => void): OwnInstances => {
  const path = `${savedState}.instances`;
  const known = new Set((readOwnText(path) ?? "").split("\n").filter(isUlid));
  return {
    add: (instance) => {
      known.add(instance);
      try {
        replaceOwnText(path, [...known].slice(-KEPT).join("\n"));
      } catch (error) {
        onUnwritten(error);
      }
    },
    has: (instance) => known.has(instance),
  };
};
