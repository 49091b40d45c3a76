// What must hold of every reply, whatever was sent: a status that is no bug, a problem where it is refused, and
// nothing of the inside of the program in it.

import type { FuzzedRequest } from "./http-request.ts";

export type Reply = { readonly status: number; readonly text: string; readonly type: string };

const INSIDE = /\bat [^\n]*\.(?:ts|js):\d+|node_modules|Error: /;
const MEMBERS = ["correlationId", "detail", "domain", "outcome", "refusals", "status", "title", "type"];

export const objectionToReply = ({ status, text, type }: Reply): string | undefined => {
  if (status === 500 || status < 200 || status > 599) return `the status is ${status}`;
  if (INSIDE.test(text)) return "the reply tells of the inside of the program";
  if (status < 400) return undefined;
  if (!type.startsWith("application/problem+json")) return `a refusal of type ${type}`;
  const problem: unknown = JSON.parse(text);
  const missing = MEMBERS.filter((name) => !Object.hasOwn(Object(problem), name));
  return missing.length === 0 ? undefined : `a problem without ${missing.join(", ")}`;
};

export const sendFuzzed = async (url: string, token: string, request: FuzzedRequest): Promise<Reply> => {
  const reply = await fetch(`${url}${request.path}`, {
    ...(request.body === undefined ? {} : { body: request.body }),
    headers: { authorization: `Bearer ${token}`, ...request.headers },
    method: request.method,
    signal: AbortSignal.timeout(60_000),
  });
  return { status: reply.status, text: await reply.text(), type: reply.headers.get("content-type") ?? "" };
};
