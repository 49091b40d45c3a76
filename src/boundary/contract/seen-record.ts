// A record as whoever reads its line sees it: its fields, what it came to, and the VMs that it is about.
//
// Total: a ledger may hold what another version wrote, so that every field of a body is read as if anything could be in
// it.

import { vmsNamedIn } from "../../ledger/record/concerns.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";

export type RecordSeen = LedgerRecord;

/** Granted, or refused by these; undefined where the record does not say. */
export type CameTo =
  | { readonly kind: "granted"; readonly what: string }
  | { readonly kind: "refused"; readonly refusals: readonly RefusalNamed[] };
export type RefusalNamed = { readonly code: string; readonly rule: string };

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value) as Record<string, unknown>;
const wordIn = (value: unknown): string => (typeof value === "string" ? value : "");

export const cameTo = ({ body }: RecordSeen): CameTo | undefined => {
  const { kind, refusals } = fieldsOf(body["result"]);
  if (typeof kind !== "string") return undefined;
  if (kind !== "refused") return { kind: "granted", what: kind };
  const named = Array.isArray(refusals) ? refusals.map(fieldsOf) : [];
  return { kind: "refused", refusals: named.map(({ code, rule }) => ({ code: wordIn(code), rule: wordIn(rule) })) };
};

export const vmsIn = (record: RecordSeen): readonly number[] =>
  [...vmsNamedIn(record)].sort((one, other) => one - other);

/** What a remark says and the id of the record that it is about; undefined of every other record. */
export const remarkIn = ({
  body,
  kind,
}: RecordSeen): { readonly about?: string; readonly text: string } | undefined => {
  if (kind !== "annotate") return undefined;
  const { about, text } = fieldsOf(body["request"]);
  return { ...(typeof about === "string" && { about }), text: wordIn(text) };
};
