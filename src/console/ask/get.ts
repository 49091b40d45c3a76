// One read of the service: the value with the text that it came as and the head that it stands on, or why there is
// none. Reading changes nothing, and a page may read as often as somebody asks it to.
//
// Not here: acts (send-act.ts), what a page does with it (snapshot.tsx).

import { HEAD_HEADER } from "../../boundary/contract/console-session.ts";
import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import { type RequestAt, ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import type { AnswerBodies, TypedOperation } from "../../boundary/contract/typed-answers.ts";

/** The ledger that a snapshot stands on; absent of what no ledger was asked for. */
export type ReadHead = { readonly hash: string; readonly size: number };

export type Unheard =
  /** Nobody is signed in, or not any more. */
  | { readonly kind: "signed-out" }
  | { readonly kind: "refused"; readonly problem: ProblemJson }
  /** No answer came, or none of the service's. */
  | { readonly kind: "lost" };

export type Read<T> = { readonly head?: ReadHead; readonly kind: "read"; readonly text: string; readonly value: T };
export type ReadAnswer<T> = Read<T> | Unheard;

const TAG = /^(?:W\/)?"(\d+)-([0-9a-f]{64})"$/;

/** The ledger that an answer names as the one it stands on. */
export const headNamedIn = (reply: Response): ReadHead | undefined => {
  const [, size, hash] = TAG.exec(reply.headers.get("etag") ?? reply.headers.get(HEAD_HEADER) ?? "") ?? [];
  return size === undefined || hash === undefined ? undefined : { hash, size: Number(size) };
};

const isProblem = (value: unknown): value is ProblemJson =>
  typeof value === "object" && value !== null && "refusals" in value && "outcome" in value && "correlationId" in value;

/** What the service says was wrong; undefined where it is not the service that answers. */
export const problemSaid = async (reply: Response): Promise<ProblemJson | undefined> => {
  try {
    const problem: unknown = await reply.json();
    return isProblem(problem) ? problem : undefined;
  } catch {
    return undefined;
  }
};

/** What came instead of an answer to a read. */
export const unheardIn = async (reply: Response): Promise<Unheard> => {
  if (reply.status === 401) return { kind: "signed-out" };
  const problem = await problemSaid(reply);
  return problem === undefined ? { kind: "lost" } : { kind: "refused", problem };
};

/** A path of the service, as the text that it answers with. */
export const readServiceText = async (path: string, signal?: AbortSignal): Promise<ReadAnswer<string>> => {
  try {
    const reply = await fetch(path, { cache: "no-store", redirect: "error", ...(signal && { signal }) });
    if (reply.status !== 200) return unheardIn(reply);
    const text = await reply.text();
    const head = headNamedIn(reply);
    return { kind: "read", text, value: text, ...(head && { head }) };
  } catch {
    return { kind: "lost" };
  }
};

export const readJson = async <T>(path: string, signal?: AbortSignal): Promise<ReadAnswer<T>> => {
  const heard = await readServiceText(path, signal);
  if (heard.kind !== "read") return heard;
  try {
    return { ...heard, value: JSON.parse(heard.text) as T };
  } catch {
    return { kind: "lost" };
  }
};

/** Where an operation that reads is asked, for a page and for whoever copies it. */
export const readPath = <K extends TypedOperation>(operation: K, request: RequestAt<K>): string =>
  requestWritten(ROUTES[operation], request as Readonly<Record<string, unknown>>).path;

export const read = <K extends TypedOperation>(
  operation: K,
  request: RequestAt<K>,
  signal?: AbortSignal,
): Promise<ReadAnswer<AnswerBodies[K]>> => readJson(readPath(operation, request), signal);
