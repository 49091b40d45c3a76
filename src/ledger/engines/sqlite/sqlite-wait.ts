// Waiting for a lock that another connection holds, outside SQLite and within a bound, so that the process can go on.

import { isBusy } from "./sqlite-errors.ts";

const WAIT_MS = 10;
/** About five seconds: longer than any commit with its checkpoint takes. */
const WAITS_MAX = 400;

/**
 * Tries again while the database is busy; after the bound the last attempt's error rises. The attempt is all or
 * nothing.
 */
export const attemptPatiently = async <T>(attempt: () => T): Promise<T> => {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await new Promise((resume) => setTimeout(resume, WAIT_MS));
  }
  return attempt();
};
