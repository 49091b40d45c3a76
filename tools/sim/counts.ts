// How often each kind of event happened, so that a run in which nothing happens is seen for what it is.

export type Counts = {
  readonly add: (what: string, by?: number) => void;
  readonly all: () => ReadonlyMap<string, number>;
};

export const countsOf = (): Counts => {
  const counted = new Map<string, number>();
  return {
    add: (what, by = 1) => {
      counted.set(what, (counted.get(what) ?? 0) + by);
    },
    all: () => counted,
  };
};
