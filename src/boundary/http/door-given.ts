// What a door is given: the service it asks, and everything that it does not know by itself.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Ulid } from "../../ledger/record/record.ts";
import type { RefusedAnswer } from "../../service/answer.ts";
import type { CallerCredential } from "../../service/hold/callers.ts";
import type { Recall } from "../../service/hold/recall-answer.ts";
import type { ServicePosture } from "../../service/read/service-posture.ts";
import type { Service } from "../../service/service.ts";
import type { RequestObserver } from "../telemetry/request-hooks.ts";
import type { BodyWords } from "./answer-bodies.ts";
import type { CALLER_LIMITS } from "./caller-limits.ts";
import type { DoorTelemetry } from "./door-telemetry.ts";
import type { OwnNames } from "./request-head.ts";
import type { StreamBounds } from "./stream-body.ts";

/** ServedCertificate and key, as texts. */
export type ServedCertificate = { readonly cert: string; readonly key: string };

/** An answer to a message of an agent, that need not be waited for. */
export type KnownMessage = {
  readonly actor: { readonly id: string; readonly kind: string };
  /** What is the same in all of its kind, and stands before the rest. */
  readonly before?: Uint8Array;
  /** The bytes as a text of one character each. */
  readonly octets: string;
  readonly type: string;
};

export type DoorGiven = BodyWords & {
  /** What agents ask by the protocol of their tools, of whoever was let in. */
  readonly agents?: (
    credential: CallerCredential,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<FastifyReply>;
  /** What agents are answered at once; undefined where they must be served. */
  readonly agentsKnow?: (
    credential: CallerCredential,
    headers: IncomingHttpHeaders,
    body: Uint8Array,
    correlationId: string,
  ) => KnownMessage | undefined;
  /** Whether the process is about to end: then nothing new is taken. */
  readonly isEnding: () => boolean;
  readonly limits?: typeof CALLER_LIMITS;
  readonly monotonicMs: () => number;
  /** Asked for each request: the port may not be known before the door is open. The same names are the same value. */
  readonly names: () => OwnNames;
  readonly newId: () => Ulid;
  /** Hooks of whoever watches every request, before any other, and what they are told of those that pass none. */
  readonly observe?: (door: FastifyInstance) => RequestObserver;
  /** The OpenAPI file. */
  readonly openapi: string;
  /** Routes of pages, whose guards are the same. */
  readonly pages?: (door: FastifyInstance) => void;
  /** A credential that is shown otherwise than as a bearer token; undefined where none is. */
  readonly shownOtherwise?: (request: FastifyRequest) => CallerCredential | RefusedAnswer | undefined;
  readonly service: Service & {
    readonly posture: () => Promise<ServicePosture | RefusedAnswer>;
    /** Where it is held by this process. */
    readonly recall?: Recall;
  };
  readonly streams?: StreamBounds;
  /** What a browser is shown where there is nothing; undefined for whoever is answered as a program. */
  readonly strays?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;
  readonly telemetry: DoorTelemetry;
  readonly tls?: ServedCertificate;
};
