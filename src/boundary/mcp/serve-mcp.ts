// The agents' door over HTTP: what came in is read as strictly as everywhere. A plain call of a tool is answered at
// once; everything else is handed to the protocol's own handler with nothing of its credential, and answered as that
// says.
//
// 2026-07-28 is served as it is, 2025-11-25 and before by the package's stateless fallback: no session is kept. Nobody
// is answered anything before their credential proves somebody. No stream is held open. keeps B2, P7-F1
// Not here: who is let in and how often (http/door.ts), what is answered (agent-server.ts).

import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isUlid } from "../../ledger/record/ulid.ts";
import { refusedInput, type ServiceAnswer } from "../../service/answer.ts";
import type { CallerCredential } from "../../service/hold/callers.ts";
import { present } from "../../spine/values/present.ts";
import { statusOfAnswer } from "../contract/statuses.ts";
import { jsonBodyIn, leavingOf } from "../http/asked-request.ts";
import type { DoorGiven } from "../http/door-given.ts";
import type { DoorTelemetry } from "../http/door-telemetry.ts";
import { sendRefused } from "../http/reply-answer.ts";
import { NOT_KEPT } from "../http/security-headers.ts";
import { type AgentRequest, type AgentServerGiven, agentServer } from "./agent-server.ts";
import { requestStates } from "./ask-people.ts";
import { knownAnswer } from "./known-answer.ts";
import { knownOctets } from "./known-octets.ts";
import { answerPlainly, plainTexts, type ToldMessage } from "./plain-answer.ts";
import { plainMessages, traceparentIn } from "./plain-message.ts";
import { sendRpcRefused, sendUnserved, withCorrelation } from "./rpc-errors.ts";

export type AgentDoorGiven = Omit<AgentServerGiven, "people"> &
  Pick<DoorGiven, "findingWords" | "newId" | "service"> & {
    readonly telemetry: Pick<DoorTelemetry, "failed" | "follow">;
    /** The origin under which people reach the service. */
    readonly origin?: string;
    /** Seals what clients bring back: the same for all instances. */
    readonly sealingKey: string;
  };

/** What the protocol reads of a head; nothing else is handed on, and no credential. */
const HEADERS = ["accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"] as const;

/** A stream of changes: nothing here changes but the ledger, which has events of its own. */
const UNSERVED: ReadonlySet<unknown> = new Set(["subscriptions/listen"]);

export type AgentDoor = {
  readonly close: () => Promise<void>;
  readonly known: NonNullable<DoorGiven["agentsKnow"]>;
  readonly serve: (credential: CallerCredential, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
};

export const agentDoor = (given: AgentDoorGiven): AgentDoor => {
  const { findingWords, newId, origin, service, telemetry, tools, version } = given;
  const asked = new WeakMap<Request, AgentRequest>();
  const codec = requestStates(given.sealingKey, ({ http }) => {
    const credential = http?.req === undefined ? undefined : asked.get(http.req)?.caller.credential;
    if (credential?.kind !== "token") throw new Error("whoever is asked for shows a token");
    return credential.hash;
  });
  const served = { people: { codec, ...present({ origin }) }, tools, version };
  const handler: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => {
      const one = requestInfo === undefined ? undefined : asked.get(requestInfo);
      if (one === undefined) throw new Error("a request of the protocol came past the door");
      return agentServer(one, served);
    },
    { keepAliveMs: 0 },
  );

  const { follow = (_, work) => work() } = telemetry;
  const readPlain = plainMessages();
  const texts = plainTexts(given);

  /** Undefined where nothing of that name is served. */
  const askPackage = async (
    message: Readonly<Record<string, unknown>>,
    one: AgentRequest,
    request: FastifyRequest,
  ): Promise<Told | undefined> => {
    if (UNSERVED.has(message["method"])) return undefined;
    const headers = new Headers();
    for (const name of HEADERS) {
      const value = request.headers[name];
      if (value !== undefined) headers.set(name, String(value));
    }
    const forwarded = new Request("http://dedalus/mcp", { headers, method: "POST", signal: one.caller.signal ?? null });
    asked.set(forwarded, one);
    const response = await handler.fetch(forwarded, { parsedBody: message });
    const type = response.headers.get("content-type") ?? undefined;
    const text = withCorrelation(await response.text(), type, request.id);
    return { status: response.status, text, ...present({ type }) };
  };

  const serve: AgentDoor["serve"] = async (credential, request, reply) => {
    const signal = leavingOf(reply);
    const correlationId = isUlid(request.id) ? request.id : undefined;
    const caller = { credential, door: "agent", signal, ...present({ correlationId }) } as const;
    const body = jsonBodyIn(request);
    if (body.kind === "refused") return sendRpcRefused(reply, body);
    if (body.kind === "bad") return sendRpcRefused(reply, refusedInput(body.problems));
    const { value: message } = body.value;
    let heard: ServiceAnswer<unknown> | undefined;
    const one: AgentRequest = {
      caller,
      correlationId: request.id,
      failed: (error) => telemetry.failed(error, request.id),
      findingWords,
      newKey: newId,
      opensUrls: String(request.headers["mcp-session-id"]).startsWith(OPENS_URLS),
      service,
      hear: (answer) => {
        heard = answer;
      },
    };
    const plain = readPlain(message, request.headers);
    const answer = (): Promise<Told | undefined> =>
      plain === undefined ? askPackage(message, one, request) : answerPlainly(plain, one, texts);
    // Where the request brings none itself: who speaks at a pipe has no headers.
    const trace = request.headers["traceparent"] === undefined ? traceparentIn(message) : undefined;
    const told = trace === undefined ? await answer() : await follow(trace, answer);
    // What the service was not asked for, it is asked for whom.
    const proven = heard ?? (await service.whoami(caller, {}));
    if (proven.kind === "refused" && (heard === undefined || statusOfAnswer(proven) === UNAUTHENTICATED))
      return sendRefused(reply, proven);
    if (told === undefined) return sendUnserved(reply, message);
    if (isOpeningUrls(message)) reply.header("mcp-session-id", `${OPENS_URLS}${newId()}`);
    return send(reply, told);
  };
  const { recall } = service;
  const kept = knownOctets();
  const known: AgentDoor["known"] =
    recall === undefined
      ? () => undefined
      : (...asked) => knownAnswer({ findingWords, kept, readPlain, recall, texts }, ...asked);
  return { close: handler.close, known, serve };
};

/**
 * What a client of 2025-11-25 says once, when it begins, comes back with each of its requests as the name of its
 * session: no instance has to remember it. It proves nothing, and decides only how people are asked.
 */
const OPENS_URLS = "opens-urls-";

const isOpeningUrls = ({ method, params }: Readonly<Record<string, unknown>>): boolean =>
  method === "initialize" && Object(Object(Object(params).capabilities).elicitation).url !== undefined;

const UNAUTHENTICATED = 401;

/** Of what was taken and has no answer there is no type. */
type Told = Partial<ToldMessage> & { readonly status?: number; readonly text: string };

const send = (reply: FastifyReply, { before, status = 200, text, type }: Told): FastifyReply => {
  if (type !== undefined) reply.header("content-type", type);
  const body = before === undefined ? text : Buffer.concat([before, Buffer.from(text)]);
  return reply.code(status).header("cache-control", NOT_KEPT).send(body);
};
