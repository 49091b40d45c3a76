// A small HTTPS server that answers what a test wrote down, in the shapes of the real API, and keeps every request.
//
// It knows nothing of virtual machines; what behaves like a cluster is the simulator.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { TestContext } from "node:test";
import { LIMITS, type Limits } from "../../../src/adapters/proxmox/api/connection.ts";
import { type Certificate, certificate } from "./certificate.ts";

export type Asked = {
  readonly authorization: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
  readonly verb: string;
  readonly what: string;
};
export type Written =
  | { readonly data: unknown }
  | { readonly status: number; readonly reason: string; readonly message?: string; readonly errors?: object }
  /** Whatever else a server may do. */
  | { readonly raw: (response: ServerResponse, request: IncomingMessage) => void };
/** By `VERB /path?query`, or by `VERB /path` for every query. */
export type Answers = Readonly<Record<string, Written | ((asked: Asked) => Written)>>;

export type TestProvider = {
  readonly asked: readonly Asked[];
  readonly certificate: Certificate;
  readonly url: string;
};

/** One pair of keys serves every test that does not ask for dates of its own. */
export const CERTIFICATE = certificate();
export const TOKEN_NAME = "dedalus@pve!test";
export const TOKEN_SECRET = "11111111-2222-3333-4444-555555555555";
export const TOKEN = `${TOKEN_NAME}=${TOKEN_SECRET}`;
/** One bound made short, where a test waits for its end; all the others stay long, however busy the machine is. */
export const within = (bound: Partial<Limits>): Limits => ({ ...LIMITS, ...bound });

export const refused = (status: number, reason: string): Written => ({ message: `${reason}\n`, reason, status });
export const empty = (status: number, reason: string): Written => ({
  raw: (response) => {
    response.writeHead(status, reason);
    response.end();
  },
});

const NOT_WRITTEN = (asked: Asked): Written => refused(501, `Method '${asked.verb} ${asked.what}' not implemented`);

const opened = async (
  answers: Answers,
  identity: Certificate,
): Promise<TestProvider & { readonly close: () => Promise<void> }> => {
  const asked: Asked[] = [];
  const server = createServer({ cert: identity.cert, key: identity.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const what = (request.url ?? "").replace(/^\/api2\/json/, "");
      const one: Asked = {
        authorization: request.headers.authorization ?? "",
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
        verb: request.method ?? "",
        what,
      };
      asked.push(one);
      const written =
        answers[`${one.verb} ${what}`] ?? answers[`${one.verb} ${what.replace(/\?.*/, "")}`] ?? NOT_WRITTEN;
      answer(typeof written === "function" ? written(one) : written, response, request);
    });
  });
  // A client that turns away in the middle of a handshake is what some tests are about.
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { asked, certificate: identity, close, url: `https://localhost:${port}` };
};

/** Open until the test is over. */
export const openProvider = async (
  t: TestContext,
  answers: Answers,
  identity: Certificate = CERTIFICATE,
): Promise<TestProvider> => {
  const provider = await opened(answers, identity);
  t.after(provider.close);
  return provider;
};

/** Open until the work is done. */
export const openProviderFor = async <T>(
  answers: Answers,
  work: (provider: TestProvider) => Promise<T>,
  identity: Certificate = CERTIFICATE,
): Promise<T> => {
  const provider = await opened(answers, identity);
  try {
    return await work(provider);
  } finally {
    await provider.close();
  }
};

const answer = (written: Written, response: ServerResponse, request: IncomingMessage): void => {
  if ("raw" in written) {
    written.raw(response, request);
    return;
  }
  const type = { "content-type": "application/json;charset=UTF-8" };
  if ("data" in written) {
    response.writeHead(200, "OK", type);
    response.end(JSON.stringify({ data: written.data }));
    return;
  }
  const { errors, message, reason, status } = written;
  response.writeHead(status, reason.replace(/\p{C}.*/su, ""), type);
  response.end(JSON.stringify({ data: null, ...(errors === undefined ? {} : { errors }), message }));
};
