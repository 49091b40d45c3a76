// A gate lets so many works through at a time; the rest wait their turn, first come first served.

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export const gate = (slots: number): Gate => {
  // Read from `first` on: taking the head out of an array of thousands moves all the others.
  let waiting: (() => void)[] = [];
  let first = 0;
  let free = slots;
  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting[first];
    if (next === undefined) {
      free += 1;
      waiting = [];
      first = 0;
      return;
    }
    first += 1;
    next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
