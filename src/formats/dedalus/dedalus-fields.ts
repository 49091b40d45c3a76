// The field rules that only dedalus.yaml has: paths, variables, addresses, fingerprints, spans of time.
//
// No rule lets a connection go unverified (B4) or an address carry a password (B5). The patterns are texts, because
// schemas/dedalus.schema.json says the same ones and a test compares them.

import { matcher } from "../fields.ts";

/** A key that was pasted instead of its path begins with dashes. */
export const PATH_PATTERN =
  "^(?!-----)[^\\s\\p{C}\\p{Zl}\\p{Zp}](?:[^\\p{C}\\p{Zl}\\p{Zp}]{0,998}[^\\s\\p{C}\\p{Zl}\\p{Zp}])?$";
export const VARIABLE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]{0,254}$";
export const FINGERPRINT_PATTERN = "^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$";
export const AGE_PATTERN = "^(?:[1-9][0-9]{0,4} ?s|[1-9][0-9]{0,3} ?min|[1-9][0-9]{0,2} ?h)$";

const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}\\])";
const PORT_NUMBER = "(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})";
const PORT = `(?::${PORT_NUMBER})?`;
const BELOW = "(?:/[A-Za-z0-9._~/-]{0,200})?";
export const HTTPS_PATTERN = `^https://${HOST}${PORT}${BELOW}$`;

const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const LOOPBACK = `(?:127(?:\\.${BYTE}){3}|\\[::1\\])`;
/** By number: what a name leads to is decided elsewhere, and may change. */
export const LISTEN_PATTERN = `^(?:${BYTE}(?:\\.${BYTE}){3}|\\[[0-9a-f:]{2,39}\\]):${PORT_NUMBER}$`;
export const LOOPBACK_LISTEN_PATTERN = `^${LOOPBACK}:${PORT_NUMBER}$`;
const NEAR = `http://(?:localhost|${LOOPBACK})`;
/** As a browser writes an origin: in small letters and without a path. */
export const ORIGIN_PATTERN = `^(?:https://(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\\[[0-9a-f:]{2,39}\\])|${NEAR})${PORT}$`;
/** Plain http stays on this machine, where nobody stands between. */
export const ENDPOINT_PATTERN = `^(?:https://${HOST}|${NEAR})${PORT}${BELOW}$`;
export const PLAIN_ORIGIN_PATTERN = "^http:";

export const isPath = matcher(PATH_PATTERN);
export const isVariable = matcher(VARIABLE_PATTERN);
export const isFingerprint = matcher(FINGERPRINT_PATTERN);
export const isHttps = matcher(HTTPS_PATTERN);
export const isListen = matcher(LISTEN_PATTERN);
export const isLoopbackListen = matcher(LOOPBACK_LISTEN_PATTERN);
export const isOrigin = matcher(ORIGIN_PATTERN);
export const isEndpoint = matcher(ENDPOINT_PATTERN);
export const isPlainOrigin = matcher(PLAIN_ORIGIN_PATTERN);
/**
 * Whether a browser makes passkeys for this origin: they belong to a name, and an address has none (WebAuthn, "relying
 * party identifier"). An address may be written in several ways; the one that a browser makes of it decides.
 */
export const hasName = (origin: string): boolean => !/^(?:\[.*\]|[0-9.]+)$/.test(new URL(origin).hostname);
const isAge = matcher(AGE_PATTERN);

const MS = new Map([
  ["s", 1000],
  ["min", 60_000],
  ["h", 3_600_000],
]);

/** Milliseconds; undefined for a text that is not a span of time. */
export const parseAge = (text: string): number | undefined => {
  if (!isAge(text)) return undefined;
  const count = Number.parseInt(text, 10);
  const ms = MS.get(text.slice(`${count}`.length).trim());
  return ms === undefined ? undefined : count * ms;
};

const SPELLINGS: readonly (readonly [string, readonly string[]])[] = [
  ["s", ["s", "sec", "secs", "second", "seconds"]],
  ["min", ["m", "min", "mins", "minute", "minutes"]],
  ["h", ["h", "hr", "hrs", "hour", "hours"]],
];

/** The span that was probably meant by 5m, 5 minutes or 1 hour. */
export const nearestAge = (text: string): string | undefined => {
  const [, digits, unit] = /^([1-9][0-9]{0,4}) {0,2}([A-Za-z]{1,8})$/.exec(text) ?? [];
  const meant = SPELLINGS.find(([, spellings]) => spellings.includes(unit?.toLowerCase() ?? ""))?.[0];
  const written = `${digits} ${meant}`;
  return isAge(written) ? written : undefined;
};
