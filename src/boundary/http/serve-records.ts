// Records, a page at a time: the cursor is the seq, and a page has at most 500. The next page is named by a link,
// where there may be more.
//
// Records are sent exactly as they were written. Whoever leaves ends the walk.

import type { FastifyReply } from "fastify";
import { type RefusedAnswer, refusedBy, refusedInput } from "../../service/answer.ts";
import { errorJson } from "../../service/json/error-json.ts";
import type { RecordPiece } from "../../service/read/records.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type AskedRequest, numberAt } from "./asked-request.ts";
import type { DoorGiven } from "./door-given.ts";
import { unfitRequest } from "./door-refusal.ts";
import { JSON_TYPE, sendRefused, setAnswerHeaders } from "./reply-answer.ts";
import type { Serve } from "./serve-operation.ts";

const PAGE_MAX = 500;
const PAGE = 100;
export const LIMIT = "limit";

type Page = {
  readonly broken?: Refusal;
  readonly isFull: boolean;
  readonly last: number;
  readonly lines: readonly string[];
};

export const readPage = async (
  pieces: AsyncIterable<RecordPiece>,
  limit: number,
  left: AbortSignal | undefined,
): Promise<Page> => {
  const lines: string[] = [];
  let last = -1;
  for await (const piece of pieces) {
    if (piece.kind === "broken") return { broken: piece.refusal, isFull: false, last, lines };
    lines.push(Buffer.from(piece.line).toString("utf8"));
    last = piece.record.seq;
    if (lines.length === limit) return { isFull: true, last, lines };
    if (left?.aborted === true) break;
  }
  return { isFull: false, last, lines };
};

export const serveRecords =
  (given: DoorGiven): Serve<"records"> =>
  async ({ caller, query, request: asked }, request, reply) => {
    const limit = limitIn(query);
    if (typeof limit === "object") return sendRefused(reply, limit);
    const answer = await given.service.records(caller, asked);
    if (answer.kind === "refused") return sendRefused(reply, answer);
    const { broken, isFull, last, lines } = await readPage(answer.value.pieces, limit, caller.signal);
    setAnswerHeaders(reply, answer);
    if (isFull) reply.header("link", `<${nextOf(request.raw.url ?? "", last + 1)}>; rel="next"`);
    const error = broken === undefined ? "" : `,${JSON.stringify(errorJson(refusedBy(broken))).slice(1, -1)}`;
    return reply
      .code(200)
      .header("content-type", JSON_TYPE)
      .send(`{"records":[${lines.join(",")}]${error}}`);
  };

const limitIn = (query: Parameters<typeof numberAt>[0]): number | RefusedAnswer => {
  const given = numberAt(query, LIMIT, PAGE_MAX);
  if (given === undefined) return PAGE;
  return given === 0 ? unfitRequest({ cause: "parameter-wrong", facts: { found: "0", name: LIMIT } }) : given;
};

const nextOf = (url: string, from: number): string => {
  const { pathname, searchParams } = new URL(url, "http://here");
  searchParams.set("from", String(from));
  return `${pathname}?${searchParams}`;
};

/** One record, exactly as it was written. */
export const serveRecord = async (
  { service }: DoorGiven,
  { caller, request: { seq } }: Pick<AskedRequest<"prove">, "caller" | "request">,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const answer = await service.records(caller, { from: seq, to: seq + 1 });
  if (answer.kind === "refused") return sendRefused(reply, answer);
  for await (const piece of answer.value.pieces) {
    if (piece.kind === "broken") return sendRefused(reply, refusedBy(piece.refusal));
    setAnswerHeaders(reply, answer);
    return reply.code(200).header("content-type", JSON_TYPE).send(Buffer.from(piece.line).toString("utf8"));
  }
  const facts = { seq, size: answer.head.size };
  return sendRefused(reply, refusedInput([refuse("usage", { cause: "record-unknown", facts })]));
};
