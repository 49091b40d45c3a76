// Everybody whom a serving process tells: one loop for each receiver of the configuration, begun with the process and
// ended with it.
//
// Not here: one receiver's messages (deliver-to.ts), what is told (webhook-message.ts).

import { isEndpoint } from "../../formats/dedalus/dedalus-fields.ts";
import type { SecretRef } from "../../formats/dedalus/dedalus-guards.ts";
import type { WebhookConfig } from "../../formats/dedalus/dedalus-webhooks.ts";
import type { RecordPiece } from "../../service/read/records.ts";
import type { Service } from "../../service/service.ts";
import type { Refusal } from "../../spine/model.ts";
import { cursorPath } from "./cursor-file.ts";
import { type DeliveryGiven, deliverTo, type LedgerFeed, type Receiver, type RecordLine } from "./deliver-to.ts";
import { signingKeyOf, slackRequest, standardRequest } from "./webhook-request.ts";

export type Deliveries = {
  /** Breaks off what is under way; the next process begins with it. */
  readonly close: () => Promise<void>;
  /** The next record of each receiver's messages, by the receiver's name. */
  readonly positions: () => ReadonlyMap<string, number>;
};

type DeliveriesGiven = DeliveryGiven & {
  /** The file of the saved state; what is kept for receivers stands beside it. */
  readonly savedState: string;
  readonly secret: (ref: SecretRef) => string | Refusal;
  readonly webhooks: readonly WebhookConfig[];
};

export const openDeliveries = (given: DeliveriesGiven): Deliveries => {
  const ending = new AbortController();
  const positions = new Map<string, number>();
  const loops = given.webhooks.map((webhook, at) => {
    const receiver = receiverOf(webhook, at, given);
    return deliverTo(receiver, given, (next) => positions.set(receiver.name, next), ending.signal);
  });
  return {
    close: async () => {
      ending.abort();
      await Promise.all(loops);
    },
    positions: () => positions,
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
