// An incident: the records of a VM, of an undertaking or of a span, in chain order, each hashed and linked, with the
// remarks about them. It has an end: what is too long for one page is named, and is narrowed by whoever reads it.

import type { ReadAnswer, ReadHead, Unheard } from "../ask/get.ts";
import { RECORDS_PAGE, readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import { type AllowancesTold, readAllowancesAt } from "../ask/read-allowances.ts";
import { loadRemarks, type RemarksLack, type RemarksRead } from "../ledger/load-remarks.ts";
import type { Address } from "../page-address.ts";
import { isOtherThanSeen, lessThanSeen, type SeenRecords } from "../seen-records.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { type LedgerEntry, ledgerEntries, type RecordEntry } from "../verify/ledger-entries.ts";

const RECORDS_MAX = 2_000;

export type IncidentAsked = Address<"incident">["query"];

export type IncidentShown = {
  /** Of a remark on any of its records. */
  readonly allowances: AllowancesTold;
  readonly entries: readonly LedgerEntry[];
  readonly hadBefore?: number;
  /** There are more records of it than one page has. */
  readonly isCut: boolean;
  /** The last row that came cannot be read, so that nobody knows where to go on. */
  readonly isStuck: boolean;
  readonly others: ReadonlySet<number>;
  readonly records: readonly RecordEntry[];
  readonly refused?: unknown;
  readonly remarks: readonly RecordEntry[];
  readonly remarksLack?: RemarksLack;
  readonly torn?: number;
};

/** Whether anything is asked about. */
export const isIncident = ({ correlation, from, to, vm }: IncidentAsked): boolean =>
  [correlation, from, to, vm].some((value) => value !== undefined && value !== "");

/** `to` is the last record of a span, as at a command line; what is no number is the service's to refuse. */
export const incidentPath = (asked: IncidentAsked, from = asked.from ?? "0"): string => {
  const { correlation, environment, to, vm } = asked;
  return recordsPath({
    ...(correlation && { correlationId: correlation }),
    ...(environment && { environment }),
    from,
    ...(to && { to: /^\d+$/.test(to) ? Number(to) + 1 : to }),
    ...(vm && { vmid: vm }),
  });
};

const isFilteredBy = ({ correlation, environment, vm }: IncidentAsked): boolean =>
  [correlation, environment, vm].some((value) => value !== undefined && value !== "");

type Gathered = Pick<IncidentShown, "isCut" | "isStuck" | "refused" | "torn"> & {
  readonly head?: ReadHead;
  readonly lines: readonly Uint8Array[];
};

const gatherLines = async (asked: IncidentAsked, signal: AbortSignal): Promise<Gathered | Unread> => {
  const lines: Uint8Array[] = [];
  let from: string | undefined;
  for (;;) {
    const heard = await readServiceBytes(incidentPath(asked, from), signal);
    if (heard.kind !== "bytes") return { unheard: heard };
    const { lines: more, refused, torn } = divideRecords(heard.bytes);
    lines.push(...more);
    const isLast = more.length < RECORDS_PAGE || refused !== undefined || torn !== undefined;
    if (isLast || lines.length >= RECORDS_MAX)
      return {
        ...(heard.head && { head: heard.head }),
        isCut: !isLast,
        isStuck: false,
        lines,
        ...(refused !== undefined && { refused }),
        ...(torn !== undefined && { torn }),
      };
    const last = ledgerEntries({ from: 0, isSome: true, lines: more.slice(-1) }).at(-1);
    if (last?.kind !== "record") return { ...(heard.head && { head: heard.head }), isCut: false, isStuck: true, lines };
    from = String(last.record.seq + 1);
  }
};
type Unread = { readonly unheard: Exclude<ReadAnswer<never>, { readonly kind: "read" }> };

export const loadIncident = async (
  asked: IncidentAsked,
  seen: SeenRecords,
  signal: AbortSignal,
): Promise<ReadAnswer<IncidentShown>> => {
  const gathered = await gatherLines(asked, signal);
  if ("unheard" in gathered) return gathered.unheard;
  const { head, lines, ...course } = gathered;
  const isSome = isFilteredBy(asked);
  const isWhole = !course.isCut && !course.isStuck && course.refused === undefined && course.torn === undefined;
  const end = Math.min(head?.size ?? 0, asked.to ? Number(asked.to) + 1 : Number.MAX_SAFE_INTEGER);
  // Of a filtered incident the records around it are no part of it.
  const entries = ledgerEntries({
    from: Number(asked.from ?? 0),
    isSome,
    lines,
    ...(isWhole && !isSome && { to: end }),
  }).filter((entry, at) => !(isSome && at === 0 && entry.kind === "gap"));
  const records = entries.filter((entry) => entry.kind === "record");
  const others = records.filter(({ hash, record }) => isOtherThanSeen(seen, record.seq, hash));
  const about = new Set(records.map(({ record }) => record.auditId));
  // What is recorded after the head that the page names is news, and no part of it.
  const place = {
    environment: asked.environment,
    from: records[0]?.record.seq ?? 0,
    ...(head && { to: head.size }),
  };
  const told: RemarksRead | Unheard = records.length === 0 ? { remarks: [] } : await loadRemarks(about, place, signal);
  if ("kind" in told) return told;
  const allowed = records.length === 0 ? { allowances: [] } : await readAllowancesAt(head, signal);
  if ("kind" in allowed) return allowed;
  const hadBefore = head === undefined ? undefined : lessThanSeen(seen, head.size);
  return {
    ...(head && { head }),
    kind: "read",
    text: "",
    value: {
      ...allowed,
      ...course,
      entries,
      ...(hadBefore !== undefined && { hadBefore }),
      others: new Set(others.map(({ record }) => record.seq)),
      records,
      remarks: told.remarks,
      ...(told.lack && { remarksLack: told.lack }),
    },
  };
};
