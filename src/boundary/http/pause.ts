// A pause that can be ended: it resolves, and never fails.

export const pauseUntil = (ms: number, signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(undefined);
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
