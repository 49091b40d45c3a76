// Where a ledger on PostgreSQL is: the url read once, a name for messages, and texts that never hold the password.
//
// keeps B4: elsewhere than on this machine a server is reached by verified TLS alone. What a url or the environment
// says of TLS is judged by what the driver makes of it, and replaced by settings that say verified in so many words: a
// switch of Node's own (NODE_TLS_REJECT_UNAUTHORIZED) would otherwise turn off what nobody set.
// keeps B5: the url and the password appear in no message; errors pass through `failure` on their way out.

import { isIPv4 } from "node:net";
import { Client, type ClientConfig } from "pg";
import type { Refusal } from "../../../spine/model.ts";
import { type About, refuse } from "../../../spine/rules/refusals.ts";
import type { ServerFailure } from "../../failure.ts";
import { isPostgresUrl } from "./address.ts";

export type Target = {
  readonly kind: "target";
  readonly config: ClientConfig;
  /** "postgres", the host and the database; neither user nor password. */
  readonly name: string;
  /** What an error of the driver or of the server means; `said` is its text without any secret. */
  readonly failure: (error: unknown) => SaidFailure;
};

/** How the server must prove who it is; the machine's own authorities, or those of one file. */
export type PostgresTrust = { readonly verify: "system" } | { readonly pem: string; readonly verify: "ca" };

const CONNECT_MAX_MS = 10_000;

export type SaidFailure = Extract<ServerFailure, { readonly cause: "server-said" | "unreachable" | "untrusted" }>;

type Refused = { readonly kind: "refused"; readonly refusal: Refusal };
const unusable = (cause: "url-scheme" | "url-unreadable"): Refused => ({
  kind: "refused",
  refusal: refuse("ledger-unusable", { cause }),
});
const untrusted = (about: About<"ledger-untrusted">): Refused => ({
  kind: "refused",
  refusal: refuse("ledger-untrusted", about),
});
const TLS_OFF = untrusted({ cause: "tls-off" });

export const targetOf = (url: string, trust?: PostgresTrust): Target | Refused => {
  if (!isPostgresUrl(url)) return unusable("url-scheme");
  const plain: ClientConfig = {
    application_name: "dedalus ledger",
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
  };
  const said = readClient(plain);
  if (said === undefined) return unusable("url-unreadable");
  if (!verifies(said.ssl)) return TLS_OFF;
  const name = `postgres ${said.host}/${said.database ?? ""}`;
  const failure = failureOf(name, [said.password, passwordIn(url)]);
  const known = { failure, kind: "target", name } as const;
  const isEncrypted = said.ssl !== false || trust !== undefined;
  if (!isEncrypted) {
    return isLocal(said.host)
      ? { ...known, config: { ...plain, ssl: false } }
      : untrusted({ cause: "connection-plain", facts: { host: said.host } });
  }
  if (said.ssl === false && isSwitchedOff(url)) return untrusted({ cause: "tls-contradicted" });
  const config = { ...plain, connectionString: withoutTls(url), ssl: verified(said.ssl, trust) };
  const read = readClient(config);
  // What the driver will do is what counts, whatever else its url can say.
  const isVerified = isObject(read?.ssl) && read.ssl["rejectUnauthorized"] === true;
  return isVerified && read?.host === said.host ? { ...known, config } : TLS_OFF;
};

/** The driver reads the url when a client is made; its errors may quote what it read, so they are not passed on. */
const readClient = (config: ClientConfig): Client | undefined => {
  try {
    return new Client(config);
  } catch {
    return undefined;
  }
};

type Members = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is Members => value instanceof Object;

/** What the driver made of the url and of PGSSLMODE. */
const verifies = (ssl: unknown): boolean =>
  !isObject(ssl) || !(ssl["rejectUnauthorized"] === false || "checkServerIdentity" in ssl);

/**
 * A path is a socket of this machine. A name is whatever a resolver says it is, but for the one that hosts agree on.
 */
const isLocal = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

/**
 * Certificates that the url names are kept; who must have signed the server's is said by the configuration, if it does.
 */
const verified = (ssl: unknown, trust: PostgresTrust | undefined): ClientConfig["ssl"] & object => ({
  ...(isObject(ssl) ? ssl : {}),
  // The driver hides the key from those who copy the rest.
  ...(isObject(ssl) && typeof ssl["key"] === "string" ? { key: ssl["key"] } : {}),
  ...(trust?.verify === "ca" ? { ca: trust.pem } : {}),
  rejectUnauthorized: true,
});

const TLS_WORDS: ReadonlySet<string> = new Set([
  "ssl",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
  "uselibpqcompat",
]);

/** The driver lets a url win over every other setting, so what it says of TLS is taken out once it was read. */
const withoutTls = (url: string): string => {
  const at = url.indexOf("?");
  if (at < 0) return url;
  const rest = url
    .slice(at + 1)
    .split("&")
    .filter((word) => !TLS_WORDS.has(word.split("=")[0] ?? ""));
  return `${url.slice(0, at)}${rest.length === 0 ? "" : `?${rest.join("&")}`}`;
};

const isSwitchedOff = (url: string): boolean => /[?&](?:sslmode=disable|ssl=(?:0|false))(?:&|$)/i.test(url);

/** As it stands in the url, perhaps percent-encoded. */
const passwordIn = (url: string): string | undefined => /^[^:]+:\/\/[^:@/]*:([^@/]*)@/.exec(url)?.[1];

const failureOf = (name: string, secrets: readonly (string | null | undefined)[]): Target["failure"] => {
  const hidden = secrets.filter((secret): secret is string => typeof secret === "string" && secret !== "");
  return (error) => {
    const all = errorsIn(error);
    const text = all.map(plain).join("; ");
    const said = hidden.reduce<string>((rest, secret) => rest.replaceAll(secret, "…"), text);
    return { cause: causeOf(all), facts: { name, said } };
  };
};

const causeOf = (errors: readonly unknown[]): SaidFailure["cause"] => {
  const isAny = (is: (error: unknown) => boolean): boolean => errors.some(is);
  if (isAny((error) => UNTRUSTED.test(codeOf(error)))) return "untrusted";
  if (isAny((error) => UNREACHABLE.test(codeOf(error)) || isCutOff(error))) return "unreachable";
  return "server-said";
};

/** Nobody to ask: codes of the system, and those of a server that goes down. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|57P0[123])$/;

/** The server could not show a certificate that is trusted, by the codes of Node and OpenSSL. */
const UNTRUSTED =
  /^(?:CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_[A-Z_]+|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/;

/** The driver has no code for these: pg 8.23.1, lib/client.js. */
const CUT_OFF: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "timeout expired",
]);
const isCutOff = (error: unknown): boolean => error instanceof Error && CUT_OFF.has(error.message);

/** Node gives one error for each address it tried, and an empty text for all of them. */
const errorsIn = (error: unknown): readonly unknown[] =>
  error instanceof AggregateError && error.errors.length > 0 ? error.errors.flatMap(errorsIn) : [error];

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const plain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  return code === "" ? error.message : `${error.message} (${code})`;
};
