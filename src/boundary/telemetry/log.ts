// Writes log lines: one JSON object each, with the fields of the table and nothing else.
//
// The compiler keeps what is not listed out; a value that was widened on the way meets the same table here. Texts are
// cut, so that nobody fills a disk by what they send. Not here: what can be logged (log-events.ts), where lines go
// (whoever opens it).

import type { Instant } from "../../spine/model.ts";
import { LOG_EVENT_NAMES, LOG_EVENTS, LOG_FIELDS, type LogEvent, type LogField, type LogFields } from "./log-events.ts";

export type Log = <E extends LogEvent>(event: E, fields: LogFields<E>) => void;

/** Where lines go, each with its end. */
export type LineStream = { readonly write: (line: string) => void };

const TEXT_CHARACTERS_MAX = 1_024;
const TEXTS_MAX = 16;

const cut = (text: string): string => text.slice(0, TEXT_CHARACTERS_MAX);

/** Undefined for a value of another kind than the field's. */
const valueFor = (field: LogField, value: unknown): number | string | readonly string[] | undefined => {
  const kind = LOG_FIELDS[field];
  if (kind === "number") return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  if (kind === "text") return typeof value === "string" ? cut(value) : undefined;
  return Array.isArray(value)
    ? value
        .filter((one) => typeof one === "string")
        .slice(0, TEXTS_MAX)
        .map(cut)
    : undefined;
};

/** By event, in the order in which a line has them. */
const LISTED: ReadonlyMap<LogEvent, readonly LogField[]> = new Map(
  LOG_EVENT_NAMES.map((event) => [event, [...LOG_EVENTS[event].required, ...LOG_EVENTS[event].optional]]),
);

export const openLog =
  (stream: LineStream, now: () => Instant): Log =>
  (event, fields) => {
    const given: { readonly [F in LogField]?: unknown } = fields;
    const line: Record<string, unknown> = { level: LOG_EVENTS[event].level, time: now(), event };
    for (const field of LISTED.get(event) ?? []) {
      const value = valueFor(field, given[field]);
      if (value !== undefined) line[field] = value;
    }
    stream.write(`${JSON.stringify(line)}\n`);
  };
