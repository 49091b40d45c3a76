// What a command has done so far that nothing takes back: whether a call to a provider may have left, and whether an
// act was recorded. Exit codes separate executed from not executed by this, whatever else fails afterwards.
//
// A call counts from the moment its step is being claimed: from then on only the ledger can say what became of it.

import type { Exit } from "../exit-codes.ts";

export type DoneSoFar = {
  /** A step is being claimed: a call may leave from here on. */
  readonly claim: () => void;
  /** The claim was not granted, so that no call left on its account. */
  readonly withdraw: () => void;
  readonly mayHaveLeft: () => boolean;
  /** How to find out what becomes of the step that is under way, for whoever leaves before its outcome. */
  readonly follow: (how: string | undefined) => void;
  readonly howToFollow: () => string | undefined;
  readonly record: () => void;
  /** What was made is of use only to whoever reads this answer; how to undo it, for whoever cannot. */
  readonly showOnce: (undo: string) => void;
  readonly howToUndo: () => string | undefined;
  readonly hasRecorded: () => boolean;
};

export const nothingDoneYet = (): DoneSoFar => {
  let claims = 0;
  let isRecorded = false;
  let how: string | undefined;
  let undo: string | undefined;
  return {
    claim: () => {
      claims += 1;
    },
    follow: (text) => {
      how = text;
    },
    howToFollow: () => how,
    howToUndo: () => undo,
    hasRecorded: () => isRecorded,
    mayHaveLeft: () => claims > 0,
    record: () => {
      isRecorded = true;
    },
    showOnce: (text) => {
      undo = text;
    },
    withdraw: () => {
      claims -= 1;
    },
  };
};

/**
 * After a call may have left, a command ends with "done" or with "outcome", and with nothing that says "not executed".
 */
export const exitAfter = (exit: Exit, deeds: DoneSoFar): Exit =>
  !deeds.mayHaveLeft() || exit === "done" ? exit : "outcome";

/**
 * For output that could not be printed: what was done stays done, an answer that nobody got was not given, and what was
 * shown once to nobody waits for whoever undoes it.
 */
export const exitUnprinted = (exit: Exit, deeds: DoneSoFar): Exit => {
  if (deeds.howToUndo() !== undefined) return "outcome";
  return deeds.mayHaveLeft() || deeds.hasRecorded() || (exit !== "done" && exit !== "steps") ? exit : "input";
};
