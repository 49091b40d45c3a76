// Several reads that one page stands on: of one head, or not shown at all.
//
// The ledger may move on between two of them. Then all are read again, a few times: reading changes nothing. Where it
// moves on each time, that is said, and no page is put together from two states. Keeps P7-D1.

import type { ReadAnswer } from "./get.ts";

/** The ledger moved on while it was read. */
export type MovedOn = { readonly kind: "moved-on" };

const TIMES = 4;

/** Each of them names its head but one that is refused; a ledger without records is a head of its own. */
const headsOf = (heard: readonly ReadAnswer<unknown>[]): ReadonlySet<string> =>
  new Set(heard.flatMap((one) => (one.kind === "read" ? [one.head?.hash ?? ""] : [])));

export const readTogether = async <T extends readonly [ReadAnswer<unknown>, ...ReadAnswer<unknown>[]]>(
  readAll: () => Promise<T>,
): Promise<MovedOn | T> => {
  for (let times = TIMES; times > 0; times -= 1) {
    const heard = await readAll();
    if (headsOf(heard).size < 2) return heard;
  }
  return { kind: "moved-on" };
};
