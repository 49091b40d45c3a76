// A read that a connection asks again, byte for byte, while the service still knows its answer: it is sent at once,
// ahead of the framework, as the long way would send it.
//
// Remembered of a request is what hangs on its bytes alone: which operation it is, what it asks, and whose token it
// shows. Whom that proves, on which head and under which configuration, and what is answered, the service says each
// time; whatever it does not know at once goes the long way, and so does whoever is refused for asking too often.
// keeps B2, B3 Not here: what the service knows (service/hold/recall-answer.ts).

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { isRecalled, type KnownAnswer, type RecalledOperation } from "../../service/hold/recall-answer.ts";
import type { Sha256 } from "../../spine/model.ts";
import { ROUTES, type RoutedOperation } from "../contract/routes.ts";
import type { RepeatedRequest, RequestObserver } from "../telemetry/request-hooks.ts";
import type { AskedRequest } from "./asked-request.ts";
import { CALLER_LIMITS, type CallerGate } from "./caller-limits.ts";
import type { DoorGiven } from "./door-given.ts";
import type { ExaminedHead, HeadExaminer } from "./examined-head.ts";
import { JSON_TYPE, tagOf } from "./reply-answer.ts";
import { callerOf } from "./request-caller.ts";
import { textMadeOf } from "./serve-operation.ts";

export type AskedAgain = {
  /** Whether it was answered. */
  readonly answer: (request: IncomingMessage, reply: ServerResponse) => boolean;
  readonly remember: (
    operation: RoutedOperation,
    asked: AskedRequest<RoutedOperation>,
    request: FastifyRequest,
  ) => void;
};

type Remembered = {
  readonly caller: ReturnType<typeof callerOf>;
  readonly hash: Sha256;
  readonly operation: RecalledOperation;
  readonly request: object;
  readonly told: RepeatedRequest | undefined;
};

type AskedAgainGiven = {
  readonly gate: CallerGate;
  readonly given: Pick<DoorGiven, "isEnding" | "limits" | "monotonicMs" | "newId" | "service" | "telemetry">;
  readonly heads: HeadExaminer;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly observer: RequestObserver | undefined;
};

/** A head with one of these asks for more than the answer as it is, or brings more than a question. */
const LONG_WAY = ["content-length", "if-none-match", "traceparent", "transfer-encoding"] as const;
/** Of one connection: whoever asks for more in turns is answered the long way. */
const PATHS_MAX = 16;

export const askedAgain = ({ gate, given, heads, headers, observer }: AskedAgainGiven): AskedAgain => {
  const { isEnding, limits = CALLER_LIMITS, monotonicMs, newId, service } = given;
  const always = Object.entries(headers).flat();
  const remembered = new WeakMap<ExaminedHead, Map<string, Remembered>>();

  /** What fails here fails the long way too, and is told there. */
  const recalled = ({ caller, operation, request }: Remembered): KnownAnswer | undefined => {
    try {
      return service.recall?.(operation, caller, request);
    } catch {
      return undefined;
    }
  };
  return {
    answer: (request, reply) => {
      if (request.method !== "GET" || isEnding()) return false;
      const beganMs = monotonicMs();
      const known = remembered.get(heads.examined(request))?.get(request.url ?? "");
      if (known === undefined || observer?.isTracing() === true) return false;
      const answer = recalled(known);
      const text = answer === undefined ? undefined : textMadeOf(answer.value);
      if (answer === undefined || text === undefined || !gate.pass(known.hash, limits.known)) return false;
      const correlationId = newId();
      reply.writeHead(ROUTES[known.operation].status, [
        ...always,
        "dedalus-correlation-id",
        correlationId,
        "etag",
        tagOf(answer.head),
        "content-type",
        JSON_TYPE,
        "content-length",
        String(Buffer.byteLength(text)),
      ]);
      reply.end(text);
      if (known.told !== undefined) observer?.tell(known.told, { actor: answer.actor, beganMs, correlationId, reply });
      return true;
    },
    remember: (operation, { caller: { atLeast, credential }, request: asked }, request) => {
      const { headers: shown, method, raw } = request;
      if (!isRecalled(operation) || method !== "GET" || atLeast !== undefined) return;
      // What is shown otherwise than in a bearer token may end by a clock that is not the ledger's.
      if (credential.kind !== "token" || heads.credential(raw) !== credential) return;
      if (LONG_WAY.some((name) => shown[name] !== undefined)) return;
      const head = heads.examined(raw);
      const paths = remembered.get(head) ?? new Map<string, Remembered>();
      if (paths.size >= PATHS_MAX) paths.clear();
      const caller = callerOf(credential, {});
      const told = observer?.known(request, asked);
      paths.set(raw.url ?? "", { caller, hash: credential.hash, operation, request: asked, told });
      remembered.set(head, paths);
    },
  };
};
