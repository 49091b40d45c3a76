// What is kept for a day or two: the entries of today and of the day before, by the process time of the records.
//
// A kernel that remembered every plan for ever would grow with its ledger. What is over can be read in the ledger; what
// is still open (a blocked VM, an intent) is kept elsewhere, for as long as it is open.

import { drop, EMPTY, entries, get, type PersistentMap, put } from "./persistent-map.ts";

export type Recent<V> = {
  readonly day: string; // as in an instant: 2026-11-15
  readonly old: PersistentMap<V>;
  readonly young: PersistentMap<V>;
};

export const NOTHING_RECENT: Recent<never> = { day: "", old: EMPTY, young: EMPTY };

export const recall = <V>({ old, young }: Recent<V>, key: string): V | undefined => get(young, key) ?? get(old, key);

/** What is written again is young again. */
export const keep = <V>(recent: Recent<V>, key: string, value: V): Recent<V> => ({
  ...recent,
  young: put(recent.young, key, value),
});

export const forget = <V>(recent: Recent<V>, key: string): Recent<V> => ({
  ...recent,
  old: drop(recent.old, key),
  young: drop(recent.young, key),
});

export const turned = <V>(recent: Recent<V>, day: string): Recent<V> =>
  day === recent.day ? recent : { day, old: recent.young, young: EMPTY };

/** Each once, as it was written last. */
export function* recentEntries<V>({ old, young }: Recent<V>): Generator<readonly [string, V]> {
  yield* entries(young);
  for (const entry of entries(old)) if (get(young, entry[0]) === undefined) yield entry;
}
