// From a reply to an answer: a body that fits its published schema, a problem that is one of ours, or the refusal that
// it is neither. keeps P7-F1
//
// What stands around a body is in headers: the head that it stands on, the record that answers, whether it was answered
// before. Not here: the value of a body (answer-values.ts), what is sent (ask-service.ts).

import { PROBLEM_TYPE, type ProblemJson } from "../../boundary/contract/problem-json.ts";
import type { Head } from "../../ledger/engine.ts";
import { GENESIS } from "../../ledger/record/record.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { present } from "../../spine/values/present.ts";
import { shownText } from "../../spine/values/shown-text.ts";
import { type OkAnswer, type RefusedAnswer, refusedBy } from "../answer.ts";
import type { AnswerName } from "../json/answer-names.ts";
import type { ErrorJson } from "../json/error-json.ts";
import { fitsSchema, type SchemaDocuments } from "./fits-schema.ts";
import { besideFrom, refusedFrom } from "./refusal-values.ts";
import type { ReplyHead, WholeReply } from "./send.ts";

export const ANSWER_SCHEMA = "answer.schema.json";

/** `isOurs` is false for what no service of ours says: whatever was asked for may have been done. */
export type RefusedReply = { readonly answer: RefusedAnswer; readonly isOurs: boolean; readonly kind: "refused" };
export type ReplyRead = RefusedReply | { readonly answer: OkAnswer<object>; readonly kind: "ok" };

export type ReplyGround = { readonly documents: SchemaDocuments; readonly server: string };

const NO_HEAD: Head = { hash: GENESIS, size: 0 };

export const headIn = ({ header }: ReplyHead): Head => {
  const [, size, hash] = /^"([0-9]{1,15})-([0-9a-f]{64})"$/.exec(header("etag") ?? "") ?? [];
  return isSha256(hash) ? { hash, size: Number(size) } : NO_HEAD;
};

const recordIn = ({ header }: ReplyHead): { readonly seq: number } | undefined => {
  const [, seq] = /^([0-9]{1,15})$/.exec(header("dedalus-record") ?? "") ?? [];
  return seq === undefined ? undefined : { seq: Number(seq) };
};

const isReplayed = ({ header }: ReplyHead): boolean => header("idempotency-replayed") === "true";

const foreign = ({ server }: ReplyGround, { status }: ReplyHead, cause: "not-json" | "redirect"): RefusedReply => ({
  answer: refusedBy(refuse("server-answer", { cause, facts: { httpStatus: status, server } })),
  isOurs: false,
  kind: "refused",
});

const unfit = ({ server }: ReplyGround, { status }: ReplyHead, answer: string): RefusedReply => ({
  answer: refusedBy(refuse("server-answer", { cause: "unfit", facts: { answer, httpStatus: status, server } })),
  isOurs: false,
  kind: "refused",
});

/** A bug of the service, which has no refusal: what it was asked for may have been done. */
const failed = ({ server }: ReplyGround, { status }: ReplyHead, { correlationId }: ProblemJson): RefusedReply => ({
  answer: refusedBy(
    refuse("server-failed", { facts: { correlation: shownText(String(correlationId)), httpStatus: status, server } }),
  ),
  isOurs: false,
  kind: "refused",
});

const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const replyRead = (at: ReplyGround, reply: WholeReply, answer: AnswerName): ReplyRead => {
  const { bytes, status } = reply;
  if (status >= 300 && status < 400) return foreign(at, reply, "redirect");
  const body = jsonIn(bytes);
  if (!isObject(body)) return foreign(at, reply, "not-json");
  if (status >= 400) return problemRead(at, reply, body);
  if (status < 200 || !fitsSchema(at.documents, ANSWER_SCHEMA, `$defs/${answer}`, body))
    return unfit(at, reply, answer);
  const { beside }: { readonly beside?: readonly ErrorJson[] } = body;
  return {
    answer: {
      ...present({ beside: beside?.map((one) => besideFrom(one, at.server)), record: recordIn(reply) }),
      head: headIn(reply),
      kind: "ok",
      replayed: isReplayed(reply),
      value: body,
    },
    kind: "ok",
  };
};

/** A problem has everything that an error has; the rest of it is words. */
const isProblem = (at: ReplyGround, body: object): body is ProblemJson =>
  fitsSchema(at.documents, ANSWER_SCHEMA, "$defs/error", body);

const problemRead = (at: ReplyGround, reply: WholeReply, body: object): RefusedReply => {
  const [type = ""] = (reply.header("content-type") ?? "").split(";");
  if (type.trim() !== PROBLEM_TYPE || !isProblem(at, body)) return unfit(at, reply, "problem");
  if (body.domain === "internal") return failed(at, reply, body);
  return { answer: refusedFrom(body, at.server, isReplayed(reply)), isOurs: true, kind: "refused" };
};

export const problemIn = (at: ReplyGround, reply: WholeReply): RefusedReply => {
  if (reply.status >= 300 && reply.status < 400) return foreign(at, reply, "redirect");
  const body = jsonIn(reply.bytes);
  return isObject(body) ? problemRead(at, reply, body) : foreign(at, reply, "not-json");
};
