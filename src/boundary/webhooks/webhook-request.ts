// A message as a request: the body of its format, and the signature that Standard Webhooks asks for
// (https://github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md). Pure.
//
// A chat room reads a text in which `<` begins a link or a mention, so names cannot call anybody: the three signs of
// its markup are written as their entities. Not here: sending (webhook-send.ts).

import { createHmac } from "node:crypto";
import type { WebhookMessage } from "./webhook-message.ts";

export type SignedRequest = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/;
/** What the specification asks of a secret. */
const KEY_BYTES = { max: 64, min: 24 } as const;

/** Undefined for a text that is no secret of Standard Webhooks. */
export const signingKeyOf = (secret: string): Buffer | undefined => {
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? "", "base64");
  return key.length >= KEY_BYTES.min && key.length <= KEY_BYTES.max ? key : undefined;
};

export const signatureOf = (key: Buffer, id: string, atSeconds: number, body: string): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64")}`;

/** `atSeconds` is when this attempt is made: a receiver drops what is too old. */
export const standardRequest = (message: WebhookMessage, key: Buffer, atSeconds: number): SignedRequest => {
  const { correlationId, data, event, id, seq, text, timestamp } = message;
  const body = JSON.stringify({ data: { ...data, correlationId, record: seq, text }, timestamp, type: event });
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-signature": signatureOf(key, id, atSeconds, body),
      "webhook-timestamp": String(atSeconds),
    },
  };
};

export const slackRequest = ({ text }: WebhookMessage): SignedRequest => ({
  body: JSON.stringify({ text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") }),
  headers: { "content-type": "application/json" },
});
