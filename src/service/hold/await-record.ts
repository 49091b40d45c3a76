// A read that must include a record, such as the caller's own write on another instance: it waits until the ledger as
// it is followed here has that record, and no longer than a bound. keeps N1
//
// The record may be the one that makes the caller somebody, so the wait comes before the proof; how far the ledger is,
// is told after it, and to nobody who is nobody. keeps B2

import { isSize } from "../../ledger/record/record.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedBy, refusedInput } from "../answer.ts";
import type { Caller } from "./callers.ts";
import type { OpenLedger } from "./holding.ts";

/** What another instance has written is here long before. */
const WAIT_MAX_MS = 5_000;

/** Undefined when the ledger has it, or nothing was asked for. */
export const awaitRecord = async (
  { reach }: Pick<OpenLedger, "reach">,
  { atLeast: seq, signal }: Pick<Caller, "atLeast" | "signal">,
): Promise<RefusedAnswer | undefined> => {
  if (seq === undefined) return undefined;
  const stop = AbortSignal.any([AbortSignal.timeout(WAIT_MAX_MS), ...(signal === undefined ? [] : [signal])]);
  const size = await reach(isSize(seq) ? seq : 0, stop);
  if (!isSize(seq)) return refusedInput([refuse("usage", { cause: "record-unknown", facts: { seq, size } })]);
  return size > seq ? undefined : refusedBy(refuse("ledger-behind", { facts: { seq, size } }));
};
