// The remarks about records, each a record of its own behind the one that it is about, in the same environment.

import { remarkIn } from "../../boundary/contract/seen-record.ts";
import type { ReadHead, Unheard } from "../ask/get.ts";
import { RECORDS_PAGE, readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { ledgerEntries, type RecordEntry } from "../verify/ledger-entries.ts";

export type RemarksRead = { readonly head?: ReadHead; readonly remarks: readonly RecordEntry[] };

/** `about` are ids of records; `from` is where the first of them stands, `to` the size of the ledger that is shown. */
export const loadRemarks = async (
  about: ReadonlySet<string>,
  place: { readonly environment?: string | undefined; readonly from: number; readonly to?: number },
  signal: AbortSignal,
): Promise<RemarksRead | Unheard> => {
  const remarks: RecordEntry[] = [];
  const { environment, to } = place;
  for (let { from } = place; ; ) {
    const path = recordsPath({ ...(environment && { environment }), from, kind: "annotate", ...(to && { to }) });
    const heard = await readServiceBytes(path, signal);
    if (heard.kind !== "bytes") return heard;
    const { lines } = divideRecords(heard.bytes);
    const records = ledgerEntries({ from, isSome: true, lines }).filter((entry) => entry.kind === "record");
    remarks.push(...records.filter(({ record }) => about.has(remarkIn(record)?.about ?? "")));
    const last = records.at(-1)?.record.seq;
    if (lines.length < RECORDS_PAGE || last === undefined) return { ...(heard.head && { head: heard.head }), remarks };
    from = last + 1;
  }
};
