// Two states of the ledger: after one record, and as it is. Both are asked for by a record, so that each is the same
// whenever it is read.

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, type ReadHead, read } from "../ask/get.ts";
import { readServiceBytes, recordsPath } from "../ask/get-bytes.ts";
import { isOtherThanSeen, lessThanSeen, type SeenRecords } from "../seen-records.ts";
import { divideRecords } from "../verify/divide-records.ts";
import { ledgerEntries } from "../verify/ledger-entries.ts";

export type StateBody = AnswerBodies["stateAfter"];
export type ThenShown = {
  readonly hadBefore?: number;
  readonly isOther: boolean;
  readonly now: StateBody;
  readonly was: StateBody;
  /** The head after the record; undefined for whoever does not see it. */
  readonly wasHash?: string;
};

const hashOf = async (seq: number, signal: AbortSignal): Promise<string | undefined> => {
  const heard = await readServiceBytes(recordsPath({ from: seq, to: seq + 1 }, 1), signal);
  if (heard.kind !== "bytes") return undefined;
  const entry = ledgerEntries({ from: seq, isSome: false, lines: divideRecords(heard.bytes).lines }).at(0);
  return entry?.kind === "record" && entry.record.seq === seq ? entry.hash : undefined;
};

export const loadThen = async (
  seq: number,
  seen: SeenRecords,
  signal: AbortSignal,
): Promise<ReadAnswer<ThenShown> & { readonly head?: ReadHead }> => {
  const then = await read("stateAfter", { at: seq }, signal);
  if (then.kind !== "read") return then;
  const { head } = then;
  if (head === undefined) return { kind: "lost" };
  const now = await read("stateAfter", { at: head.size - 1 }, signal);
  if (now.kind !== "read") return now;
  const wasHash = await hashOf(seq, signal);
  const hadBefore = lessThanSeen(seen, head.size);
  return {
    head,
    kind: "read",
    text: "",
    value: {
      ...(hadBefore !== undefined && { hadBefore }),
      isOther: wasHash !== undefined && isOtherThanSeen(seen, seq, wasHash),
      now: now.value,
      was: then.value,
      ...(wasHash !== undefined && { wasHash }),
    },
  };
};
