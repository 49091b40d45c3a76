// Whether the service of a configuration is ready, asked at its own address: for health checks of containers and
// scripts.
//
// With TLS its own certificate is the only one that counts, whatever name and date that has; no chain is asked.
// Nothing is sent but the question, and nothing of the answer is read but its status. Not here: what readiness is
// (http/serve-health.ts).

import { X509Certificate } from "node:crypto";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { dial } from "../dial/trust.ts";

export type ReadyAt = {
  /** The certificate that it serves with. */
  readonly certificate?: string;
  /** ADDRESS:PORT, by number. */
  readonly listen: string;
  /** The origin under which people reach it. */
  readonly url?: string;
};

/** not-ready: it answers, and says that it cannot serve. */
export type Readiness = "not-ready" | "ready" | "unreachable";

/** Nobody was asked: what is held against the service's certificate is not one. */
export type Unasked = "certificate-malformed";

/** What listens everywhere listens here. */
const HERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

export const askReady = async (
  { certificate, listen, url }: ReadyAt,
  timeoutMs: number,
): Promise<Readiness | Unasked> => {
  const pin = certificate === undefined ? undefined : fingerprintOf(certificate);
  if (pin === "certificate-malformed") return pin;
  const at = listen.lastIndexOf(":");
  const listening = listen.slice(0, at).replace(/^\[|\]$/g, "");
  const [host, port] = [HERE[listening] ?? listening, Number(listen.slice(at + 1))];
  const socket = pin === undefined ? connect({ host, port }) : await secured(host, port, pin.sha256, timeoutMs);
  if (socket === undefined) return "unreachable";
  const name = url === undefined ? `${host.includes(":") ? `[${host}]` : host}:${port}` : new URL(url).host;
  return statusOver(socket, name, timeoutMs);
};

/** A file that somebody is still writing is no certificate either. */
const fingerprintOf = (certificate: string): Unasked | { readonly sha256: string } => {
  try {
    return { sha256: new X509Certificate(certificate).fingerprint256 };
  } catch {
    return "certificate-malformed";
  }
};

const secured = async (host: string, port: number, sha256: string, timeoutMs: number): Promise<Socket | undefined> => {
  const dialled = await dial({ host, port, prefix: "" }, { sha256, verify: "pinned" }, timeoutMs);
  return dialled.kind === "connected" ? dialled.socket : undefined;
};

const statusOver = (socket: Socket, name: string, timeoutMs: number): Promise<Readiness> =>
  new Promise((resolve) => {
    const settle = (readiness: Readiness): void => {
      socket.destroy();
      resolve(readiness);
    };
    const request = get({ createConnection: () => socket, headers: { host: name }, path: "/readyz" }, (answer) =>
      settle(answer.statusCode === 200 ? "ready" : "not-ready"),
    );
    request.setTimeout(timeoutMs, () => settle("unreachable"));
    request.on("error", () => settle("unreachable"));
  });
