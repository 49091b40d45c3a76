// Answers and problems as replies: status, headers, body. What is sent is what was made, byte for byte: no schema
// picks from it on the way.

import type { FastifyReply } from "fastify";
import type { OkAnswer, RefusedAnswer } from "../../service/answer.ts";
import { PROBLEM_TYPE, type ProblemJson, problemJson } from "../contract/problem-json.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** The head that an answer stands on, as an entity tag. */
export const tagOf = ({ hash, size }: OkAnswer<unknown>["head"]): string => `"${size}-${hash}"`;

/** Of an answer that stands on a ledger; one that was asked of a provider alone has no head. */
export const setAnswerHeaders = (reply: FastifyReply, { head, record, replayed }: OkAnswer<unknown>): void => {
  if (head.size > 0) reply.header("etag", tagOf(head));
  if (record !== undefined) reply.header("dedalus-record", String(record.seq));
  if (replayed) reply.header("idempotency-replayed", "true");
};

export const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).header("content-type", JSON_TYPE).send(JSON.stringify(body));

export const sendProblem = (reply: FastifyReply, problem: ProblemJson): FastifyReply => {
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="dedalus"');
  if (problem.status === 429 || problem.status === 503) reply.header("retry-after", retryAfter(problem));
  return reply.code(problem.status).header("content-type", PROBLEM_TYPE).send(JSON.stringify(problem));
};

const retryAfter = ({ refusals: [first] }: ProblemJson): string => String(first?.facts["seconds"] ?? 1);

export const sendRefused = (reply: FastifyReply, answer: RefusedAnswer): FastifyReply => {
  if (answer.replayed === true) reply.header("idempotency-replayed", "true");
  return sendProblem(reply, problemJson(answer, reply.request.id));
};
