// Records as they come (server-sent events): the id of an event is its seq, and whoever comes back says by
// `Last-Event-ID` where they were. What is sent is what the caller may read, asked of the service each time: a
// token that ended, or was revoked, ends its stream.
//
// Not here: who is woken when (head-follower.ts).

import type { FastifyReply } from "fastify";
import type { RefusedAnswer } from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";
import { problemJson } from "../contract/problem-json.ts";
import { numberAt, type Query } from "./asked-request.ts";
import type { DoorGiven } from "./door-given.ts";
import { unfitRequest } from "./door-refusal.ts";
import type { HeadFollower } from "./head-follower.ts";
import { sendRefused } from "./reply-answer.ts";
import { writePiece } from "./stream-body.ts";

const HEARTBEAT_MS = 15_000;
const EVENTS = "/v1/events";
const PAGE = 500;
const LAST_SEEN = /^(?:0|[1-9][0-9]{0,15})$/;

/** The first record that is wanted; undefined: from now on. */
const firstWanted = (query: Query, lastSeen: string | undefined): number | RefusedAnswer | undefined => {
  if (lastSeen === undefined) return numberAt(query, "from", Number.MAX_SAFE_INTEGER - 1);
  return LAST_SEEN.test(lastSeen)
    ? Number(lastSeen) + 1
    : unfitRequest({ cause: "header-wrong", facts: { expected: "the seq of a record", header: "Last-Event-ID" } });
};

type Reading = Pick<DoorGiven, "service" | "telemetry"> & {
  readonly caller: Caller;
  readonly follower: HeadFollower;
  readonly reply: FastifyReply;
};

/** Every record from a seq on that the ledger has by now; how far it came, or why no further. */
const sendFrom = async ({ caller, reply, service, telemetry }: Reading, from: number): Promise<number | undefined> => {
  const { raw } = reply;
  const cut = (): void => telemetry.happened({ cause: "slow", kind: "stream-cut", route: EVENTS });
  for (let next = from; ; ) {
    const to = next + PAGE;
    const answer = await service.records(caller, { from: next, to });
    if (answer.kind === "refused") {
      telemetry.happened({ cause: "token-ended", kind: "stream-cut", route: EVENTS });
      const problem = JSON.stringify(problemJson(answer, reply.request.id));
      await writePiece(raw, `event: problem\ndata: ${problem}\n\n`, cut);
      return undefined;
    }
    for await (const piece of answer.value.pieces) {
      if (piece.kind === "broken") return undefined;
      const data = Buffer.from(piece.line).toString("utf8");
      if (!(await writePiece(raw, `id: ${piece.record.seq}\nevent: record\ndata: ${data}\n\n`, cut))) return undefined;
    }
    if (to >= answer.head.size) return Math.max(from, answer.head.size);
    next = to;
  }
};

const follow = async (reading: Reading, from: number, left: AbortSignal): Promise<void> => {
  const { follower, reply } = reading;
  let next: number | undefined = from;
  while (next !== undefined && !left.aborted) {
    next = await sendFrom(reading, next);
    if (next === undefined) return;
    const beat = AbortSignal.timeout(HEARTBEAT_MS);
    await follower.beyond(next, AbortSignal.any([left, beat]));
    if (beat.aborted && !(await writePiece(reply.raw, ": alive\n\n", () => undefined))) return;
  }
};

/** Resolves when the stream has ended. */
export const serveEvents = async (
  { service, telemetry }: DoorGiven,
  follower: HeadFollower,
  {
    caller,
    lastSeen,
    query,
  }: { readonly caller: Caller; readonly lastSeen: string | undefined; readonly query: Query },
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const wanted = firstWanted(query, lastSeen);
  if (typeof wanted === "object") return sendRefused(reply, wanted);
  const proven = await service.records(caller, { from: 0, to: 0 });
  if (proven.kind === "refused") return sendRefused(reply, proven);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Readonly<Record<string, string>>),
    "cache-control": "no-store",
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  const left = new AbortController();
  raw.once("close", () => left.abort());
  const from = wanted ?? proven.head.size;
  await writePiece(raw, `retry: 2000\n\n`, () => undefined);
  await follow({ caller, follower, reply, service, telemetry }, from, left.signal);
  raw.end();
  return reply;
};
