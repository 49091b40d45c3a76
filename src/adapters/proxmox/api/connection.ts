// The two handles on one provider: one that can only GET, and one that sends a single mutating request. Keeps N3, B4.
//
// Reads share a few connections that are kept alive; a mutating request gets a connection of its own, so that it is
// known whether a byte of it has left. Nothing is repeated. The token is revealed here and nowhere else (B5).

import { request } from "node:https";
import { type ApiAddress, contextOf, dial, type ServerTrust } from "../../../dial/trust.ts";
import type { Diagnostic } from "../../../spine/diagnostic-codes.ts";
import { ABORTED, type Bounds, exchange } from "./exchange.ts";
import { gate } from "./gate.ts";
import { keptConnections } from "./kept-connections.ts";
import type { PveReply } from "./pve-reply.ts";
import type { ApiToken } from "./pve-token.ts";

export type Limits = {
  readonly connectMs: number;
  readonly listBytesMax: number;
  readonly readBytesMax: number;
  readonly readMs: number;
  readonly sendMs: number;
};

/**
 * Inside a cluster PVE itself waits 30 s for another node, and for its own daemon, and 3 s for a VM's monitor; its word
 * that it gave up (596) comes after that, so a call is waited for longer.
 */
export const LIMITS: Limits = {
  connectMs: 5000,
  listBytesMax: 64 * 1024 * 1024,
  readBytesMax: 4 * 1024 * 1024,
  readMs: 10_000,
  sendMs: 40_000,
};

/** How many requests are under way at a time, at most. */
const REQUESTS_MAX = 32;

export type Endpoint = {
  readonly limits: Limits;
  readonly address: ApiAddress;
  readonly token: ApiToken;
  readonly trust: ServerTrust;
};

export type Get = (path: string, bytesMax: number, signal: AbortSignal) => Promise<PveReply>;

const headersOf = (token: ApiToken): Record<string, string> => ({
  accept: "application/json",
  authorization: token.header.reveal(),
});

/** A provider, or a proxy before it, that sends back what it was sent must not make us tell it on. */
const scrubber = ({ half }: ApiToken): Bounds["scrub"] => {
  const secret = half.reveal();
  const bytes = Buffer.from(secret);
  return (raw) =>
    raw.body.includes(bytes) || raw.reason.includes(secret)
      ? {
          ...raw,
          body: Buffer.from(raw.body.toString("utf8").replaceAll(secret, `${half}`)),
          reason: raw.reason.replaceAll(secret, `${half}`),
        }
      : raw;
};

export const getter = ({ address, limits, token, trust }: Endpoint): Get => {
  const context = contextOf(trust);
  const agent = keptConnections(() => dial(address, trust, limits.connectMs, undefined, context));
  const pass = gate(REQUESTS_MAX);
  // Made once: a fleet is some thousand requests.
  const headers = headersOf(token);
  const scrub = scrubber(token);
  return (path, bytesMax, signal) =>
    pass(async () =>
      signal.aborted
        ? { kind: "none", left: false, why: ABORTED }
        : exchange(
            request({
              agent,
              headers,
              host: address.host,
              method: "GET",
              path: `${address.prefix}/api2/json${path}`,
              port: address.port,
            }),
            { answerMs: limits.readMs, bytesMax, scrub },
            signal,
          ),
    );
};

export type HttpCall = {
  readonly form: Readonly<Record<string, string>>;
  readonly method: "DELETE" | "POST" | "PUT";
  readonly path: string;
};
/**
 * `objection` is asked when the connection stands and nothing has been sent: a reason keeps the request from leaving,
 * and so does the signal. What has left is not broken off: that would lose its answer and undo nothing.
 */
export type Send = (
  call: HttpCall,
  objection: () => Promise<Diagnostic | undefined>,
  signal: AbortSignal,
) => Promise<PveReply>;

const NOT_BROKEN_OFF = new AbortController().signal;

export const sendOnce =
  ({ limits, address, token, trust }: Endpoint): Send =>
  async (call, objection, signal) => {
    const dialled = await dial(address, trust, limits.connectMs, signal);
    if (dialled.kind === "failed") return { kind: "none", left: false, why: dialled.why };
    const { socket } = dialled;
    const why = (signal.aborted ? ABORTED : await objection()) ?? (signal.aborted ? ABORTED : undefined);
    if (why !== undefined) {
      socket.destroy();
      return { kind: "none", left: false, why };
    }
    const body = new URLSearchParams(call.form).toString();
    const outgoing = request({
      createConnection: () => socket,
      headers: {
        ...headersOf(token),
        connection: "close",
        ...(call.method === "DELETE"
          ? {}
          : { "content-length": String(body.length), "content-type": "application/x-www-form-urlencoded" }),
      },
      host: address.host,
      method: call.method,
      path: `${address.prefix}/api2/json${call.path}`,
      port: address.port,
    });
    if (call.method !== "DELETE") outgoing.write(body);
    const bounds = { answerMs: limits.sendMs, bytesMax: limits.readBytesMax, scrub: scrubber(token) };
    try {
      return await exchange(outgoing, bounds, NOT_BROKEN_OFF);
    } finally {
      socket.destroy();
    }
  };
