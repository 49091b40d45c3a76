// The HTTP door, asked as any program would: requests by the published routes, and what came read as JSON and no
// further. Not here: what is asked and what must come of it.

import type { Outgoing, SendPort, WholeReply } from "../../service/remote/send.ts";
import { ROUTES } from "../contract/routes.ts";
import { requestWritten } from "../contract/travel.ts";
import {
  type AgentAsk,
  type AskedDoor,
  type DoorReply,
  isSaidObject,
  listIn,
  objectIn,
  type SaidHead,
  type SaidJson,
} from "./asked-door.ts";

const KNOWS: readonly AgentAsk[] = [
  "apply",
  "approve",
  "cancel",
  "challenge",
  "deny",
  "explain",
  "intent",
  "makePlan",
  "observe",
  "requestApproval",
  "showPlan",
  "vms",
  "whoami",
];

/** As a JSON value; undefined where it is none. */
export const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
};

const TAG = /^"(\d+)-([0-9a-f]{64})"$/;

const headIn = (tag: string | undefined): SaidHead | undefined => {
  const [, size, hash] = TAG.exec(tag ?? "") ?? [];
  return size === undefined || hash === undefined ? undefined : { hash, size: Number(size) };
};

const replyIn = ({ bytes, header, status }: WholeReply): DoorReply => {
  const body = jsonIn(bytes);
  if (!isSaidObject(body)) return { code: `status-${status}`, kind: "unread" };
  if (status >= 400) return { kind: "refused", outcome: body["outcome"], refusals: listIn(body["refusals"]) };
  const [head, record] = [headIn(header("etag")), header("dedalus-record")];
  return {
    body,
    ...(head === undefined ? {} : { head }),
    kind: "answered",
    ...(record === undefined ? {} : { record: Number(record) }),
    replayed: header("idempotency-replayed") === "true",
  };
};

export const httpDoor = (port: SendPort, unproven: SendPort, newKey: () => string): AskedDoor => {
  const sendBy = async (by: SendPort, outgoing: Outgoing): Promise<DoorReply> => {
    const reply = await by.send(outgoing);
    return reply.kind === "none" ? { code: reply.refusal.code, kind: "unread" } : replyIn(reply);
  };
  const sendAsk = (operation: AgentAsk, request: object, more: SaidJson, key = newKey()): Promise<DoorReply> => {
    const { body = {}, method, path } = requestWritten(ROUTES[operation], { ...request });
    if (method === "GET") return sendBy(port, { headers: {}, method, path });
    const headers = { "content-type": "application/json", "idempotency-key": key };
    return sendBy(port, { body: JSON.stringify({ ...objectIn(body), ...more }), headers, method, path });
  };
  return {
    ask: (operation, request, key) => sendAsk(operation, request, {}, key),
    askStrange: (request, member) => sendAsk("makePlan", request, member),
    askUnproven: () => sendBy(unproven, { headers: {}, method: "GET", path: requestWritten(ROUTES.whoami, {}).path }),
    knows: new Set(KNOWS),
    name: "http",
    takesKey: () => true,
  };
};
