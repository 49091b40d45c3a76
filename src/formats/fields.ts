// The rules of single fields, shared by every parser: small predicates and the patterns behind them.
//
// The patterns are exported as texts, because the published JSON Schemas say the same ones and a test compares them.
// Not here: what a whole file needs (one file per format), positions and problems (problem.ts). Keeps P7-F1, N8.

import type { Instant } from "../spine/model.ts";
import { INVISIBLE_CLASS } from "../spine/values/invisible.ts";

/** No white space at either end and nothing invisible: two names that look alike are alike. */
export const NAME_MAX = 255;
export const NAME_PATTERN = `^[^\\s${INVISIBLE_CLASS}](?:[^${INVISIBLE_CLASS}]{0,${NAME_MAX - 2}}[^\\s${INVISIBLE_CLASS}])?$`;
export const ENVIRONMENT_PATTERN = "^[a-z][a-z0-9-]{0,62}$";
export const TEXT_MAX = 1000;
export const TEXT_PATTERN = `^[^${INVISIBLE_CLASS}]{1,${TEXT_MAX}}$`;
/** The same as a name: a tag can protect a VM, so one with a blank before it must not pass for another. */
export const TAG_PATTERN = NAME_PATTERN;
export const SHA256_PATTERN = "^[0-9a-f]{64}$";
/** What the pattern lets through must also be a real date (parseInstant). */
export const INSTANT_PATTERN =
  "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?Z$";

export const CPUS_MAX = 8192;
export const BYTES_MAX = 2 ** 50;

/** Made when it is first asked: a short command asks few of them. */
export const matcher = (pattern: string): ((value: unknown) => value is string) => {
  let expression: RegExp | undefined;
  return (value): value is string => {
    expression ??= new RegExp(pattern, "u");
    return typeof value === "string" && expression.test(value);
  };
};

export const isName = matcher(NAME_PATTERN);
export const isEnvironmentName = matcher(ENVIRONMENT_PATTERN);
export const isText = matcher(TEXT_PATTERN);
export const isTag = matcher(TAG_PATTERN);
export const isSha256Text = matcher(SHA256_PATTERN);

const isWithin = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;

export const isCpus = (value: unknown): value is number => isWithin(value, CPUS_MAX);
export const isBytes = (value: unknown): value is number => isWithin(value, BYTES_MAX);

const isInstantText = matcher(INSTANT_PATTERN);

/** RFC 3339 in UTC, cut to milliseconds; undefined for any other text and for a day that no calendar has. */
export const parseInstant = (text: string): Instant | undefined => {
  if (!isInstantText(text)) return undefined;
  const second = text.slice(0, 19);
  const instant = `${second}.${text.slice(20, -1).slice(0, 3).padEnd(3, "0")}Z`;
  // The platform reads 30 February as 2 March, so only an instant that comes back unchanged was a real one.
  const ms = Date.parse(instant);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === instant ? (instant as Instant) : undefined;
};

/** As HTTP writes it in the Date header. */
export const httpDateAt = (ms: number): string => new Date(ms).toUTCString();

const SHOWN_MAX = 40;

export const clip = (text: string): string => {
  const clipped = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text;
  return clipped.toWellFormed();
};
