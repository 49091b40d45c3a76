// Hooks of the HTTP server: every request is a span, a line of the access log and a count, reads too.
//
// Told are the template of the route and what the answer's own headers say; never the path, a query, a body or a
// credential. A request that no route takes is `unmatched`, whatever was asked. Not here: what is answered
// (boundary/http).

import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUlid } from "../../ledger/record/ulid.ts";
import { present } from "../../spine/values/present.ts";
import { environmentAsked } from "./observed-service.ts";
import type { Telemetry } from "./telemetry.ts";
import { type RequestFacts, type RequestScope, traceIdOf } from "./trace-spans.ts";

const UNMATCHED = "unmatched";
/** Other methods are anybody's words, and become one value. */
const METHODS: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? UNMATCHED;
const methodOf = ({ method }: Pick<FastifyRequest, "method">): string => (METHODS.has(method) ? method : "OTHER");

type Shown = Pick<FastifyRequest, "headers">;

/** Only what looks like one: anybody can write anything into a header. */
const keyOf = ({ headers }: Shown): string | undefined => {
  const key = headers["idempotency-key"];
  return typeof key === "string" && (isUlid(key) || UUID.test(key)) ? key : undefined;
};

/** The public id, where a token is written as ours are. */
const credentialOf = ({ headers: { authorization } }: Shown): string | undefined =>
  /^Bearer dedalus_([0-9a-z]{10})_/i.exec(authorization ?? "")?.[1];

const correlationOf = (reply: FastifyReply): string | undefined => {
  const id = reply.getHeader("dedalus-correlation-id");
  return typeof id === "string" ? id : undefined;
};

/** What a request says by its bytes alone, for its line in the log. */
export type KnownRequest = {
  readonly credential: string | undefined;
  readonly key: string | undefined;
  readonly method: string;
  readonly route: string;
};

/** A request of one route, whatever it came by. */
type RoutedRequest = Shown & { readonly method: string; readonly url: string };

const knownAt = (request: RoutedRequest): KnownRequest => ({
  credential: credentialOf(request),
  key: keyOf(request),
  method: methodOf(request),
  route: request.url,
});
const knownOf = (request: FastifyRequest): KnownRequest =>
  knownAt({ headers: request.headers, method: request.method, url: routeOf(request) });

/** A request whose answer has left, or whose caller has. */
type EndedRequest = {
  readonly correlationId: string | undefined;
  readonly durationMs: number;
  readonly facts: RequestFacts;
  readonly known: KnownRequest;
  readonly status: number;
  readonly traceId: string | undefined;
};

/** One that was answered before any hook ran. */
type AnsweredAtOnce = {
  readonly actor: { readonly id: string; readonly kind: string };
  readonly beganMs: number;
  readonly correlationId: string;
  readonly reply: Pick<ServerResponse, "statusCode" | "writableLength"> & {
    readonly once: (event: "close", tell: () => void) => unknown;
  };
};

/** With the environment that it asks for, which is one that there is where it was answered. */
export type RepeatedRequest = { readonly environment: string | undefined; readonly known: KnownRequest };

export type RequestObserver = {
  /** Whether spans are made of requests: those pass the hooks. */
  readonly isTracing: () => boolean;
  readonly known: (request: FastifyRequest, asked: object) => RepeatedRequest;
  readonly knownAt: (request: RoutedRequest) => RepeatedRequest;
  readonly tell: (repeated: RepeatedRequest, answered: AnsweredAtOnce) => void;
};

export const observeRequests = (app: FastifyInstance, telemetry: Telemetry): RequestObserver => {
  const { metrics, monotonicMs, spans } = telemetry;
  const reading = new WeakMap<FastifyRequest, RequestScope>();
  let open = 0;
  metrics.track("dedalus_queue_length", { queue: "requests" }, () => open);

  app.addHook("onRequest", (request, reply, done) => {
    const [beganMs, method, route] = [monotonicMs(), methodOf(request), routeOf(request)];
    const { traceparent } = request.headers;
    const scope = spans.beginRequest(typeof traceparent === "string" ? traceparent : undefined, `${method} ${route}`, {
      "http.request.method": method,
      "http.route": route,
    });
    open += 1;
    if (method !== "GET") reading.set(request, scope);
    // Of the socket's side: also a stream, and an answer that nobody was there to take, has an end.
    reply.raw.once("close", () => {
      open -= 1;
      const status = reply.raw.headersSent ? reply.raw.statusCode : UNANSWERED;
      const durationMs = monotonicMs() - beganMs;
      const correlationId = correlationOf(reply);
      const { facts } = scope;
      const [known, traceId] = [knownOf(request), facts.traceId ?? traceIdOf(scope)];
      tellRequest({ correlationId, durationMs, facts, known, status, traceId }, telemetry);
      const told = present({ "dedalus.correlation_id": correlationId });
      spans.endRequest(scope, { "http.response.status_code": status, ...told }, status >= FAILED_FROM);
    });
    spans.enter(scope, done);
  });
  // A body is read in the surroundings of its socket: whoever answers is brought to the request's own again.
  app.addHook("preHandler", (request, _reply, done) => {
    const scope = reading.get(request);
    if (scope === undefined) done();
    else spans.enter(scope, done);
  });
  return {
    isTracing: spans.isTracing,
    knownAt: (request) => ({ environment: undefined, known: knownAt(request) }),
    known: (request, asked) => ({ environment: environmentAsked(asked), known: knownOf(request) }),
    tell: ({ environment, known }, { actor, beganMs, correlationId, reply }) => {
      const facts: RequestFacts = { actor: actor.id, actorKind: actor.kind };
      if (environment !== undefined) facts.environment = environment;
      const tell = (): void => {
        const [durationMs, status] = [monotonicMs() - beganMs, reply.statusCode];
        tellRequest({ correlationId, durationMs, facts, known, status, traceId: undefined }, telemetry);
      };
      if (reply.writableLength === 0) return tell();
      // Whoever takes it slowly is under way until it has left.
      open += 1;
      reply.once("close", () => {
        open -= 1;
        tell();
      });
    },
  };
};

const tellRequest = (
  { correlationId, durationMs, facts, known, status, traceId }: EndedRequest,
  { log, metrics }: Telemetry,
): void => {
  const { credential, key, method, route } = known;
  metrics.count("dedalus_http_requests_total", { method, route, status });
  metrics.observe("dedalus_http_request_duration_seconds", { route }, durationMs / 1_000);
  const { actor, actorKind, codes, environment, seq } = facts;
  log("request", {
    actor,
    actorKind,
    codes,
    correlationId,
    credential,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    environment,
    key,
    method,
    route,
    seq,
    status,
    traceId,
  });
  if (status === UNAUTHENTICATED) {
    metrics.count("dedalus_authentication_failures_total", { route });
    log("authentication-failed", { codes, correlationId, credential, method, route, traceId });
  }
};

const UNAUTHENTICATED = 401;
const FAILED_FROM = 500;
/** Whoever asked was gone before the answer began; the number is the one that nginx gives it. */
const UNANSWERED = 499;
