// Instants in ascending order, of which the oldest are left out and younger ones are added, as values that never
// change.
//
// In blocks, of which all but the last are full: whatever adds one copies a block and the list of them, and not a
// thousand instants.

import type { Instant } from "../../spine/model.ts";

export type Times = {
  readonly blocks: readonly (readonly Instant[])[];
  readonly leftOut: number; // of the first block
};

export const NO_TIMES: Times = { blocks: [], leftOut: 0 };

const BLOCK = 32;

export const timesFrom = (list: readonly Instant[]): Times => list.reduce(withTime, NO_TIMES);

export const timesIn = ({ blocks, leftOut }: Times): readonly Instant[] => blocks.flat().slice(leftOut);

export const lastTime = ({ blocks }: Times): Instant | undefined => blocks.at(-1)?.at(-1);

/** `time` is none that is before the last. */
export const withTime = ({ blocks, leftOut }: Times, time: Instant): Times => {
  const last = blocks.at(-1);
  return last === undefined || last.length === BLOCK
    ? { blocks: [...blocks, [time]], leftOut }
    : { blocks: blocks.with(-1, [...last, time]), leftOut };
};

/** Those after an instant, and of these the last so many. */
export const youngest = (times: Times, since: Instant, max: number): Times => {
  const { blocks, leftOut } = times;
  const end = (blocks.length - 1) * BLOCK + (blocks.at(-1)?.length ?? 0);
  let from = Math.max(leftOut, end - max);
  while (from < end && (blocks[Math.floor(from / BLOCK)]?.[from % BLOCK] ?? since) <= since) from += 1;
  return from === leftOut ? times : { blocks: blocks.slice(Math.floor(from / BLOCK)), leftOut: from % BLOCK };
};
