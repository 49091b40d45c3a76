// The field rules of a scenario, and readings that only it needs: yes or no, spans of virtual time, lists of texts.
//
// Each answers with the value, or with undefined after it has reported why. Keeps P7-F1: nothing is converted.

import { plainly, suchAs, wholeNumber } from "../expectation.ts";
import { CPUS_MAX, isCpus, isName, isText, matcher } from "../fields.ts";
import { itemsAt, plain, reportType, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { type TextRule, textAt } from "../yaml/yaml-values.ts";

export const NODE_PATTERN = "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";
export const USER_PATTERN = "^[^\\s\\p{C}\\p{Zl}\\p{Zp}:/@!]{1,60}@[A-Za-z][A-Za-z0-9.-]{0,31}$";
export const TOKEN_PATTERN =
  "^[^\\s\\p{C}\\p{Zl}\\p{Zp}:/@!]{1,60}@[A-Za-z][A-Za-z0-9.-]{0,31}![A-Za-z][A-Za-z0-9._-]{0,126}$";
export const RELEASE_PATTERN = "^[89]\\.[0-9]{1,2}\\.[0-9]{1,3}$";
export const ACL_PATH_PATTERN = "^/(?:[A-Za-z0-9._-]{1,100}(?:/[A-Za-z0-9._-]{1,100}){0,3})?$";
export const SNAPSHOT_PATTERN = "^[A-Za-z][A-Za-z0-9_-]{1,39}$";
export const SPAN_PATTERN = "^(?:0|[1-9][0-9]{0,8}) ?(?:ms|s|min|h)$";

/** The roles that every provider has. */
export const ROLES = [
  "Administrator",
  "NoAccess",
  "PVEAdmin",
  "PVEAuditor",
  "PVEPoolUser",
  "PVEVMAdmin",
  "PVEVMUser",
] as const;

export const NODE_NAME: TextRule = { expected: plainly("node-name"), is: matcher(NODE_PATTERN) };
export const NAME: TextRule = { expected: plainly("name"), is: isName };
export const LINE: TextRule = { expected: plainly("line"), is: isText };
export const USER: TextRule = { expected: suchAs("user", "dedalus@pve"), is: matcher(USER_PATTERN) };
export const TOKEN: TextRule = { expected: suchAs("token", "dedalus@pve!observe"), is: matcher(TOKEN_PATTERN) };
export const RELEASE: TextRule = {
  expected: plainly("release"),
  is: matcher(RELEASE_PATTERN),
};
export const ACL_PATH: TextRule = { expected: plainly("acl-path"), is: matcher(ACL_PATH_PATTERN) };
export const WHO: TextRule = {
  expected: suchAs("user-or-token", "dedalus@pve", "dedalus@pve!observe"),
  is: (value): value is string => USER.is(value) || TOKEN.is(value),
};
export const CPUS = { expected: wholeNumber(1, CPUS_MAX), is: isCpus };

export const countRule = (least: number, most: number) => ({
  expected: wholeNumber(least, most),
  is: (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most,
});

export const booleanAt = (reader: YamlReader, spot: Spot | undefined): boolean | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  return typeof value === "boolean" ? value : reportType(reader, spot, plainly("flag"));
};

const isSpan = matcher(SPAN_PATTERN);
const MS = new Map([
  ["ms", 1],
  ["s", 1000],
  ["min", 60_000],
  ["h", 3_600_000],
]);

/** Milliseconds. */
export const spanAt = (reader: YamlReader, spot: Spot | undefined): number | undefined => {
  const text = textAt(reader, spot, { expected: plainly("span"), is: isSpan });
  if (text === undefined) return undefined;
  const count = Number.parseInt(text, 10);
  const unit = MS.get(text.slice(`${count}`.length).trim());
  // The pattern has no other units.
  if (unit === undefined) throw new TypeError("a span has a unit");
  return count * unit;
};

export const textsAt = (reader: YamlReader, spot: Spot | undefined, rule: TextRule): readonly string[] | undefined => {
  const items = spot === undefined ? undefined : itemsAt(reader, spot);
  if (items === undefined) return undefined;
  return items.map((item) => textAt(reader, item, rule)).filter((text) => text !== undefined);
};

/** The members of an object that are there. */
export const some = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } => {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in members) {
    const value = members[key];
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
};
