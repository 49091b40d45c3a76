// A page of the ledger: the records that the service gave, hashed, linked and held against what this tab was shown
// before. Without a place to begin, the newest are shown; with a filter, from the first that fits.

import type { ReadAnswer } from "../ask/get.ts";
import { readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import type { Address } from "../page-address.ts";
import { isOtherThanSeen, lessThanSeen, type SeenRecords } from "../seen-records.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { type LedgerEntry, ledgerEntries } from "../verify/ledger-entries.ts";

/** Rows of a page. */
export const LEDGER_ROWS = 100;

export type LedgerShown = {
  readonly entries: readonly LedgerEntry[];
  readonly from: number;
  /** More than there are by now; undefined where there are not fewer. */
  readonly hadBefore?: number;
  /** Where the next page begins; undefined on the last. */
  readonly next?: number;
  /** Records that are others than this tab was shown before. */
  readonly others: ReadonlySet<number>;
  /** Why the service gave no more. */
  readonly refused?: unknown;
  readonly size: number;
  readonly torn?: number;
};

export type LedgerFilters = Address<"ledger">["query"];

export const isFiltered = ({ from: _, ...filters }: LedgerFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined && value !== "");

/** As it was typed: what is no number is the service's to refuse. */
export const ledgerPath = (
  { correlation, environment, from = "0", kind, vm }: LedgerFilters,
  limit = LEDGER_ROWS,
): string =>
  recordsPath(
    {
      ...(correlation && { correlationId: correlation }),
      ...(environment && { environment }),
      from,
      ...(kind && { kind }),
      ...(vm && { vmid: vm }),
    },
    limit,
  );

const beginOf = async (filters: LedgerFilters, signal: AbortSignal): Promise<string> => {
  if (filters.from !== undefined || isFiltered(filters)) return filters.from ?? "0";
  const heard = await readServiceBytes(recordsPath({ from: 0, to: 0 }, 1), signal);
  return heard.kind === "bytes" ? String(Math.max(0, (heard.head?.size ?? 0) - LEDGER_ROWS)) : "0";
};

export const loadLedger = async (
  filters: LedgerFilters,
  seen: SeenRecords,
  signal: AbortSignal,
): Promise<ReadAnswer<LedgerShown>> => {
  const from = await beginOf(filters, signal);
  const heard = await readServiceBytes(ledgerPath({ ...filters, from }), signal);
  if (heard.kind !== "bytes") return heard;
  if (heard.head === undefined) return { kind: "lost" };
  const { lines, refused, torn } = divideRecords(heard.bytes);
  const { size } = heard.head;
  const isLast = lines.length < LEDGER_ROWS;
  const isWhole = refused === undefined && torn === undefined;
  const entries = ledgerEntries({
    from: Number(from),
    isSome: isFiltered(filters),
    lines,
    ...(isLast && isWhole && { to: size }),
  });
  const records = entries.filter((entry) => entry.kind === "record");
  const others = records.filter(({ hash, record }) => isOtherThanSeen(seen, record.seq, hash));
  const last = records.at(-1)?.record.seq;
  const hadBefore = lessThanSeen(seen, size);
  return {
    head: heard.head,
    kind: "read",
    text: "",
    value: {
      entries,
      from: Number(from),
      ...(hadBefore !== undefined && { hadBefore }),
      ...(!isLast && last !== undefined && { next: last + 1 }),
      others: new Set(others.map(({ record }) => record.seq)),
      ...(refused !== undefined && { refused }),
      size,
      ...(torn !== undefined && { torn }),
    },
  };
};
