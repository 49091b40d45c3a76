// The messages to one receiver: follows the records from its cursor on and delivers what they are told as, one after
// another.
//
// The ledger is the queue: nothing is kept in memory, nobody waits, and a receiver that hangs holds up its own
// messages alone. A cursor that the ledger does not reach, or of another ledger, begins anew at the newest record, and
// that is logged. No record is ever made here. Not here: what is told (webhook-message.ts), how often it is tried
// (deliver-message.ts).

import type { WebhookEvent } from "../../formats/dedalus/dedalus-webhooks.ts";
import type { Head } from "../../ledger/engine.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import type { Refusal } from "../../spine/model.ts";
import { bugPlace } from "../telemetry/bug-place.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor-file.ts";
import { type AttemptsGiven, deliverMessage, type MessageReceiver, restFor } from "./deliver-message.ts";
import { type Reached, toldOf } from "./webhook-message.ts";

export type RecordLine = { readonly line: Uint8Array; readonly record: LedgerRecord };

/** The ledger as it is read for messages; a refusal says why it cannot be. */
export type LedgerFeed = {
  readonly head: () => Promise<Head | Refusal>;
  /** From `from` on, those that come later too until the signal aborts; only up to `to` where that is given. */
  readonly read: (
    from: number,
    until: AbortSignal | { readonly to: number },
  ) => Promise<AsyncIterable<RecordLine | Refusal> | Refusal>;
};

export type Receiver = MessageReceiver & { readonly cursor: string; readonly events: readonly WebhookEvent[] };

export type DeliveryGiven = AttemptsGiven & {
  readonly feed: LedgerFeed;
  readonly isOwn: (instance: Ulid) => boolean;
  readonly reached: Reached;
};

const AGAIN_MS = 5_000;
/** So many records without a message are read again after a crash, at most. */
const SAVED_EVERY = 1_000;

/** Resolves when the signal aborts. `onPosition` hears which record is next. */
export const deliverTo = async (
  receiver: Receiver,
  given: DeliveryGiven,
  onPosition: (next: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { log } = given.telemetry;
  const position = positionOf(receiver, given, onPosition);
  let halted: string | undefined;
  while (!signal.aborted) {
    const cause = await followFrom(receiver, given, position, signal).catch((error: unknown) => bugPlace(error).said);
    // Once for each reason: it is tried again and again.
    if (cause !== undefined && cause !== halted && !signal.aborted)
      log("webhook-halted", { cause: "not-followed", receiver: receiver.name, said: cause });
    halted = cause;
    await restFor(AGAIN_MS, signal);
  }
};

type Position = {
  readonly at: () => Cursor | "unreadable" | undefined;
  readonly moveTo: (cursor: Cursor) => void;
  readonly save: () => void;
};

/**
 * Where the process stands, and the file beside it: one that cannot be written is told, and nobody is told twice for
 * it.
 */
const positionOf = (
  { cursor: path, name: receiver }: Receiver,
  { telemetry: { log } }: DeliveryGiven,
  onPosition: (next: number) => void,
): Position => {
  let known: Cursor | undefined;
  let saved: number | undefined;
  return {
    at: () => known ?? readCursor(path),
    moveTo: (cursor) => {
      known = cursor;
      onPosition(cursor.next);
    },
    save: () => {
      if (known === undefined || known.next === saved) return;
      try {
        writeCursor(path, known);
        saved = known.next;
      } catch (error) {
        log("webhook-halted", { cause: "cursor-unwritten", receiver, said: bugPlace(error).said });
      }
    },
  };
};

/** Why it ended, but for the signal. */
const followFrom = async (
  receiver: Receiver,
  given: DeliveryGiven,
  position: Position,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const begun = await beginAt(receiver, given, position.at());
  if ("code" in begun) return begun.code;
  position.moveTo(begun);
  position.save();
  const records = await given.feed.read(begun.next, signal);
  if ("code" in records) return records.code;
  let { intents } = begun;
  try {
    for await (const piece of records) {
      if ("code" in piece) return piece.code;
      const { line, record } = piece;
      const told = toldOf(record, intents, given.reached);
      const { message } = told;
      const isTold = message !== undefined && receiver.events.includes(message.event) && given.isOwn(message.instance);
      if (isTold && !(await deliverMessage(receiver, message, given, signal))) return undefined;
      ({ intents } = told);
      position.moveTo({ hash: recordHash(line), intents, next: record.seq + 1 });
      if (isTold || record.seq % SAVED_EVERY === 0) position.save();
    }
    return undefined;
  } finally {
    position.save();
  }
};

/** The cursor where it fits the ledger, and the newest record where there is none that does. */
const beginAt = async (
  { name: receiver }: Receiver,
  { feed, telemetry }: DeliveryGiven,
  found: ReturnType<Position["at"]>,
): Promise<Cursor | Refusal> => {
  const head = await feed.head();
  if ("code" in head) return head;
  const fresh: Cursor = { hash: head.hash, intents: {}, next: head.size };
  const cause = found === undefined || found === "unreadable" ? found : await misfit(found, head, feed);
  if (typeof cause === "object") return cause;
  if (found !== undefined && found !== "unreadable" && cause === undefined) return found;
  if (cause !== undefined) {
    const seq = typeof found === "object" ? { seq: found.next } : {};
    telemetry.log("webhook-cursor-reset", { cause, receiver, size: head.size, ...seq });
  }
  return fresh;
};

const misfit = async (
  { hash, next }: Cursor,
  head: Head,
  feed: LedgerFeed,
): Promise<"beyond-ledger" | "other-ledger" | Refusal | undefined> => {
  if (next > head.size) return "beyond-ledger";
  if (next === 0) return undefined;
  const records = await feed.read(next - 1, { to: next });
  if ("code" in records) return records;
  for await (const piece of records) {
    if ("code" in piece) return piece;
    return recordHash(piece.line) === hash ? undefined : "other-ledger";
  }
  return "other-ledger";
};
