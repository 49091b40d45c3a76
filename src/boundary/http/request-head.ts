// The head of a request, read strictly: for whom it is, from which page it comes, and what its query says. A header
// that decides something is there once, or the request is refused: two of them leave open which one is meant.
//
// No answer lets another page read it: there is no CORS here. Keeps P7-F1.

import type { IncomingMessage } from "node:http";
import type { RefusedAnswer } from "../../service/answer.ts";
import { visible } from "../../spine/values/invisible.ts";
import { unfitRequest } from "./door-refusal.ts";

/**
 * Under which names people reach this service: `host:port` as a browser writes it, and the origins of its own
 * pages.
 */
export type OwnNames = { readonly hosts: readonly string[]; readonly origins: readonly string[] };

const ONCE: ReadonlySet<string> = new Set([
  "authorization",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "if-none-match",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "prefer",
  "transfer-encoding",
]);
const SHOWN_MAX = 100;
const shown = (text: string): string => visible(text.slice(0, SHOWN_MAX));

/** The first header that may stand once and stands again; in one pass, because every request is asked. */
const twiceIn = (rawHeaders: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
};

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** A body where none has a meaning: a proxy in between may take it for the next request. */
const bodyRefusal = ({ headers, method = "" }: Head): RefusedAnswer | undefined => {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return BODILESS.has(method) && (encoding !== undefined || Number(length) !== 0)
    ? unfitRequest({ cause: "body-unwanted", facts: { method } })
    : undefined;
};

type Head = Pick<IncomingMessage, "headers" | "method">;

/** What of the head makes the request nobody's here. */
export const headRefusal = (
  request: Head & Pick<IncomingMessage, "rawHeaders">,
  { hosts, origins }: OwnNames,
): RefusedAnswer | undefined => {
  const { headers, rawHeaders } = request;
  const twice = twiceIn(rawHeaders);
  if (twice !== undefined) {
    return unfitRequest({ cause: "header-wrong", facts: { expected: "it once", header: twice } });
  }
  const { host = "", origin } = headers;
  if (!hosts.includes(host.toLowerCase())) {
    return unfitRequest({ cause: "host-foreign", facts: { host: shown(host), known: hosts } });
  }
  return origin === undefined || origins.includes(origin)
    ? bodyRefusal(request)
    : unfitRequest({ cause: "origin-foreign", facts: { origin: shown(origin) } });
};

/** A target may name its host itself, and then counts for more than the header (RFC 9112, 3.2.2). */
export const targetRefusal = (url: string, { hosts }: OwnNames): RefusedAnswer | undefined => {
  const [, host] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  return host === undefined || hosts.includes(host.toLowerCase())
    ? undefined
    : unfitRequest({ cause: "host-foreign", facts: { host: shown(host), known: hosts } });
};

const NO_QUERY: ReadonlyMap<string, readonly string[]> = new Map();

/** Undefined where something in it is no text: what was meant is not guessed. */
export const queryIn = (url: string): ReadonlyMap<string, readonly string[]> | undefined => {
  const at = url.indexOf("?");
  if (at < 0 || at === url.length - 1) return NO_QUERY;
  const query = new Map<string, string[]>();
  for (const pair of url.slice(at + 1).split("&")) {
    const [name, ...rest] = pair.split("=");
    const [key, value] = [decoded(name ?? ""), decoded(rest.join("="))];
    if (key === undefined || value === undefined) return undefined;
    query.set(key, [...(query.get(key) ?? []), value]);
  }
  return query;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
};

/** The names of a service that listens at an address, and that of its public origin. */
export const ownNames = (address: string, port: number, isTls: boolean, url: string | undefined): OwnNames => {
  const scheme = isTls ? "https" : "http";
  const here = address.includes(":") ? `[${address}]` : address;
  const names = new Set([here, ...(LOOPBACK.has(here) ? LOOPBACK : [])]);
  const usual = port === (isTls ? 443 : 80);
  const hosts = [...names].flatMap((name) => [`${name}:${port}`, ...(usual ? [name] : [])]);
  const own = url === undefined ? undefined : new URL(url);
  return {
    hosts: [...new Set([...hosts, ...(own === undefined ? [] : [own.host])])],
    origins: [...new Set([...hosts.map((host) => `${scheme}://${host}`), ...(own === undefined ? [] : [own.origin])])],
  };
};

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);
