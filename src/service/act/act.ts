// What an act is: how it is performed, and how its value is read from the record that answers it. The same reading
// serves the first answer and every repeat of its key, so that both say the same.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { isRefused, type RefusedAnswer, type ServiceAnswer } from "../answer.ts";
import { type CommandAnswer, type Reading, readingIn, type ServiceSession } from "../hold/session.ts";

export type ServiceAct<R, T extends object> = {
  /** Its request brings the configuration, so that no record before has to: it may be the only one of its process. */
  readonly brings?: true;
  /** A no, or a stop: recorded also while its checkpoint cannot be kept. */
  readonly isBrake?: true;
  /**
   * What of a request its key is bound to at the agents' door, where keys follow from requests: the rest may be said
   * otherwise by an agent that asks again. A key that a caller chose is bound to all of it.
   */
  readonly derivedBy?: (request: R) => object;
  /**
   * What a granted answer says was done beside its record, and may not have been: done before the answer is given
   * again.
   */
  readonly mend?: (session: ServiceSession, record: LedgerRecord) => RefusedAnswer | undefined;
  /** Takes the request to the record that answers it. */
  readonly perform: (session: ServiceSession, request: R) => Promise<ServiceAnswer<T>>;
  /** What a granted record says; nothing is done. */
  readonly valueIn: (reading: Reading, record: LedgerRecord) => Promise<T | RefusedAnswer>;
};

/** Grants what was asked, with the value that its record has. */
export const answerWith = async <T extends object>(
  session: ServiceSession,
  asked: CommandAnswer,
  valueIn: ServiceAct<never, T>["valueIn"],
): Promise<ServiceAnswer<T>> =>
  asked.kind === "refused" ? asked : answerFrom(readingIn(session), asked.record, asked.replayed, valueIn);

export const answerFrom = async <T extends object>(
  reading: Reading,
  record: LedgerRecord,
  replayed: boolean,
  valueIn: ServiceAct<never, T>["valueIn"],
): Promise<ServiceAnswer<T>> => {
  const value = await valueIn(reading, record);
  return isRefused(value) ? value : { head: reading.head, kind: "ok", record, replayed, value };
};
