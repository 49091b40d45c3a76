// The signed checkpoints that the anchor holds, a page at a time, and the newest of them: what a stranger compares a
// ledger with. Each of a page is shown with its signature verified.
//
// They are read from the anchor's own file: a process that lives long remembers few of them. Not here: signing one
// (act/ledger-checkpoint.ts), finding a page in a long file (ledger/anchor/anchored-notes.ts), whether the ledger fits
// them (verify).

import { readCheckpoint } from "../../ledger/tree/checkpoint.ts";
import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBy } from "../answer.ts";
import type { OpenLedger } from "../hold/holding.ts";

/** `from` counts the anchor's notes from 0; the newest page where it is not given. */
export type CheckpointsRequest = { readonly from?: number };
export type CheckpointShown = { readonly note: string; readonly root: Sha256; readonly size: number };
export type CheckpointList = {
  /** How many the anchor holds. */
  readonly count: number;
  /** Where this page begins. */
  readonly from: number;
  readonly key: string;
  readonly newest?: CheckpointShown;
  /** In the order in which they were signed. */
  readonly page: readonly CheckpointShown[];
};

const CHECKPOINTS_PAGE = 100;

export const listCheckpoints = async (
  { desk }: Pick<OpenLedger, "desk">,
  request: CheckpointsRequest,
): Promise<CheckpointList | RefusedAnswer> => {
  const { vkey: key } = desk.signer;
  const { count, from, newest, notes } = await desk.notes.page(request.from, CHECKPOINTS_PAGE);
  const page = shownFrom(notes, from, key);
  if ("kind" in page) return page;
  const last = shownFrom(newest === undefined ? [] : [newest], count - 1, key);
  if ("kind" in last) return last;
  const [shown] = last;
  return { count, from, key, ...(shown === undefined ? {} : { newest: shown }), page };
};

/** `from` is the place of the first of them in the anchor. */
const shownFrom = (notes: readonly string[], from: number, key: string): readonly CheckpointShown[] | RefusedAnswer => {
  const shown: CheckpointShown[] = [];
  for (const [at, note] of notes.entries()) {
    const read = readCheckpoint(note, key);
    if (read.kind === "bad")
      return refusedBy(refuse("anchor-unverified", withFacts(read.failure, { note: from + at + 1 })));
    const { root, size } = read.checkpoint;
    shown.push({ note, root, size });
  }
  return shown;
};
