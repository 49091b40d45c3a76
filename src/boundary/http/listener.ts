// The bare server: how long a head and a request may take to come, how large a head may be, and how many
// connections there are. Over TLS where there is a certificate, which can be replaced while it serves.

import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { HEAD_BYTES_MAX } from "./broken-requests.ts";
import type { ServedCertificate } from "./door-given.ts";

const CONNECTIONS_MAX = 1_024;
const BOUNDS: ServerOptions = {
  connectionsCheckingInterval: 500,
  headersTimeout: 10_000,
  insecureHTTPParser: false,
  keepAliveTimeout: 60_000,
  maxHeaderSize: HEAD_BYTES_MAX,
  requestTimeout: 30_000,
  requireHostHeader: true,
};

export const listenerOf = (tls: ServedCertificate | undefined, handler: RequestListener): Server | TlsServer => {
  const server =
    tls === undefined
      ? createServer(BOUNDS, handler)
      : createTlsServer({ ...BOUNDS, ...tls, minVersion: "TLSv1.2" }, handler);
  server.maxConnections = CONNECTIONS_MAX;
  return server;
};
