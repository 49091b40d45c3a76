// The lines of a page of records as what is shown of them, in chain order: records, the places between them where some
// are not shown or are missing, and what does not hold. Each line is hashed and, where the one before is there, linked.
//
// A record that a filter or a role leaves out is a gap; where nothing is left out, a gap is a loss. What stands behind
// a broken place is shown and marked. Not here: signed roots, which only a whole walk meets (walk-service.ts).

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import type { RecordSeen } from "../../boundary/contract/seen-record.ts";
import { hexOf } from "./byte-texts.ts";
import { leafDigest } from "./grown-tree.ts";
import { readLine } from "./read-line.ts";

export type RecordEntry = {
  readonly hash: string;
  /** It stands behind a broken place of the same page. */
  readonly isUnproven: boolean;
  readonly kind: "record";
  readonly record: RecordSeen;
  readonly text: string;
};
export type LedgerEntry =
  | RecordEntry
  | { readonly from: number; readonly kind: "gap"; readonly to: number; readonly why: "missing" | "not-shown" }
  | { readonly flaw: FlawSeen; readonly kind: "broken"; readonly seq: number };

export type EntriesGiven = {
  readonly from: number;
  /** Records may be left out: by a filter, or because they are not seen. */
  readonly isSome: boolean;
  readonly lines: readonly Uint8Array[];
  /** The first seq that is not asked for, or that the ledger does not have; undefined where another page follows. */
  readonly to?: number;
};

export const ledgerEntries = ({ from, isSome, lines, to }: EntriesGiven): readonly LedgerEntry[] => {
  const entries: LedgerEntry[] = [];
  let next = from;
  let isBroken = false;
  let before: { readonly hash: string; readonly seq: number } | undefined;
  const broken = (seq: number, flaw: FlawSeen): void => {
    entries.push({ flaw, kind: "broken", seq });
    isBroken = true;
  };
  const gapBefore = (seq: number): void => {
    if (seq <= next) return;
    entries.push({ from: next, kind: "gap", to: seq - 1, why: isSome ? "not-shown" : "missing" });
    isBroken ||= !isSome;
  };
  for (const line of lines) {
    const read = readLine(line);
    const hash = hexOf(leafDigest(line));
    if (read.kind === "flaw") {
      broken(next, read.flaw);
      before = { hash, seq: next };
      next += 1;
      continue;
    }
    const { record, text } = read;
    gapBefore(record.seq);
    if (record.seq < next) broken(next, { cause: "out-of-order", facts: { seqThere: record.seq, size: next } });
    else if (before?.seq === record.seq - 1 && before.hash !== record.prev)
      broken(record.seq, {
        cause: "link-broken",
        facts: { before: before.seq, hash: before.hash, prev: record.prev },
      });
    entries.push({ hash, isUnproven: isBroken, kind: "record", record, text });
    before = { hash, seq: record.seq };
    next = Math.max(next, record.seq) + 1;
  }
  if (to !== undefined) gapBefore(to);
  return entries;
};
