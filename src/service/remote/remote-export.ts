// An export as it comes from a service: a line for each piece, and an end that says that it is whole. What ends without
// one is broken, and whoever writes a folder of it leaves none.
//
// Bytes travel in base64. Not here: what an export is made of (ledger/write/export-parts.ts), the folder
// (ledger/write/export-folder.ts).

import { ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import type { ExportPiece } from "../../ledger/write/export-parts.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedBy, type ServiceAnswer } from "../answer.ts";
import type { ErrorJson } from "../json/error-json.ts";
import type { LedgerExport } from "../read/export.ts";
import { headIn, problemIn, type ReplyGround } from "./answer-in.ts";
import { refusalFrom } from "./refusal-values.ts";
import { ReplyCut, type SendPort, type StreamedReply } from "./send.ts";

export type ExportPorts = ReplyGround & { readonly port: SendPort };

type Line =
  | { readonly key: string; readonly kind: "key" }
  | { readonly bytes: string; readonly file: string; readonly kind: "bytes" }
  | ({ readonly kind: "broken" } & ErrorJson)
  | {
      readonly blobs: number;
      readonly kind: "end";
      readonly note: string;
      readonly root: Sha256;
      readonly size: number;
    };

export const readExport = async (ports: ExportPorts): Promise<ServiceAnswer<LedgerExport>> => {
  const { path } = requestWritten(ROUTES.export, {});
  const reply = await ports.port.stream({ headers: {}, method: "GET", path });
  if (reply.kind === "none") return refusedBy(reply.refusal);
  if (reply.status !== 200) return refusedStream(ports, reply);
  const lines = linesIn(reply.bytes);
  const first = await lines.next();
  const begun = first.done === true ? undefined : lineIn(first.value);
  if (begun?.kind !== "key") return refusedBy(unfit(ports, reply));
  const pieces = piecesIn(ports, reply, lines);
  return { head: headIn(reply), kind: "ok", replayed: false, value: { key: begun.key, pieces } };
};

const unfit = ({ server }: ExportPorts, { status: httpStatus }: StreamedReply): Refusal =>
  refuse("server-answer", { cause: "unfit", facts: { answer: "export", httpStatus, server } });

const refusedStream = async (ports: ExportPorts, reply: StreamedReply): Promise<ServiceAnswer<never>> => {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of reply.bytes) chunks.push(chunk);
  } catch (error) {
    if (error instanceof ReplyCut) return refusedBy(error.refusal);
    throw error;
  }
  return problemIn(ports, { ...reply, bytes: Buffer.concat(chunks), kind: "whole" }).answer;
};

async function* piecesIn(
  ports: ExportPorts,
  reply: StreamedReply,
  lines: AsyncGenerator<string>,
): AsyncGenerator<ExportPiece> {
  try {
    for await (const text of lines) {
      const piece = pieceIn(lineIn(text), ports.server);
      yield piece ?? { kind: "broken", refusal: unfit(ports, reply) };
      if (piece === undefined || piece.kind !== "bytes") return;
    }
    const facts = { httpStatus: reply.status, server: ports.server };
    yield { kind: "broken", refusal: refuse("server-answer", { cause: "cut-off", facts }) };
  } catch (error) {
    if (!(error instanceof ReplyCut)) throw error;
    yield { kind: "broken", refusal: error.refusal };
  }
}

/** A path in the folder and nothing else: what a service names is where this machine writes. */
const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

const pieceIn = (line: Line | undefined, server: string): ExportPiece | undefined => {
  switch (line?.kind) {
    case "bytes":
      return FILE.test(line.file) && typeof line.bytes === "string"
        ? { bytes: Buffer.from(line.bytes, "base64"), file: line.file, kind: "bytes" }
        : undefined;
    case "broken": {
      const [told] = line.error.refusals;
      return told === undefined ? undefined : { kind: "broken", refusal: refusalFrom(told, server) };
    }
    case "end": {
      const { blobs, note, root, size } = line;
      return { blobs, kind: "end", note, root, size };
    }
    default:
      return undefined;
  }
};

const lineIn = (text: string): Line | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "kind" in value ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
};

/** What follows the last line feed is no line: it was cut off. */
async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
