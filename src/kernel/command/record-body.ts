// The body of a record as the kernel wrote it: what was asked, from which door, and what it came to.
//
// Kinds that the kernel does not write (those of a later version) have no such body.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Sha256 } from "../../spine/model.ts";
import { isRecordKind } from "./record-kinds.ts";
import type { Door, RequestKind, Requests } from "./request.ts";
import type { Result } from "./result.ts";

export type RecordBody = {
  [K in RequestKind]: {
    readonly door: Door;
    readonly kind: K;
    readonly request: Requests[K];
    readonly result: Result;
    readonly token?: string; // the public id of the one that was shown
    readonly words?: Sha256; // the catalogue in which somebody was shown what they agreed to
  };
}[RequestKind];

/** Undefined for a kind that is not the kernel's. What it holds is judged by replay, which decides it again. */
export const bodyOf = ({ body, kind }: Pick<LedgerRecord, "body" | "kind">): RecordBody | undefined => {
  if (!isRecordKind(kind)) return undefined;
  const { door, request, result, token, words } = body as Omit<RecordBody, "kind">;
  // Set one by one, which is faster than spreading what may be absent.
  const found: { -readonly [K in keyof RecordBody]: unknown } = { door, kind, request, result };
  if (token !== undefined) found.token = token;
  if (words !== undefined) found.words = words;
  return found as RecordBody;
};

/** What a fold needs of it beside request and result. */
export const tokenIn = ({ body }: Pick<LedgerRecord, "body">): string | undefined =>
  (body as Partial<RecordBody>).token;
export const shownWordsIn = ({ body }: Pick<LedgerRecord, "body">): Sha256 | undefined =>
  (body as Partial<RecordBody>).words;
