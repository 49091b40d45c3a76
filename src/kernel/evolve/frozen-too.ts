// What a freeze adds: it stands beside those that stand already, with its own reason, until all of that place are
// lifted.
//
// A place can be frozen without end, and a state that grew with each would be a way to slow every process down: of many
// the oldest and the newest are kept, and how many are left out between them. The ledger has them all.

import { get, type PersistentMap, put } from "../state/persistent-map.ts";
import type { Freeze, Freezes } from "../state/state.ts";

/** How many of the oldest, and of the newest. */
export const FREEZES_KEPT = 16;

export const frozenToo = (freezes: PersistentMap<Freezes>, where: string, freeze: Freeze): PersistentMap<Freezes> => {
  const before = get(freezes, where);
  return put(freezes, where, before === undefined ? [freeze] : bounded([...before, freeze]));
};

const bounded = (all: Freezes): Freezes => {
  const { [FREEZES_KEPT]: gone, [FREEZES_KEPT + 1]: next } = all;
  if (all.length <= 2 * FREEZES_KEPT || gone === undefined || next === undefined) return all;
  const [first, ...oldest] = all;
  const leftOut = (gone.leftOut ?? 0) + 1;
  return [first, ...oldest.slice(0, FREEZES_KEPT - 1), { ...next, leftOut }, ...all.slice(FREEZES_KEPT + 2)];
};
