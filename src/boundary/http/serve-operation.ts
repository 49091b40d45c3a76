// One operation of the service behind one route: the request as it came in, one call, the answer as it is.
//
// Not here: applies, which may be waited for (serve-apply.ts), and what is streamed (serve-records.ts,
// serve-export.ts, serve-events.ts).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { OkAnswer, RefusedAnswer, ServiceAnswer } from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";
import { errorJson } from "../../service/json/error-json.ts";
import { HEAD_HEADER } from "../contract/console-session.ts";
import { type RequestAt, ROUTES, type RoutedOperation } from "../contract/routes.ts";
import { type AnsweredOperation, BODIES, type BodyWords, type ValueAt } from "./answer-bodies.ts";
import type { AskedRequest } from "./asked-request.ts";
import type { DoorGiven } from "./door-given.ts";
import { JSON_TYPE, sendRefused, setAnswerHeaders, tagOf } from "./reply-answer.ts";
import { NOT_KEPT } from "./security-headers.ts";

export type Serve<K extends RoutedOperation> = (
  asked: AskedRequest<K>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** The service by operation: each has its own request and its own value. */
type Asking = {
  readonly [K in AnsweredOperation]: (caller: Caller, request: RequestAt<K>) => Promise<ServiceAnswer<ValueAt<K>>>;
};

/**
 * What is asked of a provider, is more than the ledger, or changes with the clock or with an instance's own anchor:
 * nothing recorded says that it is as it was.
 */
const UNTAGGED: ReadonlySet<RoutedOperation> = new Set([
  "allowances",
  "checkpoints",
  "drift",
  "examine",
  "inventory",
  "prove",
  "review",
  "rules",
  "verify",
]);

export const serveOperation =
  <K extends AnsweredOperation>(operation: K, given: DoorGiven): Serve<K> =>
  async ({ caller, request: asked }, request, reply) => {
    const service: Asking = given.service;
    const answer = await service[operation](caller, asked);
    if (answer.kind === "refused") return sendRefused(reply, answer);
    return sendAnswer(operation, answer, request, reply, given);
  };

export const sendAnswer = <K extends AnsweredOperation>(
  operation: K,
  answer: OkAnswer<ValueAt<K>>,
  request: FastifyRequest,
  reply: FastifyReply,
  words: BodyWords,
  status: number = ROUTES[operation].status,
): FastifyReply => {
  const { head } = answer;
  setAnswerHeaders(reply, UNTAGGED.has(operation) ? { ...answer, head: { ...head, size: 0 } } : answer);
  // A page names what it stands on, also where the same will not be so for long.
  if (UNTAGGED.has(operation) && head.size > 0) reply.header(HEAD_HEADER, tagOf(head));
  if (request.method === "POST") reply.header("cache-control", NOT_KEPT);
  else if (!UNTAGGED.has(operation) && isKnown(request, tagOf(head))) return reply.code(304).send();
  return reply
    .code(status)
    .header("content-type", JSON_TYPE)
    .send(textOf(operation, answer, words));
};

/** What was made of a value once: a service that gives the very same value again gives the same text. */
const TEXTS = new WeakMap<object, string>();

export const textMadeOf = (value: object): string | undefined => TEXTS.get(value);

const textOf = <K extends AnsweredOperation>(
  operation: K,
  { beside, value }: OkAnswer<ValueAt<K>>,
  words: BodyWords,
): string => {
  const known = beside === undefined ? textMadeOf(Object(value)) : undefined;
  if (known !== undefined) return known;
  const text = JSON.stringify(withBeside(BODIES[operation](value, words), beside));
  if (beside === undefined) TEXTS.set(Object(value), text);
  return text;
};

export const isKnown = ({ headers }: FastifyRequest, tag: string): boolean =>
  headers["if-none-match"]
    ?.split(",")
    .map((one) => one.trim().replace(/^W\//, ""))
    .includes(tag) ?? false;

/** What else went wrong, and changes nothing of the rest. */
const withBeside = (body: object, beside: readonly RefusedAnswer[] | undefined): object =>
  beside === undefined || beside.length === 0 ? body : { ...body, beside: beside.map(errorJson) };
