// A blob, byte for byte as it was stored: canonical JSON, whatever it is of. It never changes under its digest, so that
// a copy is good for ever, for whoever was let in to have it.

import type { DoorGiven } from "./door-given.ts";
import { JSON_TYPE, sendRefused } from "./reply-answer.ts";
import { isKnown, type Serve } from "./serve-operation.ts";

const KEPT = "private, max-age=31536000, immutable";

export const serveBlob =
  ({ service }: DoorGiven): Serve<"blob"> =>
  async ({ caller, request: asked }, request, reply) => {
    const answer = await service.blob(caller, asked);
    if (answer.kind === "refused") return sendRefused(reply, answer);
    const { bytes, digest } = answer.value;
    const tag = `"${digest}"`;
    reply.header("etag", tag).header("cache-control", KEPT);
    if (isKnown(request, tag)) return reply.code(304).send();
    return reply.code(200).header("content-type", JSON_TYPE).send(Buffer.from(bytes));
  };
