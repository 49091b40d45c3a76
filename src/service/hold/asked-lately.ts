// What is asked of the file system for every request, asked once for all requests that come within a millisecond.

const LATELY_MS = 1;

export const askedLately = <T>(ask: () => T, monotonicMs: () => number): (() => T) => {
  let known: { readonly atMs: number; readonly value: T } | undefined;
  return () => {
    const atMs = monotonicMs();
    if (known === undefined || atMs - known.atMs >= LATELY_MS) known = { atMs, value: ask() };
    return known.value;
  };
};
