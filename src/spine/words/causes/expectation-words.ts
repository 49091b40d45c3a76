// What a field of a file must be, by cause, and the sentences that say so of a value that is something else.
//
// One table for every parser: a rule of a field names its cause and the facts of it, never a text of its own. What only
// one provider writes so is told by an example, which is a fact. Not here: which values fit (formats/).

import { after } from "../cause.ts";

export const EXPECTATIONS = {
  list: "a list",
  map: "a map",
  object: "an object",
  "object-with": "an object with {keys}",
  "object-with-one": "an object with one of {keys}",
  "text-key": "a text as key",
  flag: "true or false",
  "only-true": "true",
  word: "one of {words}",
  version: "version {known}",
  "whole-number": "a whole number",
  integer: "a whole number from {min} to {max}",
  "plain-digits": "plain decimal digits",
  vmid: "a vmid: a whole number from {min} to {max}",
  bytes: "a whole number of bytes from 1 to {max}",
  amount: "an amount such as 2 GiB, or whole bytes from 1 to {max}",
  "environment-name": "an environment's name: a small letter, then up to 62 small letters, digits and hyphens",
  name: "a name: a text of 1 to 255 visible characters without blanks around it",
  identity: "an identity: a text of 1 to 1000 characters",
  line: "a text of 1 to 1000 visible characters",
  "visible-text": "a text of visible characters",
  "plan-id": "the id of a recorded plan: 26 letters and digits",
  digest: "a SHA-256 in 64 small hexadecimal digits",
  "utc-time": "a time in UTC such as 2026-11-15T10:00:00Z",
  "quoted-time": 'an instant in quotes, such as "2026-01-01T00:00:00Z"',
  "list-not-empty": "a list with something in it",
  hours: "hours in UTC such as 08:00-18:00, the end after the beginning and 24:00 at most",
  "later-hours": "hours that begin after {last}",
  action: "an action such as vm.stop",
  path: "a path",
  variable: "the name of an environment variable",
  address: "an address such as {examples}",
  listen: "an address by number with a port, such as 127.0.0.1:7400 or [::]:7400",
  origin:
    "an origin: https, a host in small letters and a port where it is not 443, without a path; http on this machine alone",
  endpoint: "an https address; http on this machine alone",
  fingerprint: "a SHA-256 fingerprint: 32 bytes in hexadecimal with colons",
  age: "a span of time such as 30 s, 5 min or 1 h",
  subject:
    "a name of small letters a to z, digits and single dots, hyphens or underscores between them; 1 to 64 characters, and not {reserved}",
  "node-name": "a node's name: letters, digits and hyphens",
  user: "a user such as {examples}",
  token: "a token such as {examples}",
  "user-or-token": "a user or a token, such as {examples}",
  release: 'a release in quotes, such as "9.2.3" or "8.4.1"',
  "acl-path": "a path such as /, /vms or /vms/101",
  span: "a span such as 500 ms, 30 s, 5 min or 2 h",
  "config-text": "the text of a configuration file",
  "snapshot-name": "a snapshot's name: a letter, then 1 to 39 letters, digits, _ or -",
  "listed-node": "a node that is written under nodes",
  "listed-user": "a token of a user that is written under users",
  "listed-role": "a role that is written under roles, or {roles}",
} as const;

/** Of a value that is there. */
export const FOUND = after("found {found:as foundAs}; expected ", EXPECTATIONS);

type Suffixed<T, S extends string> = { readonly [K in keyof T & string as `${K}${S}`]: T[K] };
const suffixed = <T extends Readonly<Record<string, string>>, S extends string>(table: T, suffix: S): Suffixed<T, S> =>
  Object.fromEntries(Object.entries(table).map(([cause, text]) => [`${cause}${suffix}`, text])) as Suffixed<T, S>;

/** Of a value from which somebody's meaning can be guessed; it is told as `meant`, and never taken. */
export const FOUND_MEANT = suffixed(FOUND, "-meant");
/** What to do about it. */
export const MEANT = "Write {meant}, if that is meant.";
/** Of a number or a truth value where a text belongs. */
export const FOUND_UNQUOTED = suffixed(FOUND, "-unquoted");

/** The same sentence for every cause of a table. */
export const forEach = <T extends Readonly<Record<string, string>>, W extends string>(
  table: T,
  text: W,
): { readonly [K in keyof T]: W } =>
  Object.fromEntries(Object.keys(table).map((cause) => [cause, text])) as { readonly [K in keyof T]: W };
