// A page of the ledger: the records that the service gave, hashed, linked and held against what this tab was shown
// before. Without a place to begin, the newest are shown, also of those that fit a filter; `before` shows the newest
// before a record.

import type { ReadAnswer, Unheard } from "../ask/get.ts";
import { readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import type { Address } from "../page-address.ts";
import { isOtherThanSeen, lessThanSeen, type SeenRecords } from "../seen-records.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { type LedgerEntry, ledgerEntries } from "../verify/ledger-entries.ts";
import { newestFitting } from "./newest-fitting.ts";

/** Rows of a page. */
const LEDGER_ROWS = 100;

export type LedgerShown = {
  readonly entries: readonly LedgerEntry[];
  /** Where the page begins; nothing that fits stands before it where it is 0. */
  readonly from: number;
  /** More than there are by now; undefined where there are not fewer. */
  readonly hadBefore?: number;
  /** Where the next page begins; undefined on the last. */
  readonly next?: number;
  /** The last row cannot be read, so that nobody knows where the next page begins. */
  readonly isStuck: boolean;
  /** Records that are others than this tab was shown before. */
  readonly others: ReadonlySet<number>;
  /** Why the service gave no more. */
  readonly refused?: unknown;
  readonly size: number;
  readonly torn?: number;
};

export type LedgerFilters = Address<"ledger">["query"];

export const isFiltered = ({ before: _, from: __, ...filters }: LedgerFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined && value !== "");

/** As it was typed: what is no number is the service's to refuse. */
export const ledgerPath = (
  { before, correlation, environment, from = "0", kind, vm }: LedgerFilters,
  limit = LEDGER_ROWS,
): string =>
  recordsPath(
    {
      ...(correlation && { correlationId: correlation }),
      ...(environment && { environment }),
      from,
      ...(kind && { kind }),
      ...(before && { to: before }),
      ...(vm && { vmid: vm }),
    },
    limit,
  );

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** As it was typed, where a place was; else of the newest that fit. */
const beginOf = async (filters: LedgerFilters, signal: AbortSignal): Promise<string | Unheard> => {
  const { before = "", from } = filters;
  if (from !== undefined) return from;
  if (before !== "" && !isNumber(before)) return "0";
  const heard = await readServiceBytes(ledgerPath({ ...filters, before: "0", from: "0" }, 1), signal);
  if (heard.kind !== "bytes") return heard;
  const size = heard.head?.size ?? 0;
  const end = before === "" ? size : Math.min(size, Number(before));
  if (!isFiltered(filters)) return String(Math.max(0, end - LEDGER_ROWS));
  const pathFrom = (place: number, limit: number): string =>
    ledgerPath({ ...filters, before: String(end), from: String(place) }, limit);
  const found = await newestFitting(end, LEDGER_ROWS, pathFrom, signal);
  return typeof found === "number" ? String(found) : found;
};

export const loadLedger = async (
  filters: LedgerFilters,
  seen: SeenRecords,
  signal: AbortSignal,
): Promise<ReadAnswer<LedgerShown>> => {
  const from = await beginOf(filters, signal);
  if (typeof from !== "string") return from;
  const heard = await readServiceBytes(ledgerPath({ ...filters, from }), signal);
  if (heard.kind !== "bytes") return heard;
  if (heard.head === undefined) return { kind: "lost" };
  const { lines, refused, torn } = divideRecords(heard.bytes);
  const { size } = heard.head;
  const end = filters.before ? Math.min(size, Number(filters.before)) : size;
  const isLast = lines.length < LEDGER_ROWS;
  const isWhole = refused === undefined && torn === undefined;
  const entries = ledgerEntries({
    from: Number(from),
    isSome: isFiltered(filters),
    lines,
    ...(isLast && isWhole && { to: end }),
  });
  const records = entries.filter((entry) => entry.kind === "record");
  const others = records.filter(({ hash, record }) => isOtherThanSeen(seen, record.seq, hash));
  const last = entries.at(-1);
  // What cannot be read stands where it was expected; with a filter nobody knows where that is.
  const next = isLast ? end : last === undefined ? undefined : placeOf(last, isFiltered(filters));
  const hadBefore = lessThanSeen(seen, size);
  return {
    head: heard.head,
    kind: "read",
    text: "",
    value: {
      entries,
      from: Number(from),
      ...(hadBefore !== undefined && { hadBefore }),
      isStuck: isWhole && next === undefined,
      ...(isWhole && next !== undefined && next < size && { next }),
      others: new Set(others.map(({ record }) => record.seq)),
      ...(refused !== undefined && { refused }),
      size,
      ...(torn !== undefined && { torn }),
    },
  };
};

/** The place behind an entry. */
const placeOf = (entry: LedgerEntry, isSome: boolean): number | undefined => {
  if (entry.kind === "record") return entry.record.seq + 1;
  if (entry.kind === "gap") return entry.to + 1;
  return isSome ? undefined : entry.seq + 1;
};
