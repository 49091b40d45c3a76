// A new anchor in the place of one that was lost. What is left of the old file is kept beside it, as evidence.
//
// Only the file that was found to be lost is replaced: of two who begin one at the same time, the second finds that of
// the first, and leaves it where it is. Not here: whether it may be (kernel), what is missing of the old one
// (anchor-loss.ts).

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { probeFolder } from "../files/writable.ts";
import { appendFirstNote } from "./anchor.ts";
import { type AnchorPlace, isSamePlace, locateAnchor } from "./anchor-place.ts";

/** Why the folder takes no new file; one that is not there is not made for the asking. */
export const probeFolderOf = (path: string): unknown => probeFolder(nearest(dirname(path)));

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

export type AnchorPaths = { readonly aside: string; readonly path: string; readonly savedState: string };
/** `lost` is what stood there when it was found to be lost. */
export type LostAnchor = AnchorPaths & { readonly lost: AnchorPlace };
/** begun, with the old file kept aside or with none there; or another one was begun meanwhile, and stays. */
export type Begun = "kept" | "nothing-kept" | "another";

/** A saved state goes first: it knows the old anchor, and would not fit the new one. */
export const beginAnew = ({ aside, lost, path, savedState }: LostAnchor, note: string): Begun => {
  if (!isSamePlace(lost, locateAnchor(path), false)) return "another";
  rmSync(savedState, { force: true });
  if (lost !== undefined) {
    renameSync(path, aside);
    // It was replaced in between: what was moved is given back.
    if (locateAnchor(aside)?.ino !== lost.ino) {
      renameSync(aside, path);
      return "another";
    }
  }
  try {
    appendFirstNote(path, note);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "another";
    throw error;
  }
  return lost === undefined ? "nothing-kept" : "kept";
};
