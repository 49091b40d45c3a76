// Everybody whom a serving process tells: one loop for each receiver of the configuration, as it is taken up.
//
// Whoever is taken up again as before is not interrupted. A loop that ends keeps its cursor, and no other loop begins
// on that cursor before it has. Not here: one receiver's messages (deliver-to.ts), what is told (webhook-message.ts).

import { isEndpoint } from "../../formats/dedalus/dedalus-fields.ts";
import type { SecretRef } from "../../formats/dedalus/dedalus-guards.ts";
import { type WebhookConfig, webhookSecret } from "../../formats/dedalus/dedalus-webhooks.ts";
import type { RecordPiece } from "../../service/read/records.ts";
import type { Service } from "../../service/service.ts";
import type { Refusal } from "../../spine/model.ts";
import { cursorPath } from "./cursor-file.ts";
import { type DeliveryGiven, deliverTo, type LedgerFeed, type Receiver, type RecordLine } from "./deliver-to.ts";
import type { Reached } from "./webhook-message.ts";
import { signingKeyOf, slackRequest, standardRequest } from "./webhook-request.ts";

export type Deliveries = {
  /** Breaks off what is under way; the next process begins with it. */
  readonly close: () => Promise<void>;
  /** The next record of each receiver's messages, by the receiver's name. */
  readonly positions: () => ReadonlyMap<string, number>;
  /** These and no others from then on, one request after another; nothing once it is closed. */
  readonly takeUp: (webhooks: readonly WebhookConfig[], url: string) => Promise<void>;
};

type DeliveriesGiven = Omit<DeliveryGiven, "reached"> & {
  readonly approveCommand: Reached["approveCommand"];
  /** The file of the saved state; what is kept for receivers stands beside it. */
  readonly savedState: string;
  readonly secret: (ref: SecretRef) => string | Refusal;
};

type Loop = { readonly end: () => Promise<void>; readonly name: string };

export const openDeliveries = (given: DeliveriesGiven): Deliveries => {
  const positions = new Map<string, number>();
  const loops = new Map<string, Loop>();
  let isClosed = false;
  let taken: Promise<void> = Promise.resolve();

  const begin = (webhook: WebhookConfig, at: number, url: string): Loop => {
    const ending = new AbortController();
    const receiver = receiverOf(webhook, at, given);
    const { name } = receiver;
    const reached = { approveCommand: given.approveCommand, url };
    const secret = given.secret(webhookSecret(webhook));
    // Told when it is taken up: the first message may be days away.
    if (typeof secret === "object") given.telemetry.log("webhook-halted", { cause: secret.code, receiver: name });
    const over = deliverTo(receiver, { ...given, reached }, (next) => positions.set(name, next), ending.signal);
    return {
      end: async () => {
        ending.abort();
        await over;
      },
      name,
    };
  };
  const endAllBut = async (kept: ReadonlySet<string>): Promise<void> => {
    const ending = [...loops].filter(([key]) => !kept.has(key));
    for (const [key] of ending) loops.delete(key);
    await Promise.all(ending.map(([, { end }]) => end()));
    for (const [, { name }] of ending) positions.delete(name);
  };
  const follow = async (webhooks: readonly WebhookConfig[], url: string): Promise<void> => {
    if (isClosed) return;
    const wanted = webhooks.map((webhook, at) => ({ at, key: JSON.stringify([at, url, webhook]), webhook }));
    await endAllBut(new Set(wanted.map(({ key }) => key)));
    for (const { at, key, webhook } of wanted) if (!loops.has(key)) loops.set(key, begin(webhook, at, url));
  };
  return {
    close: async () => {
      isClosed = true;
      await taken;
      await endAllBut(new Set());
    },
    positions: () => positions,
    takeUp: (webhooks, url) => {
      taken = taken.then(() => follow(webhooks, url));
      return taken;
    },
  };
};

const receiverOf = (
  webhook: WebhookConfig,
  at: number,
  { savedState, secret }: Pick<DeliveriesGiven, "savedState" | "secret">,
): Receiver => ({
  address: (message) => {
    if (webhook.format === "slack") {
      const url = secret(webhook.url);
      if (typeof url !== "string") return { unusable: url.code };
      // It comes from a secret, so no configuration has judged it.
      return isEndpoint(url) ? { request: () => slackRequest(message), url } : { unusable: "address-unusable" };
    }
    const text = secret(webhook.secret);
    if (typeof text !== "string") return { unusable: text.code };
    const key = signingKeyOf(text);
    return key === undefined
      ? { unusable: "secret-unusable" }
      : { request: (atSeconds) => standardRequest(message, key, atSeconds), url: webhook.url };
  },
  cursor: cursorPath(savedState, { format: webhook.format, url: webhook.url }),
  events: webhook.events,
  name: `${webhook.format}-${at + 1}`,
});

/** The process reads at the ledger's own files, as their operator: what it tells is chosen by the configuration. */
const ITSELF = { credential: { kind: "operator" }, door: "local" } as const;

export const ledgerFeed = ({ records }: Pick<Service, "records">): LedgerFeed => ({
  head: async () => {
    const answer = await records(ITSELF, { from: 0, to: 0 });
    return answer.kind === "ok" ? answer.head : firstOf(answer.refusals);
  },
  read: async (from, until) => {
    const answer = await records(ITSELF, { from, ...("to" in until ? { to: until.to } : { until }) });
    return answer.kind === "ok" ? piecesOf(answer.value.pieces) : firstOf(answer.refusals);
  },
});

async function* piecesOf(pieces: AsyncIterable<RecordPiece>): AsyncGenerator<RecordLine | Refusal> {
  for await (const piece of pieces) yield piece.kind === "broken" ? piece.refusal : piece;
}

const firstOf = (refusals: readonly Refusal[]): Refusal => {
  const [first] = refusals;
  if (first === undefined) throw new Error("whatever is refused has a refusal");
  return first;
};
