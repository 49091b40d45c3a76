// What a freeze adds: it stands beside those that stand already, with its own reason, until all of that place are lifted.

import { get, type PersistentMap, put } from "../state/persistent-map.ts";
import type { Freeze, Freezes } from "../state/state.ts";

export const frozenToo = (freezes: PersistentMap<Freezes>, where: string, freeze: Freeze): PersistentMap<Freezes> => {
  const before = get(freezes, where);
  return put(freezes, where, before === undefined ? [freeze] : [...before, freeze]);
};
