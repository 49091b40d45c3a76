// Where a ledger on PostgreSQL is: the url read once, a name for messages, and texts that never hold the password.
//
// keeps B4: elsewhere than on this machine a server is reached by verified TLS alone. What a url or the environment says of
// TLS is judged by what the driver makes of it, and replaced by settings that say verified in so many words: a switch of
// Node's own (NODE_TLS_REJECT_UNAUTHORIZED) would otherwise turn off what nobody set.
// keeps B5: the url and the password appear in no message; errors pass through `words` on their way out.

import { isIPv4 } from "node:net";
import { Client, type ClientConfig } from "pg";

export type Target = {
  readonly config: ClientConfig;
  /** "postgres", the host and the database; neither user nor password. */
  readonly name: string;
  readonly words: (error: unknown) => string;
};

/** How the server must prove who it is; the machine's own authorities, or those of one file. */
export type Trust = { readonly verify: "system" } | { readonly pem: string; readonly verify: "ca" };

const SCHEME = /^postgres(?:ql)?:\/\//;
const CONNECT_MAX_MS = 10_000;

type Refused = { readonly code: "ledger-unusable" | "ledger-untrusted"; readonly refused: string };
const unreadable = (because: string): Refused => ({ code: "ledger-unusable", refused: because });
const untrusted = (because: string): Refused => ({ code: "ledger-untrusted", refused: because });

export const targetOf = (url: string, trust?: Trust): Target | Refused => {
  if (!SCHEME.test(url)) return unreadable("the url of a ledger on PostgreSQL begins with postgres://");
  const plain: ClientConfig = {
    application_name: "dedalus ledger",
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
  };
  const said = readClient(plain);
  if (said === undefined) return unreadable("the url of the ledger cannot be read");
  if (!verifies(said.ssl)) return untrusted("TLS verification cannot be turned off (B4): say sslmode=verify-full");
  const name = `postgres ${said.host}/${said.database ?? ""}`;
  const words = wordsWithout([said.password, passwordIn(url)]);
  const isEncrypted = said.ssl !== false || trust !== undefined;
  if (!isEncrypted) {
    return isLocal(said.host)
      ? { config: { ...plain, ssl: false }, name, words }
      : untrusted(`${said.host} is not this machine, and the connection would not be encrypted (B4)`);
  }
  if (said.ssl === false && isSwitchedOff(url)) return untrusted("the url turns TLS off, and tls asks for it (B4)");
  const config = { ...plain, connectionString: withoutTls(url), ssl: verified(said.ssl, trust) };
  const read = readClient(config);
  // What the driver will do is what counts, whatever else its url can say.
  const isVerified = isObject(read?.ssl) && read.ssl["rejectUnauthorized"] === true && verifies(read.ssl);
  return isVerified && read?.host === said.host
    ? { config, name, words }
    : untrusted("TLS verification cannot be turned off (B4): say sslmode=verify-full");
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
const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** What the driver made of the url and of PGSSLMODE. */
const verifies = (ssl: unknown): boolean =>
  !isObject(ssl) || !(ssl["rejectUnauthorized"] === false || "checkServerIdentity" in ssl);

/** A path is a socket of this machine. A name is whatever a resolver says it is, but for the one that hosts agree on. */
const isLocal = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

/** Certificates that the url names are kept; who must have signed the server's is said by the configuration, if it does. */
const verified = (ssl: unknown, trust: Trust | undefined): ClientConfig["ssl"] & object => ({
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
    .filter((word) => !TLS_WORDS.has(word.split("=", 1)[0] ?? ""));
  return `${url.slice(0, at)}${rest.length === 0 ? "" : `?${rest.join("&")}`}`;
};

const isSwitchedOff = (url: string): boolean => /[?&](?:sslmode=disable|ssl=(?:0|false))(?:&|$)/i.test(url);

/** As it stands in the url, perhaps percent-encoded. */
const passwordIn = (url: string): string | undefined => /^[^:]+:\/\/[^:@/]*:([^@/]*)@/.exec(url)?.[1];

const wordsWithout = (secrets: readonly (string | null | undefined)[]): ((error: unknown) => string) => {
  const hidden = secrets.filter((secret) => typeof secret === "string" && secret !== "");
  return (error) => hidden.reduce<string>((text, secret) => text.replaceAll(secret ?? "", "…"), plain(error));
};

const plain = (error: unknown): string => {
  // Node gives one error for each address it tried, and an empty text for all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(plain).join("; ");
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? `${error.message} (${error.code})` : error.message;
};
