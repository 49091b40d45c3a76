// Waits that end: what a bug would never deliver fails its test by name, where it would otherwise hold up everything
// after it.

import assert from "node:assert/strict";

/** Far more than anything here takes, on a machine that is busy with something else too. */
const BOUND_MS = 60_000;

/** What is awaited, or the failure that it did not come. */
export const soon = async <T>(what: string, awaited: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} did not come` })), BOUND_MS);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Until it holds. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + BOUND_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `${what} did not come`);
    await new Promise((resume) => setTimeout(resume, 5));
  }
};
