// Chance that can be repeated: mulberry32, whose whole state is one number, so that a seed names a run.
//
// Good enough to choose and to shuffle for tests and measurements; nothing secret is ever made from it.

export type Chance = {
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** True once in so many times. */
  readonly oneIn: (times: number) => boolean;
  readonly hex: (length: number) => string;
};

export const chanceFrom = (seed: number): Chance => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    hex: (length) => {
      let text = "";
      while (text.length < length) text += next().toString(16).padStart(8, "0");
      return text.slice(0, length);
    },
    oneIn: (times) => below(times) === 0,
    pick: (list) => list[below(list.length)] ?? list[0],
  };
};

/** Fisher and Yates; the list that was given stays as it is. */
export const shuffled = <T>(list: readonly T[], chance: Chance): readonly T[] => {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
};
