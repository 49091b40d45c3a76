// Where a ledger on PostgreSQL is: the url read once, a name for messages, and texts that never hold the password.
//
// keeps B4: a url or an environment that turns certificate verification off is refused.
// keeps B5: the url and the password appear in no message; errors pass through `words` on their way out.

import { Client, type ClientConfig } from "pg";

export type Target = {
  readonly config: ClientConfig;
  /** "postgres", the host and the database; neither user nor password. */
  readonly name: string;
  readonly words: (error: unknown) => string;
};

const SCHEME = /^postgres(?:ql)?:\/\//;
const CONNECT_MAX_MS = 10_000;

export const targetOf = (url: string): Target | { readonly refused: string } => {
  if (!SCHEME.test(url)) return { refused: "the url of a ledger on PostgreSQL begins with postgres://" };
  const config: ClientConfig = {
    application_name: "dedalus ledger",
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
  };
  const client = readClient(config);
  if (client === undefined) return { refused: "the url of the ledger cannot be read" };
  if (!verifies(client.ssl)) return { refused: "TLS verification cannot be turned off (B4): say sslmode=verify-full" };
  const name = `postgres ${client.host}/${client.database ?? ""}`;
  return { config, name, words: wordsWithout([client.password, passwordIn(url)]) };
};

/** The driver reads the url when a client is made; its errors may quote what it read, so they are not passed on. */
const readClient = (config: ClientConfig): Client | undefined => {
  try {
    return new Client(config);
  } catch {
    return undefined;
  }
};

/** What the driver made of the url and of PGSSLMODE. */
const verifies = (ssl: unknown): boolean =>
  typeof ssl !== "object" ||
  ssl === null ||
  !(("rejectUnauthorized" in ssl && ssl.rejectUnauthorized === false) || "checkServerIdentity" in ssl);

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
