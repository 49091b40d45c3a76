// A message to the agents' door whose answer is known at once: it is sent ahead of the framework, as the long way would
// send it.
//
// Taken is only what comes whole, with its head, and asks for nothing else; its credential, the limits and the drain
// are asked as the long way asks them. Whatever is not answered here is put back as it came, and goes that way.
// keeps B2, P7-F1. Not here: what is known (mcp/known-answer.ts).

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { CallerCredential } from "../../service/hold/callers.ts";
import { AGENTS_ROUTE } from "../contract/door-routes.ts";
import type { RepeatedRequest, RequestObserver } from "../telemetry/request-hooks.ts";
import { isJsonMedia } from "./asked-request.ts";
import { CALLER_LIMITS, type CallerGate } from "./caller-limits.ts";
import type { DoorGiven, KnownMessage } from "./door-given.ts";
import type { ExaminedHead, HeadExaminer } from "./examined-head.ts";
import { NOT_KEPT } from "./security-headers.ts";

/** Whether the request is taken: it is answered, or goes the long way as soon as it is looked at. */
export type TakeMessage = (request: IncomingMessage, reply: ServerResponse, longWay: () => void) => boolean;

type KnownMessagesGiven = {
  readonly gate: CallerGate;
  readonly given: Pick<DoorGiven, "agentsKnow" | "isEnding" | "limits" | "monotonicMs" | "newId">;
  readonly heads: HeadExaminer;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly observer: RequestObserver | undefined;
};

/** A head with one of these brings more than a message. */
const LONG_WAY = ["cookie", "expect", "traceparent", "transfer-encoding"] as const;
const BYTES_MAX = 16 * 1024;
const LENGTH = /^[1-9][0-9]{0,4}$/;

const lengthIn = (headers: IncomingHttpHeaders): number | undefined => {
  const { "content-length": length = "", "content-type": type = "" } = headers;
  if (!LENGTH.test(length) || !isJsonMedia(type) || LONG_WAY.some((name) => headers[name] !== undefined))
    return undefined;
  return Number(length) <= BYTES_MAX ? Number(length) : undefined;
};

/** What of a message hangs on the bytes of its head alone. */
type MessageHead = {
  readonly credential: CallerCredential & { readonly kind: "token" };
  readonly headers: IncomingHttpHeaders;
  readonly length: number;
  readonly told: RepeatedRequest | undefined;
};

export const knownMessages = ({ gate, given, heads, headers, observer }: KnownMessagesGiven): TakeMessage => {
  const { agentsKnow, isEnding, limits = CALLER_LIMITS, monotonicMs, newId } = given;
  const always = Object.entries({ ...headers, "cache-control": NOT_KEPT }).flat();
  const messages = new WeakMap<ExaminedHead, MessageHead>();

  /** Undefined where nothing is taken that has such a head. */
  const headOf = (request: IncomingMessage): MessageHead | undefined => {
    const examined = heads.examined(request);
    const known = messages.get(examined);
    if (known !== undefined) return known;
    const { headers: shown } = request;
    const [credential, length] = [heads.credential(request), lengthIn(shown)];
    if (examined.refused !== undefined || credential.kind !== "token" || length === undefined) return undefined;
    const told = observer?.knownAt({ headers: shown, method: "POST", url: AGENTS_ROUTE.path });
    const head = { credential, headers: shown, length, told };
    messages.set(examined, head);
    return head;
  };

  /** What fails here fails the long way too, and is told there. */
  const known = (...asked: Parameters<NonNullable<typeof agentsKnow>>): KnownMessage | undefined => {
    try {
      return agentsKnow?.(...asked);
    } catch {
      return undefined;
    }
  };

  const answer = ({ credential, headers: shown, told }: MessageHead, reply: ServerResponse, body: Buffer): boolean => {
    const [beganMs, correlationId] = [monotonicMs(), newId()];
    const found = known(credential, shown, body, correlationId);
    if (found === undefined || !gate.pass(credential.hash, limits.known)) return false;
    const { actor, before, octets, type } = found;
    const length = octets.length + (before?.length ?? 0);
    reply.writeHead(200, [
      ...always,
      "dedalus-correlation-id",
      correlationId,
      "content-type",
      type,
      "content-length",
      String(length),
    ]);
    if (before !== undefined) reply.write(before);
    reply.end(octets, "latin1");
    if (told !== undefined) observer?.tell(told, { actor, beganMs, correlationId, reply });
    return true;
  };

  return (request, reply, longWay) => {
    if (agentsKnow === undefined || request.method !== "POST" || request.url !== AGENTS_ROUTE.path) return false;
    const head = isEnding() || observer?.isTracing() === true ? undefined : headOf(request);
    if (head === undefined) return false;
    // What came with the head is there once the parser is through with it.
    process.nextTick(() => {
      const body: Buffer | null = request.readableLength === head.length ? request.read() : null;
      if (body !== null && answer(head, reply, body)) return;
      if (body !== null) request.unshift(body);
      longWay();
    });
    return true;
  };
};
