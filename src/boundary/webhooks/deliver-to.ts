// The messages to one receiver: follows the records from its cursor on and delivers what they are told as, one after
// another.
//
// The ledger is the queue: nothing is kept in memory, nobody waits, and a receiver that hangs holds up its own
// messages alone. Each message is tried a few times with growing pauses and then given up; what is older than an hour
// once, so that a receiver that comes back is not told of yesterday one try at a time. A cursor that the ledger does
// not reach, or of another ledger, begins anew at the newest record, and that is logged. No record is ever made here.
// Not here: what is told (webhook-message.ts).

import { setTimeout as sleepFor } from "node:timers/promises";
import type { WebhookEvent } from "../../formats/dedalus/dedalus-webhooks.ts";
import type { Head } from "../../ledger/engine.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import type { Refusal } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { traceparentOf } from "../telemetry/trace-spans.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor-file.ts";
import { type Reached, toldOf, type WebhookMessage } from "./webhook-message.ts";
import type { SignedRequest } from "./webhook-request.ts";
import { type Attempt, sendWebhook } from "./webhook-send.ts";

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

/** Where a message goes, and as what; looked up for each attempt, so that a secret can be rotated. */
type Addressed = { readonly request: (atSeconds: number) => SignedRequest; readonly url: string };

export type Receiver = {
  readonly address: (message: WebhookMessage) => Addressed | { readonly unusable: string };
  readonly cursor: string;
  readonly events: readonly WebhookEvent[];
  /** Names it in logs and metrics; tells nothing of its address. */
  readonly name: string;
};

export type DeliveryGiven = {
  readonly feed: LedgerFeed;
  readonly isOwn: (instance: Ulid) => boolean;
  readonly nowMs: () => number;
  /** After each try that failed; the last one ends it. */
  readonly pausesMs?: readonly number[];
  readonly reached: Reached;
  readonly telemetry: Telemetry;
  readonly timeoutMs?: number;
};

const PAUSES_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 10_000;
const STALE_MS = 3_600_000;
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
  let halted: string | undefined;
  while (!signal.aborted) {
    const cause = await followFrom(receiver, given, onPosition, signal).catch((error: unknown) => String(error));
    // Once for each reason: it is tried again and again.
    if (cause !== undefined && cause !== halted && !signal.aborted)
      log("webhook-halted", { cause: "not-followed", receiver: receiver.name, said: cause });
    halted = cause;
    await pause(AGAIN_MS, signal);
  }
};

/** Why it ended, but for the signal. */
const followFrom = async (
  receiver: Receiver,
  given: DeliveryGiven,
  onPosition: (next: number) => void,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const begun = await beginAt(receiver, given);
  if ("code" in begun) return begun.code;
  let cursor: Cursor = begun;
  let saved = cursor.next;
  onPosition(cursor.next);
  const records = await given.feed.read(cursor.next, signal);
  if ("code" in records) return records.code;
  try {
    for await (const piece of records) {
      if ("code" in piece) return piece.code;
      const { line, record } = piece;
      const { intents, message } = toldOf(record, cursor.intents, given.reached);
      const isTold = message !== undefined && receiver.events.includes(message.event) && given.isOwn(message.instance);
      if (isTold && !(await deliver(receiver, message, given, signal))) return undefined;
      cursor = { hash: recordHash(line), intents, next: record.seq + 1 };
      onPosition(cursor.next);
      if (isTold || cursor.next - saved >= SAVED_EVERY) {
        writeCursor(receiver.cursor, cursor);
        saved = cursor.next;
      }
    }
    return undefined;
  } finally {
    if (cursor.next !== saved) writeCursor(receiver.cursor, cursor);
  }
};

/** The cursor where it fits the ledger, and the newest record where there is none that does. */
const beginAt = async (receiver: Receiver, { feed, telemetry }: DeliveryGiven): Promise<Cursor | Refusal> => {
  const head = await feed.head();
  if ("code" in head) return head;
  const fresh: Cursor = { hash: head.hash, intents: {}, next: head.size };
  const found = readCursor(receiver.cursor);
  const cause = found === undefined || found === "unreadable" ? found : await misfit(found, head, feed);
  if (typeof cause === "object") return cause;
  if (found !== undefined && found !== "unreadable" && cause === undefined) return found;
  if (cause !== undefined) {
    const seq = typeof found === "object" ? { seq: found.next } : {};
    telemetry.log("webhook-cursor-reset", { cause, receiver: receiver.name, size: head.size, ...seq });
  }
  writeCursor(receiver.cursor, fresh);
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

/** False where the process ends before anything is known of it: the next one delivers it. */
const deliver = async (
  receiver: Receiver,
  message: WebhookMessage,
  given: DeliveryGiven,
  signal: AbortSignal,
): Promise<boolean> => {
  const { log, metrics } = given.telemetry;
  const { id: webhookId, event: kind, seq } = message;
  const about = { kind, receiver: receiver.name, seq, webhookId };
  const isStale = given.nowMs() - msOf(message.timestamp) > STALE_MS;
  const pausesMs = isStale ? [] : (given.pausesMs ?? PAUSES_MS);
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const beganMs = given.telemetry.monotonicMs();
    const tried = await attemptOnce(receiver, message, given, signal);
    if (signal.aborted && tried.kind !== "delivered") return false;
    metrics.count("dedalus_webhook_deliveries_total", { receiver: receiver.name, result: resultOf(tried) });
    if (tried.kind === "delivered") {
      const durationMs = Math.round(given.telemetry.monotonicMs() - beganMs);
      log("webhook-delivered", { ...about, attempt, durationMs, status: tried.status });
      return true;
    }
    const { cause, status } = tried;
    log("webhook-failed", { ...about, attempt, cause, ...(status === undefined ? {} : { status }) });
    const next = cause === "gone" ? undefined : pausesMs[attempt - 1];
    if (next === undefined) {
      log("webhook-given-up", { ...about, attempt });
      return true;
    }
    await pause(next, signal);
  }
  return false;
};

type Tried =
  | Extract<Attempt, { readonly kind: "delivered" }>
  | { readonly kind: "failed"; readonly cause: string; readonly status?: number };
const resultOf = (tried: Tried): string => (tried.kind === "delivered" ? "delivered" : tried.cause);

/** A secret that cannot be read counts as a try like any other: nobody waits for ever for a file. */
const attemptOnce = async (
  { address }: Receiver,
  message: WebhookMessage,
  { nowMs, timeoutMs = TIMEOUT_MS, telemetry: { spans } }: DeliveryGiven,
  signal: AbortSignal,
): Promise<Tried> => {
  const addressed = address(message);
  if ("unusable" in addressed) return { cause: addressed.unusable, kind: "failed" };
  const request = addressed.request(Math.floor(nowMs() / 1_000));
  const attributes = { "dedalus.event": message.event, "dedalus.seq": message.seq };
  return spans.goOn(message.correlationId, () =>
    spans.within("dedalus.webhook", "client", attributes, () => {
      const scope = spans.current();
      const traceparent = scope === undefined ? undefined : traceparentOf(scope);
      const headers = { ...request.headers, ...present({ traceparent }) };
      return sendWebhook(addressed.url, { ...request, headers }, timeoutMs, signal);
    }),
  );
};

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleepFor(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
