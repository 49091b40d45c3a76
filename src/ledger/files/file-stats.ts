// What stands at a path, and nothing only when the system says that nothing does.
//
// A folder that may not be searched, links in a circle, a disk that fails: none of them says that a file is not there.
// Whoever took them for that would tell a loss where there is none.

import { lstatSync, type Stats, statSync } from "node:fs";

/** Undefined when nothing is there. Throws what the system throws when it cannot be told. */
export const statFile = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};

/** For those who only look: what cannot be told is left to whoever opens it, who says why. */
export const tryStatFile = (path: string): Stats | undefined => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

/**
 * The entry that has the name, links not followed: also one that leads nowhere has it. Undefined when it cannot be
 * told.
 */
export const statEntry = (path: string): Stats | undefined => {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
};
