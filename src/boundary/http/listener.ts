// The bare server: how long a head and a request may take to come, how large a head may be, and how many
// connections there are. Over TLS where there is a certificate, which can be replaced while it serves.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { createSecureContext, type SecureContextOptions } from "node:tls";
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

/** Said again with each certificate: what is left out then is the platform's default. */
const securedBy = ({ cert, key }: ServedCertificate): SecureContextOptions => ({ cert, key, minVersion: "TLSv1.2" });

export type CertificateFlaw = { readonly cause: "malformed" | "mismatch"; readonly said: string };

/** Why nothing can be served with it. */
export const certificateFlaw = (certificate: ServedCertificate): CertificateFlaw | undefined => {
  try {
    // A context is made of nothing, too: an empty file is one that somebody is still writing.
    if (!new X509Certificate(certificate.cert).checkPrivateKey(createPrivateKey(certificate.key)))
      return { cause: "mismatch", said: "the key is not that of the certificate" };
    createSecureContext(securedBy(certificate));
    return undefined;
  } catch (error) {
    const { code, message: said } = error as NodeJS.ErrnoException;
    return { cause: code === "ERR_OSSL_X509_KEY_VALUES_MISMATCH" ? "mismatch" : "malformed", said };
  }
};

/** For whoever connects from now on. */
export const replaceCertificate = (server: object, certificate: ServedCertificate): void => {
  if ("setSecureContext" in server) (server as TlsServer).setSecureContext(securedBy(certificate));
};

export const listenerOf = (tls: ServedCertificate | undefined, handler: RequestListener): Server | TlsServer => {
  const server =
    tls === undefined ? createServer(BOUNDS, handler) : createTlsServer({ ...BOUNDS, ...securedBy(tls) }, handler);
  server.maxConnections = CONNECTIONS_MAX;
  return server;
};
