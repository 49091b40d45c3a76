// One request of the service, as it came in: who asks, under which key, and what. Everything that can be wrong with
// it before the service is asked is found here, in one order: who, then how, then what.
//
// Whoever shows no credential is told nothing of what else is wrong. Not here: the head (request-head.ts), limits
// (caller-limits.ts).

import type { FastifyReply, FastifyRequest } from "fastify";
import { isUlid } from "../../ledger/record/ulid.ts";
import { type RefusedAnswer, refusedInput } from "../../service/answer.ts";
import type { Caller, CallerCredential } from "../../service/hold/callers.ts";
import { present } from "../../spine/values/present.ts";
import type { RequestAt, RoutedOperation } from "../contract/routes.ts";
import { unfitRequest } from "./door-refusal.ts";
import { callerOf, keyOf } from "./request-caller.ts";
import { requestOf } from "./request-check.ts";
import { queryIn } from "./request-head.ts";
import { jsonBodyOf } from "./strict-body.ts";

export type Query = ReadonlyMap<string, readonly string[]>;
export type AskedRequest<K extends RoutedOperation> = {
  readonly caller: Caller;
  readonly query: Query;
  readonly request: RequestAt<K>;
};

const JSON_MEDIA = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;
export const isJsonMedia = (type: string): boolean => JSON_MEDIA.test(type);
const SEQ = /^(?:0|[1-9][0-9]{0,15})$/;

/** Aborts when whoever asked is gone before they were answered. */
export const leavingOf = ({ raw }: FastifyReply): AbortSignal => {
  const left = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
};

/** A number that a door takes for itself; undefined where it is not given. */
export const numberAt = (query: Query, name: string, max: number): number | RefusedAnswer | undefined => {
  const given = query.get(name);
  if (given === undefined) return undefined;
  const [text = "", ...more] = given;
  const number = Number(text);
  return more.length === 0 && SEQ.test(text) && number <= max
    ? number
    : unfitRequest({ cause: "parameter-wrong", facts: { found: given.join().slice(0, 100), name } });
};

/** Nothing of a body that is not JSON by its own word is looked at. */
export const jsonBodyIn = (request: FastifyRequest) => {
  const bytes = Buffer.isBuffer(request.body) ? request.body : undefined;
  if (bytes === undefined || bytes.length === 0) return jsonBodyOf(undefined);
  const { method } = request;
  if (method !== "POST") return unfitRequest({ cause: "body-unwanted", facts: { method } });
  const found = request.headers["content-type"] ?? "of no type";
  return isJsonMedia(found)
    ? jsonBodyOf(bytes)
    : unfitRequest({ cause: "media-type", facts: { found: found.slice(0, 100) } });
};

/** `own` are parameters that the route takes for itself. */
export const askedIn = <K extends RoutedOperation>(
  operation: K,
  credential: CallerCredential,
  request: FastifyRequest,
  reply: FastifyReply,
  own: readonly string[] = [],
): AskedRequest<K> | RefusedAnswer => {
  const key = keyOf(request.method, request.headers);
  if (typeof key === "object") return key;
  const query = queryIn(request.raw.url ?? "");
  if (query === undefined)
    return unfitRequest({ cause: "parameter-wrong", facts: { found: "no text", name: "query" } });
  const atLeast = numberAt(query, "at-least", Number.MAX_SAFE_INTEGER);
  if (typeof atLeast === "object") return atLeast;
  const body = jsonBodyIn(request);
  if (body.kind === "refused") return body;
  if (body.kind === "bad") return refusedInput(body.problems);
  const params = request.params as Readonly<Record<string, string>>;
  const asked = requestOf(operation, { body: body.value, params, query }, own);
  if (isRefusedRequest(asked)) return asked;
  const correlationId = isUlid(request.id) ? request.id : undefined;
  return {
    caller: callerOf(credential, { signal: leavingOf(reply), ...present({ atLeast, correlationId, key }) }),
    query,
    request: asked,
  };
};

const isRefusedRequest = (asked: unknown): asked is RefusedAnswer =>
  typeof asked === "object" && asked !== null && "refusals" in asked && "domain" in asked;
