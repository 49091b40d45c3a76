// Records as they come (server-sent events): the id of an event is its seq, and whoever comes back says by
// `Last-Event-ID` where they were. What is sent is what the caller may read, asked of the service each time: a
// token that ended, or was revoked, ends its stream.
//
// With an environment, those of it alone, for whoever has a role there. What is recorded elsewhere wakes the stream
// and sends nothing by it: heartbeats keep their own time. That other records lie between two ids can be seen. keeps B3
// Not here: who is woken when (head-follower.ts).

import type { FastifyReply } from "fastify";
import { isRefused, type RefusedAnswer } from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";
import { visible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { problemJson } from "../contract/problem-json.ts";
import { statusOfAnswer } from "../contract/statuses.ts";
import { numberAt, type Query } from "./asked-request.ts";
import type { DoorGiven } from "./door-given.ts";
import { unfitRequest } from "./door-refusal.ts";
import type { HeadFollower } from "./head-follower.ts";
import { sendRefused } from "./reply-answer.ts";
import { STREAM_BOUNDS, type StreamBounds, writePiece } from "./stream-body.ts";

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

/** What a stream takes; one that is misspelled would be a stream of everything. */
const PARAMETERS: ReadonlySet<string> = new Set(["environment", "from"]);

const strangeParameter = (query: Query): RefusedAnswer | undefined => {
  const name = [...query.keys()].find((one) => !PARAMETERS.has(one))?.slice(0, 100);
  return name === undefined ? undefined : unfitRequest({ cause: "parameter-unknown", facts: { name: visible(name) } });
};

const environmentIn = (query: Query): { readonly environment?: string } | RefusedAnswer => {
  const [environment, ...more] = query.get("environment") ?? [];
  if (more.length === 0) return present({ environment });
  const found = visible([environment, ...more].join().slice(0, 100));
  return unfitRequest({ cause: "parameter-wrong", facts: { found, name: "environment" } });
};

type Reading = Pick<DoorGiven, "monotonicMs" | "service" | "telemetry"> & {
  readonly caller: Caller;
  readonly environment?: string;
  readonly follower: HeadFollower;
  readonly reply: FastifyReply;
  readonly streams: StreamBounds;
};

const writerTo = ({ reply: { raw }, streams, telemetry }: Reading) => {
  const cut = (): void => telemetry.happened({ cause: "slow", kind: "stream-cut", route: EVENTS });
  return (piece: string): Promise<boolean> => writePiece(raw, piece, streams, cut);
};

/** Every record from a seq on that the ledger has by now; how far it came, or undefined where it ends. */
const sendFrom = async (reading: Reading, from: number): Promise<number | undefined> => {
  const { caller, environment, reply, service, telemetry } = reading;
  const write = writerTo(reading);
  // Records that were appended after the head was read are among the pieces.
  let unsent = from;
  for (let next = from; ; ) {
    const to = next + PAGE;
    const answer = await service.records(caller, { ...present({ environment }), from: next, to });
    if (answer.kind === "refused") {
      telemetry.happened({
        cause: statusOfAnswer(answer) === 401 ? "token-ended" : "refused",
        kind: "stream-cut",
        route: EVENTS,
      });
      await write(`event: problem\ndata: ${JSON.stringify(problemJson(answer, reply.request.id))}\n\n`);
      return undefined;
    }
    for await (const piece of answer.value.pieces) {
      if (piece.kind === "broken") return undefined;
      const data = Buffer.from(piece.line).toString("utf8");
      if (!(await write(`id: ${piece.record.seq}\nevent: record\ndata: ${data}\n\n`))) return undefined;
      unsent = piece.record.seq + 1;
    }
    if (to >= answer.head.size) return Math.max(unsent, answer.head.size);
    next = to;
  }
};

const follow = async (reading: Reading, from: number, left: AbortSignal): Promise<void> => {
  const {
    follower,
    monotonicMs,
    streams: { heartbeatMs },
  } = reading;
  const write = writerTo(reading);
  let beatAtMs = monotonicMs() + heartbeatMs;
  let next: number | undefined = from;
  while (next !== undefined && !left.aborted) {
    next = await sendFrom(reading, next);
    if (next === undefined) return;
    const beat = AbortSignal.timeout(Math.max(0, Math.ceil(beatAtMs - monotonicMs())));
    if (!(await follower.beyond(next, AbortSignal.any([left, beat])))) return;
    if (monotonicMs() < beatAtMs) continue;
    beatAtMs = monotonicMs() + heartbeatMs;
    if (!(await write(": alive\n\n"))) return;
  }
};

/** Resolves when the stream has ended. */
export const serveEvents = async (
  given: DoorGiven,
  follower: HeadFollower,
  {
    caller,
    lastSeen,
    query,
  }: { readonly caller: Caller; readonly lastSeen: string | undefined; readonly query: Query },
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const strange = strangeParameter(query);
  if (strange !== undefined) return sendRefused(reply, strange);
  const wanted = firstWanted(query, lastSeen);
  if (typeof wanted === "object") return sendRefused(reply, wanted);
  const of = environmentIn(query);
  if (isRefused(of)) return sendRefused(reply, of);
  const proven = await given.service.records(caller, { ...of, from: 0, to: 0 });
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
  const reading: Reading = { streams: STREAM_BOUNDS, ...given, ...of, caller, follower, reply };
  await writerTo(reading)("retry: 2000\n\n");
  await follow(reading, wanted ?? proven.head.size, left.signal);
  raw.end();
  return reply;
};
