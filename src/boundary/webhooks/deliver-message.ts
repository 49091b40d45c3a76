// One message to one receiver: tried a few times with growing pauses, then given up; what is older than an hour once,
// so that a receiver that comes back is not told of yesterday one try at a time.
//
// A secret or an address that cannot be used counts as a try like any other: nobody waits for ever for a file. Not
// here: which messages there are (deliver-to.ts), one request (webhook-send.ts).

import { setTimeout as sleepFor } from "node:timers/promises";
import { msOf } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { traceparentOf } from "../telemetry/trace-spans.ts";
import type { WebhookMessage } from "./webhook-message.ts";
import type { SignedRequest } from "./webhook-request.ts";
import { type Attempt, sendWebhook } from "./webhook-send.ts";

/** Where a message goes, and as what; looked up for each attempt, so that a secret can be rotated. */
type Addressed = { readonly request: (atSeconds: number) => SignedRequest; readonly url: string };

export type MessageReceiver = {
  readonly address: (message: WebhookMessage) => Addressed | { readonly unusable: string };
  /** Names it in logs and metrics; tells nothing of its address. */
  readonly name: string;
};

export type AttemptsGiven = {
  readonly nowMs: () => number;
  /** After each try that failed; the last one ends it. */
  readonly pausesMs?: readonly number[];
  readonly telemetry: Telemetry;
  readonly timeoutMs?: number;
};

const PAUSES_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 10_000;
const STALE_MS = 3_600_000;

/** False where the process ends before anything is known of it: the next one delivers it. */
export const deliverMessage = async (
  receiver: MessageReceiver,
  message: WebhookMessage,
  given: AttemptsGiven,
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
    await restFor(next, signal);
  }
  return false;
};

type Tried =
  | Extract<Attempt, { readonly kind: "delivered" }>
  | { readonly kind: "failed"; readonly cause: string; readonly status?: number };
const resultOf = (tried: Tried): string => (tried.kind === "delivered" ? "delivered" : tried.cause);

const attemptOnce = async (
  { address }: MessageReceiver,
  message: WebhookMessage,
  { nowMs, timeoutMs = TIMEOUT_MS, telemetry: { spans } }: AttemptsGiven,
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

export const restFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleepFor(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
