// The HTTPS server in front of a world, on the loopback address alone.
//
// Time is virtual. With a driven clock a request costs a little of it, a late answer costs what it is late by, and
// nobody waits; with a clock that is followed, the world keeps up with it and a late answer is late. A node that is
// dead or cut off takes its connections with it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { httpDateAt } from "../../formats/fields.ts";
import type { SimulatedProvider } from "../ports/provider.ts";
import { decoded } from "../world/decoded.ts";
import { isAnswering } from "../world/world.ts";
import { answer } from "./api.ts";
import { type Format, type Replied, type Written, written } from "./api-reply.ts";
import type { Certificate } from "./certificate.ts";
import { lose } from "./lose.ts";
import { BODY_BYTES_MAX, readBody } from "./request-body.ts";
import type { Setup } from "./route.ts";

/** `driven`: the world's time moves by `requestMs` with every request, and by hand. `follows`: it is that clock's. */
export type Clock =
  | { readonly kind: "driven"; readonly requestMs: number }
  | { readonly kind: "follows"; readonly nowMs: () => number };

/** A request that reached the wire. `status` is absent while no answer was given. */
export type SimulatedRequest = { readonly method: string; readonly path: string; readonly status?: number };

export type Serving = {
  readonly server: Server;
  readonly seen: () => readonly SimulatedRequest[];
  readonly close: () => Promise<void>;
};

const VERBS = new Set(["DELETE", "GET", "POST", "PUT"]);
const PREFIX = /^\/api2\/(json|extjs)(\/[^?]*)?(?:\?(.*))?$/;

type Read = { readonly kind: "text"; readonly text: string } | { readonly kind: "large" };

const textOf = async (request: IncomingMessage): Promise<Read> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) throw new Error("a request is read as bytes");
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return bytes > BODY_BYTES_MAX ? { kind: "large" } : { kind: "text", text: Buffer.concat(chunks).toString("utf8") };
};

export const serve = (
  setup: Setup,
  provider: SimulatedProvider,
  clock: Clock,
  certificate: Certificate,
  onRequest: (seen: SimulatedRequest) => void,
): Serving => {
  const seen: SimulatedRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const pass = (): void => {
    const { nowMs } = provider.world();
    provider.advance(clock.kind === "driven" ? nowMs + clock.requestMs : clock.nowMs());
  };
  const wait = (delayMs: number): Promise<void> => {
    if (delayMs <= 0) return Promise.resolve();
    if (clock.kind === "driven") {
      provider.advance(provider.world().nowMs + delayMs);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, delayMs);
      timers.add(timer);
    });
  };
  const send = (response: ServerResponse, at: number, { body, reason, status }: Written): void => {
    const answered = { ...(seen[at] ?? { method: "", path: "" }), status };
    seen[at] = answered;
    onRequest(answered);
    response.sendDate = false;
    const headers = {
      "Cache-Control": "max-age=0",
      date: httpDateAt(provider.world().nowMs),
      Pragma: "no-cache",
      Server: "pve-api-daemon/3.0",
    };
    if (body === undefined) response.writeHead(status, reason, { ...headers, "Content-Length": 0 }).end();
    else {
      const bytes = Buffer.from(body);
      const content = { "Content-Length": bytes.length, "Content-Type": "application/json;charset=UTF-8" };
      response.writeHead(status, reason, { ...headers, ...content }).end(bytes);
    }
  };
  const replied = async (response: ServerResponse, at: number, { delayMs, reply }: Replied, format: Format) => {
    await wait(delayMs);
    if (reply.kind !== "lost") send(response, at, written(reply, format, setup.dialect));
    else await lose(response, reply.how);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "" } = request;
    pass();
    const at = seen.push({ method, path: url }) - 1;
    if (!isAnswering(provider.world(), setup.local)) {
      request.socket.destroy();
      return;
    }
    const empty = (status: number, reason: string): void => send(response, at, { reason, status });
    if (!VERBS.has(method)) return empty(501, `method '${method}' not available`);
    const [, format, raw = "/", query = ""] = PREFIX.exec(url) ?? [];
    const path = decoded(raw);
    if (path === undefined || (format !== "json" && format !== "extjs")) return empty(404, "no such file");
    const read = await textOf(request);
    if (read.kind === "large") return empty(501, "for data too large");
    if ((method === "GET" || method === "DELETE") && read.text !== "") {
      return empty(501, `Unexpected content for method '${method}'`);
    }
    const body = readBody(read.text, request.headers["content-type"]);
    if (body.kind === "bad") return empty(501, body.reason);
    const params = new Map([...new URLSearchParams(query), ...body.params]);
    return replied(response, at, answer(setup, provider, { headers: request.headers, method, params, path }), format);
  };
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
    respond(request, response).catch((reason: unknown) => {
      // A client that went away is no fault of ours; anything else is a defect, and the client is told so.
      if (request.destroyed || response.headersSent) response.destroy();
      else response.writeHead(500, "simulator defect").end(`${reason instanceof Error ? reason.stack : reason}`);
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    seen: () => [...seen],
    server,
  };
};
