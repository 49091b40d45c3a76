// The whole ledger as lines of JSON: first the key, then parts of files, and an end that says what they come to.
// What ends without an end is not whole.

import { refusedBy } from "../../service/answer.ts";
import { errorJson } from "../../service/json/error-json.ts";
import type { LedgerExport } from "../../service/read/export.ts";
import type { DoorGiven } from "./door-given.ts";
import { sendRefused, tagOf } from "./reply-answer.ts";
import type { Serve } from "./serve-operation.ts";
import { STREAM_BOUNDS, writePiece } from "./stream-body.ts";

const NDJSON_TYPE = "application/x-ndjson; charset=utf-8";
const ROUTE = "/v1/export";

async function* linesOf({ key, pieces }: LedgerExport): AsyncGenerator<object> {
  yield { key, kind: "key" };
  for await (const piece of pieces) {
    if (piece.kind === "bytes")
      yield { bytes: Buffer.from(piece.bytes).toString("base64"), file: piece.file, kind: piece.kind };
    else if (piece.kind === "broken") yield { kind: piece.kind, ...errorJson(refusedBy(piece.refusal)) };
    else yield piece;
  }
}

export const serveExport =
  ({ service, streams = STREAM_BOUNDS, telemetry }: DoorGiven): Serve<"export"> =>
  async ({ caller, request }, _, reply) => {
    const answer = await service.export(caller, request);
    if (answer.kind === "refused") return sendRefused(reply, answer);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Readonly<Record<string, string>>),
      "content-type": NDJSON_TYPE,
      etag: tagOf(answer.head),
    });
    const cut = (): void => telemetry.happened({ cause: "slow", kind: "stream-cut", route: ROUTE });
    for await (const line of linesOf(answer.value))
      if (!(await writePiece(raw, `${JSON.stringify(line)}\n`, streams, cut))) return reply;
    raw.end();
    return reply;
  };
