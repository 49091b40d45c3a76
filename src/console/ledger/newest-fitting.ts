// Where the newest page of a filtered ledger begins. The service gives records from a place on; so the end of the
// ledger is asked first, and ever more of it, until a page of them fits or the beginning is reached.
//
// What is read grows by a factor, and then the place is halved: a rare kind costs one read of the ledger, a frequent
// one a few pages.

import type { Unheard } from "../ask/get.ts";
import { RECORDS_PAGE, readServiceBytes } from "../ask/get-bytes.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { ledgerEntries } from "../verify/ledger-entries.ts";

const FIRST_SPAN = 1_000;
const FACTOR = 4;

/** The first of the last `count` that fit before `end`; 0 where there are no more than that. */
export const newestFitting = async (
  end: number,
  count: number,
  pathFrom: (from: number, limit: number) => string,
  signal: AbortSignal,
): Promise<number | Unheard> => {
  let span = FIRST_SPAN;
  let from = Math.max(0, end - span);
  /** From `enough` on there are more than one answer has; from `tooFew` on there are fewer than `count`. */
  let [enough, tooFew] = [-1, end];
  for (;;) {
    const heard = await readServiceBytes(pathFrom(from, RECORDS_PAGE), signal);
    if (heard.kind !== "bytes") return heard;
    const { lines, refused, torn } = divideRecords(heard.bytes);
    // What is broken is shown from where it was met.
    if (refused !== undefined || torn !== undefined) return from;
    if (lines.length <= count && from === 0) return 0;
    if (lines.length >= count && lines.length < RECORDS_PAGE) return seqOf(lines.at(-count)) ?? from;
    if (lines.length < count) tooFew = from;
    else enough = from;
    if (tooFew - enough <= 1) return from;
    span *= FACTOR;
    from = enough < 0 ? Math.max(0, end - span) : Math.floor((enough + tooFew) / 2);
  }
};

const seqOf = (line: Uint8Array | undefined): number | undefined => {
  const entry = line === undefined ? undefined : ledgerEntries({ from: 0, isSome: true, lines: [line] }).at(-1);
  return entry?.kind === "record" ? entry.record.seq : undefined;
};
