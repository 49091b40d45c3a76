// The HTTP door: every route of the contract, each through the same guards. No rule lives here: what is refused
// here is a request that nobody could understand, or too many of them; everything else is the service's answer.
//
// The framework's own reading of bodies, queries and schemas is off: nothing is converted, dropped or filled in.
// What fails is told by a correlation id, and never by what the exception said. keeps P7-S3, B5
// Not here: the bare server with its bounds (listener.ts), how a process ends.

import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isRefused, type RefusedAnswer } from "../../service/answer.ts";
import type { CallerCredential } from "../../service/hold/callers.ts";
import { AGENTS_ROUTE, DOOR_ROUTES } from "../contract/door-routes.ts";
import { type HttpRoute, pathsOf } from "../contract/http-route.ts";
import { bugProblem } from "../contract/problem-json.ts";
import { ROUTED, ROUTES, type RoutedOperation } from "../contract/routes.ts";
import type { AnsweredOperation } from "./answer-bodies.ts";
import { type AskedAgain, askedAgain } from "./asked-again.ts";
import { type AskedRequest, askedIn, leavingOf } from "./asked-request.ts";
import { answerBrokenRequest } from "./broken-requests.ts";
import { CALLER_LIMITS, type CallerGate, type CredentialProof, callerGate } from "./caller-limits.ts";
import type { DoorGiven } from "./door-given.ts";
import { ending, unfitRequest } from "./door-refusal.ts";
import { type HeadExaminer, headExaminer } from "./examined-head.ts";
import { type HeadFollower, headFollower } from "./head-follower.ts";
import { knownMessages, type TakeMessage } from "./known-messages.ts";
import { listenerOf } from "./listener.ts";
import { sendProblem, sendRefused } from "./reply-answer.ts";
import { callerOf } from "./request-caller.ts";
import { queryIn } from "./request-head.ts";
import { SECURITY_HEADERS, TRANSPORT_SECURITY } from "./security-headers.ts";
import { serveApply } from "./serve-apply.ts";
import { serveBlob } from "./serve-blob.ts";
import { serveEvents } from "./serve-events.ts";
import { serveExport } from "./serve-export.ts";
import { serveAlive, serveReady } from "./serve-health.ts";
import { type Serve, serveOperation } from "./serve-operation.ts";
import { LIMIT, serveRecord, serveRecords } from "./serve-records.ts";

const BODY_BYTES_MAX = 1024 * 1024;
/** A desired file has up to 10 MiB, and as JSON text up to twice as much. */
const DOCUMENT_BYTES_MAX = 24 * 1024 * 1024;
const DOCUMENTS: ReadonlySet<RoutedOperation> = new Set(["ingest", "register"]);
const PARAMETER_MAX = 2_000;

export const openDoor = (given: DoorGiven): FastifyInstance => {
  const { telemetry } = given;
  const gate = callerGate(given.monotonicMs);
  const heads = headExaminer(given.names);
  const entry: Entry = { gate, given, heads };
  const follower = headFollower(given.service, (error) => telemetry.failed(error, given.newId()));
  let again: AskedAgain | undefined;
  let take: TakeMessage | undefined;
  const door = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    clientErrorHandler: answerBrokenRequest(given),
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    frameworkErrors: (_, request, reply) => {
      void sendRefused(reply, strayed(request));
    },
    genReqId: () => given.newId(),
    logger: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_MAX },
    serverFactory: (handler) =>
      listenerOf(given.tls, (request, reply) => {
        const longWay = (): void => handler(request, reply);
        if (again?.answer(request, reply) !== true && take?.(request, reply, longWay) !== true) longWay();
      }),
  });
  door.removeAllContentTypeParsers();
  door.addContentTypeParser("*", { parseAs: "buffer" }, async (_: FastifyRequest, body: Buffer) => body);
  const headers = given.tls === undefined ? SECURITY_HEADERS : { ...SECURITY_HEADERS, ...TRANSPORT_SECURITY };
  const observer = given.observe?.(door);
  guard(door, given, heads, headers);
  again = askedAgain({ gate, given, heads, headers, observer });
  take = knownMessages({ gate, given, heads, headers, observer });
  serveRoutes(door, entry, again);
  serveOwnRoutes(door, entry, follower);
  given.pages?.(door);
  door.setNotFoundHandler((request, reply) => given.strays?.(request, reply) ?? sendRefused(reply, strayed(request)));
  door.setErrorHandler((error: FastifyError, request, reply) => answerFailure(error, request, reply, given));
  // Before the server waits for its connections: a stream would keep its own.
  door.addHook("preClose", async () => follower.close());
  return door;
};

const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? "").split("?")[0]?.slice(0, 200) ?? "";

/** Of every request, before anything of it is read. */
const guard = (
  door: FastifyInstance,
  { telemetry }: DoorGiven,
  heads: HeadExaminer,
  headers: Readonly<Record<string, string>>,
): void => {
  door.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers).header("dedalus-correlation-id", request.id);
    const refused = heads.refusal(request.raw);
    if (refused === undefined) return done();
    const { cause = "" } = refused.refusals[0] ?? {};
    telemetry.happened({ cause, kind: "turned-away" });
    // Whoever is in between may have another idea of where the next request begins.
    if (cause === "body-unwanted") reply.header("connection", "close");
    sendRefused(reply, refused);
  });
};

/** What everybody passes who asks for something. */
type Entry = { readonly gate: CallerGate; readonly given: DoorGiven; readonly heads: HeadExaminer };
type Admitted = { readonly credential: CallerCredential; readonly leave: (proof: CredentialProof) => void };

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? "";

/** Who is let in to ask: somebody with a credential, and not too often. */
const admit = (
  request: FastifyRequest,
  { gate, given: { limits = CALLER_LIMITS, shownOtherwise, telemetry }, heads }: Entry,
  kind: "request" | "stream",
): Admitted | RefusedAnswer => {
  const credential = shownOtherwise?.(request) ?? heads.credential(request.raw);
  const address = `address ${request.ip}`;
  const admission =
    credential.kind === "token"
      ? gate.enterWith(credential.hash, address, limits, kind)
      : gate.enter(address, limits.unknown);
  if ("refusals" in admission) {
    telemetry.happened({ cause: admission.refusals[0]?.cause ?? "", kind: "limited", route: routeOf(request) });
    return admission;
  }
  if (credential.kind === "refused") {
    admission.leave("nobody");
    const code = credential.refusals[0]?.code ?? "";
    telemetry.happened({ code, kind: "sign-in-failed", route: routeOf(request) });
    return credential;
  }
  return { credential, leave: admission.leave };
};

const PROVES_NOBODY = 401;
/** What the service says of somebody whom it knows, and the door of nobody. */
const OF_SOMEBODY: ReadonlySet<number> = new Set([403, 404, 409, 422]);

/** What an answer tells of the credential: a request that could not be understood says nothing of it. */
const proofIn = ({ statusCode }: FastifyReply): CredentialProof => {
  if (statusCode === PROVES_NOBODY) return "nobody";
  return statusCode < 400 || OF_SOMEBODY.has(statusCode) ? "somebody" : "untold";
};

/** Lets in, serves, and lets out again, whatever happens in between. */
const admitted =
  (
    entry: Entry,
    serve: (credential: CallerCredential, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    kind: "request" | "stream" = "request",
  ) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { given } = entry;
    if (given.isEnding() && request.method === "POST") return sendRefused(reply, ending());
    const caller = admit(request, entry, kind);
    if ("refusals" in caller) return sendRefused(reply, caller);
    try {
      return await serve(caller.credential, request, reply);
    } catch (error) {
      return answerFailure(error, request, reply, given);
    } finally {
      caller.leave(proofIn(reply));
      noteUnproven(reply, given);
    }
  };

/** A credential that proves nobody leaves no record: it is told to whoever runs the service. */
const noteUnproven = (reply: FastifyReply, { telemetry }: DoorGiven): void => {
  if (reply.statusCode !== PROVES_NOBODY) return;
  telemetry.happened({ code: "unproven", kind: "sign-in-failed", route: routeOf(reply.request) });
};

const colons = (template: string): string => template.replaceAll(/\{([a-z]+)\}/g, ":$1");

const OWN_PARAMETERS: Readonly<Partial<Record<RoutedOperation, readonly string[]>>> = { records: [LIMIT] };

const servedBy = (operation: RoutedOperation, given: DoorGiven): Serve<never> => {
  if (operation === "apply") return serveApply(given) as Serve<never>;
  if (operation === "blob") return serveBlob(given) as Serve<never>;
  if (operation === "records") return serveRecords(given) as Serve<never>;
  if (operation === "export") return serveExport(given) as Serve<never>;
  return serveOperation(operation as AnsweredOperation, given) as Serve<never>;
};

const serveRoutes = (door: FastifyInstance, entry: Entry, again: AskedAgain): void => {
  for (const operation of ROUTED) {
    const route: HttpRoute = ROUTES[operation];
    const serve = servedBy(operation, entry.given);
    const handler = admitted(entry, async (credential, request, reply) => {
      const asked = askedIn(operation, credential, request, reply, OWN_PARAMETERS[operation]);
      if (isRefused(asked)) return sendRefused(reply, asked);
      again.remember(operation, asked, request);
      return serve(asked as AskedRequest<never>, request, reply);
    });
    const bodyLimit = DOCUMENTS.has(operation) ? DOCUMENT_BYTES_MAX : BODY_BYTES_MAX;
    for (const path of pathsOf(route)) door.route({ bodyLimit, handler, method: route.method, url: colons(path) });
  }
};

const serveOwnRoutes = (door: FastifyInstance, entry: Entry, follower: HeadFollower): void => {
  const { given } = entry;
  const { alive, described, events, metrics, ready, record } = DOOR_ROUTES;
  door.get(alive.path, async (_, reply) => serveAlive(reply));
  door.get(ready.path, async (_, reply) => serveReady(given, reply));
  door.get(described.path, async (_, reply) =>
    reply.code(200).header("content-type", "application/openapi+json").send(given.openapi),
  );
  if (given.agents !== undefined) door.post(AGENTS_ROUTE.path, admitted(entry, given.agents));
  const { metrics: numbers } = given.telemetry;
  if (numbers !== undefined)
    door.get(
      metrics.path,
      admitted(entry, async (credential, _, reply) => {
        const scraped = await numbers(callerOf(credential, { signal: leavingOf(reply) }));
        if ("refusals" in scraped) return sendRefused(reply, scraped);
        return reply.code(200).header("content-type", scraped.type).send(scraped.text);
      }),
    );
  door.get(
    colons(record.path),
    admitted(entry, async (credential, request, reply) => {
      const asked = askedIn("prove", credential, request, reply);
      return isRefused(asked) ? sendRefused(reply, asked) : serveRecord(given, asked, reply);
    }),
  );
  door.get(
    events.path,
    admitted(
      entry,
      async (credential, request, reply) => {
        const query = queryIn(request.raw.url ?? "") ?? new Map();
        const lastSeen = request.headers["last-event-id"]?.toString();
        const caller = callerOf(credential, { signal: leavingOf(reply) });
        return serveEvents(given, follower, { caller, lastSeen, query }, reply);
      },
      "stream",
    ),
  );
};

/** Where there is such a path, it is the method that is wrong. */
const METHODS: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const known = new Map<string, Set<string>>();
  const add = (path: string, method: string): void => {
    const pattern = `^${path.replaceAll(/\{[a-z]+\}/g, "[^/]+")}$`;
    known.set(pattern, (known.get(pattern) ?? new Set()).add(method));
  };
  for (const operation of ROUTED) for (const path of pathsOf(ROUTES[operation])) add(path, ROUTES[operation].method);
  for (const { method, path } of [...Object.values(DOOR_ROUTES), AGENTS_ROUTE]) add(path, method);
  return known;
})();

const strayed = (request: FastifyRequest): RefusedAnswer => {
  const path = pathOf(request);
  const known = [...METHODS].filter(([pattern]) => new RegExp(pattern).test(path)).flatMap(([, all]) => [...all]);
  return known.length === 0
    ? unfitRequest({ cause: "route-unknown", facts: { path } })
    : unfitRequest({ cause: "method-unknown", facts: { known, method: request.method, path } });
};

/** Whoever left before their request was whole: nobody asked anything, and it is no bug that this fails. */
const isLeft = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** What the framework refuses by itself is a request that is too large or broken; everything else is a bug. */
const answerFailure = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { telemetry }: DoorGiven,
): FastifyReply => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    const max = request.routeOptions.bodyLimit ?? BODY_BYTES_MAX;
    return sendRefused(reply, unfitRequest({ cause: "body-too-large", facts: { max } }));
  }
  if (typeof code === "string" && code.startsWith("FST_ERR_CTP")) {
    return sendRefused(reply, unfitRequest({ cause: "malformed", facts: { said: code } }));
  }
  if (isLeft(request)) return sendRefused(reply, unfitRequest({ cause: "malformed", facts: { said: "aborted" } }));
  telemetry.failed(error, request.id);
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return reply;
  }
  return sendProblem(reply, bugProblem(request.id));
};
