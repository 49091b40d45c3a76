// A verified TLS connection, or why there is none. keeps B4
//
// There are three ways to verify and no way not to. With a pin the leaf certificate itself is compared, so neither an
// authority nor a name nor a date is asked; the connection is handed on only after that, so that no token is sent to a
// stranger. The environment variable that turns Node's verification off has no effect here.

import { isIP } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { Tls } from "../formats/dedalus/dedalus-guards.ts";
import { type DIAGNOSTICS, type Diagnostic, type DiagnosticCode, diagnostic } from "../spine/diagnostic-codes.ts";
import { shownText } from "../spine/values/shown-text.ts";

/** How a server is verified, with the authority's certificate at hand. */
export type ServerTrust = Exclude<Tls, { readonly verify: "ca" }> | { readonly pem: string; readonly verify: "ca" };

export type ApiAddress = { readonly host: string; readonly port: number; readonly prefix: string };

export type Dialled =
  | { readonly kind: "connected"; readonly socket: TLSSocket }
  /** `shown` is the fingerprint that the server presented instead of the pinned one. */
  | { readonly kind: "failed"; readonly isReached: boolean; readonly shown?: string; readonly why: Diagnostic };

export const addressOf = (url: string): ApiAddress => {
  const { hostname, pathname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? 443 : Number(port),
    prefix: pathname.replace(/\/+$/, ""),
  };
};

/** A chain is not judged where a pin is: the comparison below is stricter than any chain. */
const isChainJudged = ({ verify }: ServerTrust): boolean => verify !== "pinned";

/** Absent: those that Node knows. */
const authoritiesOf = (trust: ServerTrust): { readonly ca?: string | [] } => {
  if (trust.verify === "system") return {};
  return { ca: trust.verify === "ca" ? trust.pem : [] };
};

/**
 * Made once for all connections to a server: reading the authorities costs more than a handshake. With a pin there
 * are none: nobody is asked for one, and reading them is a twentieth of a plan.
 */
export const contextOf = (trust: ServerTrust): SecureContext =>
  createSecureContext({ minVersion: "TLSv1.2", ...authoritiesOf(trust) });

/** Never rejects. The socket belongs to the caller. */
export const dial = (
  address: ApiAddress,
  trust: ServerTrust,
  connectMs: number,
  signal?: AbortSignal,
  secureContext = contextOf(trust),
): Promise<Dialled> =>
  new Promise((resolve) => {
    const socket = connect({
      host: address.host,
      port: address.port,
      rejectUnauthorized: isChainJudged(trust),
      secureContext,
      ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
    });
    const settle = (dialled: Dialled): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (dialled.kind === "failed") socket.destroy();
      resolve(dialled);
    };
    const fail = (why: Diagnostic, isReached = false): void => settle({ isReached, kind: "failed", why });
    const onError = (error: NodeJS.ErrnoException): void =>
      fail(whyNotConnected(error), OF_CERTIFICATE.test(error.code ?? ""));
    const onAbort = (): void => fail(diagnostic("request-aborted"));
    const late = (): void => fail(diagnostic("connect-timed-out", { facts: { ms: connectMs } }));
    const timer = setTimeout(late, connectMs);
    // It stays: what a dying socket still has to say is of no use to anybody.
    socket.on("error", onError);
    socket.once("secureConnect", () => settle(judged(socket, trust)));
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
  });

const judged = (socket: TLSSocket, trust: ServerTrust): Dialled => {
  if (trust.verify !== "pinned") {
    return socket.authorized
      ? { kind: "connected", socket }
      : { isReached: true, kind: "failed", why: diagnostic("certificate-unverified") };
  }
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  if (shown === trust.sha256.toUpperCase()) return { kind: "connected", socket };
  return shown === undefined
    ? { isReached: true, kind: "failed", why: diagnostic("certificate-not-shown") }
    : { isReached: true, kind: "failed", shown, why: diagnostic("certificate-other", { facts: { shown } }) };
};

/**
 * Somebody answered, and could not be believed: the codes of X.509 as Node names them (node:tls, X509 certificate error
 * codes).
 */
const OF_CERTIFICATE = /CERT|ISSUER|SIGNATURE|CRL/;

type Plain = { [C in DiagnosticCode]: (typeof DIAGNOSTICS)[C] extends readonly [] ? C : never }[DiagnosticCode];

/** By the codes of Node's errors. */
const CAUSES: ReadonlyMap<string, Plain> = new Map([
  ["CERT_HAS_EXPIRED", "certificate-expired"],
  ["CERT_NOT_YET_VALID", "certificate-not-yet-valid"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate-self-signed"],
  ["ECONNREFUSED", "connection-refused"],
  ["ECONNRESET", "connection-reset"],
  ["EHOSTUNREACH", "host-unreachable"],
  ["ENETUNREACH", "network-unreachable"],
  ["ENOTFOUND", "host-name-unknown"],
  ["EPROTO", "not-tls"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "not-tls"],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "not-tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-of-another-name"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate-authority-untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate-authority-unknown"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate-authority-unknown"],
]);

export const whyNotConnected = ({ code, message }: NodeJS.ErrnoException): Diagnostic => {
  const cause = CAUSES.get(code ?? "");
  return cause === undefined ? diagnostic("connection-failed", { said: shownText(code ?? message) }) : { code: cause };
};
