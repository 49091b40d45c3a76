// One act of a person: one key, one request, one answer. It is sent once and never again: an answer that is lost is
// looked up by its key, and until then nobody says what became of it. Keeps P7-F3, P7-E2, B6.
//
// Not here: the button and what it shows (parts/act-button.tsx).

import { CSRF_HEADER } from "../../boundary/contract/console-session.ts";
import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import { type RequestAt, ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import type { AnswerBodies, TypedOperation } from "../../boundary/contract/typed-answers.ts";
import { problemSaid, read } from "./get.ts";
import { readVisitorSession, type VisitorSession } from "./visitor-session.ts";

export type ActEnd<T> =
  | { readonly kind: "done"; readonly key: string; readonly seq: number; readonly value: T }
  /** Found by its key: it was recorded, and this is the record. */
  | { readonly id: string; readonly kind: "found"; readonly key: string; readonly seq: number }
  /** Found by its key: what was recorded is that it was refused. */
  | { readonly kind: "found-refused"; readonly key: string; readonly problem: ProblemTold; readonly seq: number }
  | { readonly kind: "refused"; readonly key: string; readonly problem: ProblemJson }
  /** Nobody or somebody else is signed in here by now, or another service answers: nothing was sent. */
  | { readonly kind: "another" | "foreign-contract" | "signed-out" | "unreached"; readonly key: string }
  /** No record of the reader's carries the key by now: it may still be on its way. */
  | { readonly kind: "unknown"; readonly key: string }
  /** Nobody could look: the service does not say, or it is not the reader who is signed in. */
  | { readonly kind: "not-looked-up" | "unknown-another" | "unknown-signed-out"; readonly key: string };

/** A problem as it can be told whenever its record is read. */
export type ProblemTold = Pick<ProblemJson, "correlationId" | "detail" | "domain" | "outcome" | "refusals" | "title">;

/** The record that answers; what names none is no answer of the service's, whatever its status. */
const recordIn = (reply: Response): number | undefined => {
  const [, seq] = /^([0-9]{1,15})$/.exec(reply.headers.get("dedalus-record") ?? "") ?? [];
  return seq === undefined ? undefined : Number(seq);
};

/**
 * Whoever acts is the one for whom the page was read: somebody may have signed in as another meanwhile, in another tab.
 */
export const sendAct = async <K extends TypedOperation>(
  reader: VisitorSession,
  operation: K,
  request: RequestAt<K>,
  key: string,
): Promise<ActEnd<AnswerBodies[K]>> => {
  const visitor = await readVisitorSession();
  if (visitor.kind === "lost") return { key, kind: "unreached" };
  if (visitor.kind !== "signed-in") return { key, kind: visitor.kind };
  const { csrf, name } = visitor.session;
  if (name !== reader.name) return { key, kind: "another" };
  const { body = {}, method, path } = requestWritten(ROUTES[operation], request as Readonly<Record<string, unknown>>);
  let reply: Response;
  try {
    reply = await fetch(path, {
      body: JSON.stringify(body),
      cache: "no-store",
      headers: { "content-type": "application/json", [CSRF_HEADER]: csrf, "idempotency-key": key },
      method,
      redirect: "error",
    });
  } catch {
    return lookUp(reader, key);
  }
  if (!reply.ok) {
    const problem = await problemSaid(reply);
    return problem === undefined ? lookUp(reader, key) : { key, kind: "refused", problem };
  }
  const seq = recordIn(reply);
  if (seq === undefined) return lookUp(reader, key);
  try {
    return { key, kind: "done", seq, value: (await reply.json()) as AnswerBodies[K] };
  } catch {
    return lookUp(reader, key);
  }
};

/**
 * What became of a key. Reading it changes nothing, so that it may be asked as often as somebody wants to know. That
 * there is a record says nothing of what it came to: a refusal has one too.
 */
export const lookUp = async (reader: VisitorSession, key: string): Promise<ActEnd<never>> => {
  const visitor = await readVisitorSession();
  // To anybody else a key of the reader's is one that nobody used.
  if (visitor.kind === "signed-in" && visitor.session.name !== reader.name) return { key, kind: "unknown-another" };
  const heard = visitor.kind === "signed-in" ? await read("answered", { key }) : visitor;
  if (heard.kind === "signed-out") return { key, kind: "unknown-signed-out" };
  if (heard.kind !== "read") return { key, kind: "not-looked-up" };
  const { error, record } = heard.value;
  if (record === undefined) return { key, kind: "unknown" };
  const { auditId: id, correlationId, seq } = record;
  if (error === undefined) return { id, key, kind: "found", seq };
  const { detail = "", summary = "" } = error.refusals[0]?.text ?? {};
  return { key, kind: "found-refused", problem: { ...error, correlationId, detail, title: summary }, seq };
};
