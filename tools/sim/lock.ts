// The lock of one simulated process at the ledger's server: taken before every claim, and lost with its connection.

export type Lock = {
  readonly isHeld: () => boolean;
  readonly lose: () => void;
  /** Gives whether it is held, and was without a gap from here on. */
  readonly take: () => () => boolean;
};

export const lockOf = (): Lock => {
  let isHeld = false;
  let losses = 0;
  return {
    isHeld: () => isHeld,
    lose: () => {
      isHeld = false;
      losses += 1;
    },
    take: () => {
      isHeld = true;
      const before = losses;
      return () => losses === before;
    },
  };
};
