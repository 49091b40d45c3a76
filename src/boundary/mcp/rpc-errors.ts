// Errors of the protocol: what was no message at all, and what the package refuses by itself. Each has a code of
// JSON-RPC and the correlation id of its request, because whoever reads a pipe sees no headers.
//
// Not here: refusals of the service, which are results (tool-result.ts).

import type { FastifyReply } from "fastify";
import type { RefusedAnswer } from "../../service/answer.ts";
import { problemJson } from "../contract/problem-json.ts";
import { JSON_TYPE } from "../http/reply-answer.ts";

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;

/** A text that is no JSON has another code than one that is no message. */
const NOT_JSON: ReadonlySet<string> = new Set(["key-duplicate", "text-malformed"]);

type RpcId = number | string | null;
const idIn = (message: unknown): RpcId => {
  const { id } = Object(message) as { readonly id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
};

const sendError = (reply: FastifyReply, status: number, id: RpcId, error: object): FastifyReply =>
  reply
    .code(status)
    .header("content-type", JSON_TYPE)
    .send(JSON.stringify({ error, id, jsonrpc: "2.0" }));

export const sendRpcRefused = (reply: FastifyReply, answer: RefusedAnswer): FastifyReply => {
  const data = problemJson(answer, reply.request.id);
  const code = NOT_JSON.has(answer.refusals[0]?.code ?? "") ? PARSE_ERROR : INVALID_REQUEST;
  return sendError(reply, data.status, null, { code, data, message: data.title });
};

export const sendUnserved = (reply: FastifyReply, message: unknown): FastifyReply => {
  const data = { correlationId: reply.request.id };
  return sendError(reply, 404, idIn(message), { code: METHOD_NOT_FOUND, data, message: "Method not found" });
};

const isFields = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** With the id of the request beside whatever else an error tells; a result has it already. */
const messageText = (text: string, correlationId: string): string => {
  const message = JSON.parse(text);
  const error = Object(message).error;
  if (!isFields(error)) return text;
  const { data } = Object(error);
  const told = isFields(data) ? { ...data, correlationId } : { correlationId, ...(data === undefined ? {} : { data }) };
  return JSON.stringify({ ...message, error: { ...error, data: told } });
};

/**
 * What the package said, whatever its status: of a stream each message, and nothing where nothing was asked. A line of
 * a stream ends where a line feed is, and goes on over other separators.
 */
export const withCorrelation = (text: string, type: string | undefined, correlationId: string): string => {
  if (text === "") return text;
  return type?.startsWith("text/event-stream") === true
    ? text.replaceAll(/^data: ([^\n]+)/gm, (_, data: string) => `data: ${messageText(data, correlationId)}`)
    : messageText(text, correlationId);
};
