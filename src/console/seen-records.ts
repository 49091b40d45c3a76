// What this tab has been shown of the ledger so far: the hash of each record, the most records that the service said it
// has, and the public key that the person pasted. What comes later is held against it.
//
// It lives as long as the tab does and nowhere else: another ledger is noticed, and nothing is stored.

import { createContext, useContext } from "react";

export type SeenRecords = {
  readonly hashes: Map<number, string>;
  /** A vkey, as it was pasted; empty where none was. */
  key: string;
  size: number;
};

export const SeenRecordsHeld = createContext<SeenRecords | undefined>(undefined);

export const nothingSeen = (): SeenRecords => ({ hashes: new Map(), key: "", size: 0 });

export const useSeenRecords = (): SeenRecords => {
  const seen = useContext(SeenRecordsHeld);
  if (seen === undefined) throw new Error("the console holds what was seen");
  return seen;
};

/** Whether another record was shown at this place before; the first one is what later ones are held against. */
export const isOtherThanSeen = (seen: SeenRecords, seq: number, hash: string): boolean => {
  const before = seen.hashes.get(seq);
  if (before === undefined) seen.hashes.set(seq, hash);
  return before !== undefined && before !== hash;
};

/** The most records that were there before, where there are fewer of them by now. */
export const lessThanSeen = (seen: SeenRecords, size: number): number | undefined => {
  const before = seen.size;
  seen.size = Math.max(before, size);
  return size < before ? before : undefined;
};
