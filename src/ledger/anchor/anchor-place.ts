// Which file stands at the anchor's path, from its directory entry alone: for whoever has read the anchor and is asked
// again.
//
// It tells a file that was taken away, replaced or shortened since. Not here: what is in it (anchor-fit.ts); whether it
// can be appended to (anchor.ts).

import { statSync } from "node:fs";

/** Nothing where no file can be found. */
export type AnchorPlace =
  | { readonly changedMs: number; readonly dev: number; readonly ino: number; readonly size: number }
  | undefined;

export const locateAnchor = (path: string): AnchorPlace => {
  try {
    const { ctimeMs: changedMs, dev, ino, size } = statSync(path);
    return { changedMs, dev, ino, size };
  } catch (error) {
    if ("syscall" in Object(error)) return undefined;
    throw error;
  }
};

/**
 * An anchor that was whole is the same while no byte of it is gone: others append to it. One that was not may be
 * mended.
 */
export const isSamePlace = (was: AnchorPlace, now: AnchorPlace, wasWhole: boolean): boolean => {
  if (was === undefined || now === undefined) return was === now;
  if (was.dev !== now.dev || was.ino !== now.ino) return false;
  return wasWhole ? now.size >= was.size : now.size === was.size && now.changedMs === was.changedMs;
};
