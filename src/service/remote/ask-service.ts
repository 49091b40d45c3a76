// One operation, asked over HTTP: a request written by its route, its reply read, and the value made of it.
//
// A POST carries a key. Where its answer was lost, the same request is sent once more under the same key, which does
// nothing a second time; where that answer is lost too, the key is asked what became of it. keeps B6, P7-F2
// A read asks for what this asker has written: another instance may answer it. Not here: how bytes travel (send.ts).

import { ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type Execution, type RefusedAnswer, refusedBy, type ServiceAnswer } from "../answer.ts";
import type { Caller } from "../hold/callers.ts";
import type { AnswerName } from "../json/answer-names.ts";
import type { KeyAnswered } from "../read/answered.ts";
import { type ReplyGround, type ReplyRead, replyRead } from "./answer-in.ts";
import { type RequestFor, VALUES, type ValueOf, type WholeOperation } from "./answer-values.ts";
import type { SchemaDocuments } from "./fits-schema.ts";
import type { NoReply, Outgoing, SendPort } from "./send.ts";

export type AskPorts = {
  readonly documents: SchemaDocuments;
  readonly newKey: () => Ulid;
  readonly port: SendPort;
};

export type AskedWith = Pick<Caller, "correlationId" | "key"> & {
  /** For how long a POST is waited for at the service, where it can answer before the end. */
  readonly waitSeconds?: number;
};

export type Ask = <K extends WholeOperation>(
  operation: K,
  request: RequestFor<K>,
  asked?: AskedWith,
) => Promise<ServiceAnswer<ValueOf<K>>>;

type Doubtful = NoReply | Extract<ReplyRead, { readonly kind: "refused" }>;

/** Whether the request may have been performed without our having heard of it. */
const isDoubtful = (reply: NoReply | ReplyRead): reply is Doubtful =>
  (reply.kind === "none" && reply.isSent) || (reply.kind === "refused" && !reply.isOurs);

export const askerOf = ({ documents, newKey, port }: AskPorts): Ask => {
  const at: ReplyGround = { documents, server: port.server };
  let written = 0;

  const sendOne = async (outgoing: Outgoing, answer: AnswerName): Promise<NoReply | ReplyRead> => {
    const reply = await port.send(outgoing);
    return reply.kind === "none" ? reply : replyRead(at, reply, answer);
  };

  const refusedOf = (reply: Doubtful | NoReply): RefusedAnswer =>
    reply.kind === "none" ? refusedBy(reply.refusal) : reply.answer;

  const readOnce = async (path: string, answer: AnswerName, headers: Outgoing["headers"]): Promise<ReplyRead> => {
    const reply = await sendOne({ headers, method: "GET", path: atLeast(path, written) }, answer);
    return reply.kind === "none" ? { answer: refusedOf(reply), isOurs: false, kind: "refused" } : reply;
  };

  /** What the ledger of the service says of a request whose answer was lost twice. */
  const becameOf = async (key: Ulid): Promise<RefusedAnswer> => {
    const { path } = requestWritten(ROUTES.answered, { key });
    const reply = await readOnce(path, "answeredKey", {});
    const refusal = refuse("reply-lost", { facts: { key, server: at.server } });
    const { record }: KeyAnswered = reply.kind === "ok" ? reply.answer.value : {};
    return { ...refusedBy(refusal), outcome: record === undefined ? "unknown" : executedBy(record) };
  };

  const actOnce = async (outgoing: Outgoing, answer: AnswerName, key: Ulid): Promise<ReplyRead> => {
    const first = await sendOne(outgoing, answer);
    const last = isDoubtful(first) ? await sendOne(outgoing, answer) : first;
    if (isDoubtful(first) && (last.kind === "none" || isDoubtful(last))) {
      return { answer: await becameOf(key), isOurs: true, kind: "refused" };
    }
    return last.kind === "none" ? { answer: refusedOf(last), isOurs: false, kind: "refused" } : last;
  };

  return async (operation, request, asked = {}) => {
    const route = ROUTES[operation];
    const { body, method, path } = requestWritten(route, request as Readonly<Record<string, unknown>>);
    const key = asked.key ?? newKey();
    const answer = route.answer as AnswerName;
    const reply =
      method === "GET"
        ? await readOnce(path, answer, {})
        : await actOnce(
            { body: JSON.stringify(body ?? {}), headers: headersOf(key, asked), method, path },
            answer,
            key,
          );
    if (reply.kind === "refused") return reply.answer;
    const { record, value } = reply.answer;
    if (record !== undefined) written = Math.max(written, record.seq + 1);
    const valueFrom = VALUES[operation] as (body: object, server: string) => ValueOf<typeof operation>;
    return { ...reply.answer, value: valueFrom(value, at.server) };
  };
};

const headersOf = (key: Ulid, { waitSeconds }: AskedWith): Outgoing["headers"] => ({
  "content-type": "application/json",
  "idempotency-key": key,
  ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
});

/** The records up to our own last one are there. */
const atLeast = (path: string, written: number): string =>
  written === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}at-least=${written - 1}`;

const executedBy = (record: NonNullable<KeyAnswered["record"]>): Execution =>
  bodyOf(record)?.result.kind === "refused" ? "not_executed" : "executed";
