// A new anchor in the place of one that was lost. What is left of the old file is kept beside it, as evidence.
//
// Not here: whether it may be (kernel), what is missing of the old one (anchor-loss.ts).

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { unwritableFolder } from "../files/writable.ts";
import { appendNote } from "./anchor.ts";

/** Why the folder takes no new file; one that is not there is not made for the asking. */
export const unwritableNear = (path: string): unknown => unwritableFolder(nearest(dirname(path)));

const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));

export type AnchorPaths = { readonly aside: string; readonly path: string; readonly savedState: string };

/** Whether anything was there to be kept. A saved state goes first: it knows the old anchor, and would not fit the new one. */
export const beginAnew = ({ aside, path, savedState }: AnchorPaths, note: string): boolean => {
  rmSync(savedState, { force: true });
  const isThere = existsSync(path);
  if (isThere) renameSync(path, aside);
  appendNote(path, note);
  return isThere;
};
