// Records as they come from a service, page after page, and each held against the one before it here too: whoever asks
// believes no service that a line follows another. keeps N7
//
// Bytes are made anew: a record has one canonical form, and its hash is of that. Of a selection only neighbours can be
// compared. Whoever follows is woken by the stream of events, and asks for the next page from where they are. Not here:
// the chain of the whole (ledger verify).

import { ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { recordHash } from "../../ledger/record/seal.ts";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedBy, type ServiceAnswer } from "../answer.ts";
import type { ErrorJson } from "../json/error-json.ts";
import type { RecordPiece, RecordsRequest } from "../read/records.ts";
import { type ReplyGround, replyRead } from "./answer-in.ts";
import { refusalFrom } from "./refusal-values.ts";
import { ReplyCut, type SendPort } from "./send.ts";

export type RecordsPorts = ReplyGround & { readonly pause: (ms: number) => Promise<void>; readonly port: SendPort };

const PAGE_MAX = 500;
const FOLLOWED_EVERY_MS = 1_000;

type Page = { readonly error?: ErrorJson["error"]; readonly isLast: boolean; readonly records: readonly Json[] };

const readPage = async (ports: RecordsPorts, request: RecordsRequest, from: number): Promise<ServiceAnswer<Page>> => {
  const { until: _, ...wanted } = request;
  const { path } = requestWritten(ROUTES.records, { ...wanted, from });
  const reply = await ports.port.send({ headers: {}, method: "GET", path: `${path}&limit=${PAGE_MAX}` });
  if (reply.kind === "none") return refusedBy(reply.refusal);
  const { answer } = replyRead(ports, reply, "records");
  if (answer.kind === "refused") return answer;
  const { error, records } = answer.value as Omit<Page, "isLast">;
  return { ...answer, value: { ...present({ error }), isLast: reply.header("link") === undefined, records } };
};

/** What is wrong with what was asked is told before anything is shown. */
export const readRecords = async (
  ports: RecordsPorts,
  request: RecordsRequest,
): Promise<ServiceAnswer<{ readonly pieces: AsyncIterable<RecordPiece> }>> => {
  const first = await readPage(ports, request, request.from);
  if (first.kind === "refused") return first;
  return { ...first, value: { pieces: piecesFrom(ports, request, first.value) } };
};

async function* piecesFrom(ports: RecordsPorts, request: RecordsRequest, first: Page): AsyncGenerator<RecordPiece> {
  const { until } = request;
  const woken = until === undefined ? undefined : wakeful(ports, request, until);
  let before: Before | undefined;
  let from = request.from;
  for (let page: Page = first; ; ) {
    for (const one of page.records) {
      if (until?.aborted === true) return;
      const piece = pieceOf(one, before, ports.server);
      yield piece;
      if (piece.kind === "broken") return;
      before = { hash: recordHash(piece.line), seq: piece.record.seq };
      from = piece.record.seq + 1;
    }
    const [told] = page.error?.refusals ?? [];
    if (told !== undefined) {
      yield { kind: "broken", refusal: refusalFrom(told, ports.server), seq: from };
      return;
    }
    if (page.isLast && woken === undefined) return;
    if (page.isLast) await woken?.();
    if (until?.aborted === true) return;
    const next = await readPage(ports, request, from);
    if (next.kind === "refused") {
      yield { kind: "broken", refusal: firstOf(next), seq: from };
      return;
    }
    page = next.value;
  }
}

/**
 * Resolves when something was recorded, or a while has passed: a stream that ends is opened again, and one that cannot
 * be opened leaves the asking.
 */
const wakeful = (ports: RecordsPorts, request: RecordsRequest, until: AbortSignal): (() => Promise<void>) => {
  let events: AsyncIterator<Uint8Array> | undefined;
  return async () => {
    try {
      events ??= await eventsFrom(ports, request, until);
      const told = await events?.next();
      if (told !== undefined && told.done !== true) return;
    } catch (error) {
      if (!(error instanceof ReplyCut)) throw error;
    }
    events = undefined;
    if (!until.aborted) await ports.pause(FOLLOWED_EVERY_MS);
  };
};

const eventsFrom = async (
  { port }: RecordsPorts,
  { environment, from }: RecordsRequest,
  until: AbortSignal,
): Promise<AsyncIterator<Uint8Array> | undefined> => {
  const of = new URLSearchParams({ ...present({ environment }), from: String(from) });
  const reply = await port.stream({ headers: {}, method: "GET", path: `/v1/events?${of}` }, until);
  return reply.kind === "none" || reply.status !== 200 ? undefined : reply.bytes[Symbol.asyncIterator]();
};

type Before = { readonly hash: Sha256; readonly seq: number };

const firstOf = ({ refusals: [first] }: RefusedAnswer): Refusal => {
  if (first === undefined) throw new Error("what is refused says why");
  return first;
};

const broken = (seq: number, server: string): RecordPiece => ({
  kind: "broken",
  refusal: refuse("server-answer", { cause: "chain-broken", facts: { seq, server } }),
  seq,
});

/** A line that is no record, goes back, or does not link to its neighbour. */
const pieceOf = (one: Json, before: Before | undefined, server: string): RecordPiece => {
  const line = Buffer.from(canonical(one));
  const read = readRecord(line);
  const expected = before === undefined ? 0 : before.seq + 1;
  if (read.kind === "finding") return broken(expected, server);
  const { record } = read;
  return isLinked(record, before) ? { kind: "record", line, record } : broken(record.seq, server);
};

const isLinked = ({ prev, seq }: LedgerRecord, before: Before | undefined): boolean => {
  if (before === undefined) return true;
  return seq > before.seq && (seq !== before.seq + 1 || prev === before.hash);
};
