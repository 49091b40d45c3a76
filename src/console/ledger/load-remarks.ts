// The remarks about records, each a record of its own behind the one that it is about, in the same environment.

import { remarkIn } from "../../boundary/contract/seen-record.ts";
import type { ReadHead, Unheard } from "../ask/get.ts";
import { RECORDS_PAGE, readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { ledgerEntries, type RecordEntry } from "../verify/ledger-entries.ts";

export type RemarksRead = {
  readonly head?: ReadHead;
  /** Why these may not be all of them; absent where they are. */
  readonly lack?: RemarksLack;
  readonly remarks: readonly RecordEntry[];
};

export type RemarksLack = {
  /** Up to here they were read; undefined where all of them came. */
  readonly from?: number;
  /** Rows that came and cannot be read. */
  readonly unreadable: number;
};

/** `about` are ids of records; `from` is where the first of them stands, `to` the size of the ledger that is shown. */
export const loadRemarks = async (
  about: ReadonlySet<string>,
  place: { readonly environment?: string | undefined; readonly from: number; readonly to?: number },
  signal: AbortSignal,
): Promise<RemarksRead | Unheard> => {
  const remarks: RecordEntry[] = [];
  const { environment, to } = place;
  let unreadable = 0;
  for (let { from } = place; ; ) {
    const path = recordsPath({ ...(environment && { environment }), from, kind: "annotate", ...(to && { to }) });
    const heard = await readServiceBytes(path, signal);
    if (heard.kind !== "bytes") return heard;
    const { lines, refused, torn } = divideRecords(heard.bytes);
    const entries = ledgerEntries({ from, isSome: true, lines });
    const records = entries.filter((entry) => entry.kind === "record");
    remarks.push(...records.filter(({ record }) => about.has(remarkIn(record)?.about ?? "")));
    unreadable += entries.filter(({ kind }) => kind === "broken").length;
    const last = records.at(-1)?.record.seq;
    const next = last === undefined ? from : last + 1;
    const isWhole = refused === undefined && torn === undefined;
    // Behind a row that cannot be read nobody knows where to go on.
    const isEnd = isWhole && lines.length < RECORDS_PAGE;
    if (isEnd || !isWhole || last === undefined) {
      const lack = { ...(!isEnd && { from: next }), unreadable };
      return { ...(heard.head && { head: heard.head }), ...((!isEnd || unreadable > 0) && { lack }), remarks };
    }
    from = next;
  }
};
