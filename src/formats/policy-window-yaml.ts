// `only` of a line of policy.yaml: days of the week, and spans of hours, in UTC. Spans are in order, and none touches
// another, so that a window is written in one way. Keeps P7-F1.

import { type PolicyWindow, WEEKDAYS, type Weekday } from "../spine/plan/policy.ts";
import { HOURS_PATTERN, hourSpanOf } from "../spine/plan/policy-window.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { present } from "../spine/values/present.ts";
import { plainly } from "./expectation.ts";
import {
  fieldsAt,
  itemsAt,
  reportMissing,
  reportType,
  reportValue,
  type Spot,
  type YamlReader,
} from "./yaml/yaml-reader.ts";
import { textAt, wordAt } from "./yaml/yaml-values.ts";

const expression = new RegExp(HOURS_PATTERN, "u");
const isHours = (value: unknown): value is string => {
  if (typeof value !== "string" || !expression.test(value)) return false;
  const { from, until } = hourSpanOf(value);
  return from < until;
};
const HOURS = { expected: plainly("hours"), is: isHours };

export const windowAt = (reader: YamlReader, spot: Spot | undefined): PolicyWindow | undefined => {
  if (spot === undefined) return undefined;
  const fields = fieldsAt(reader, spot, ["days", "hours"]);
  if (fields === undefined) return undefined;
  if (fields.size === 0) reportMissing(reader, spot, fields, ["days", "hours"]);
  const days = daysAt(reader, fields.get("days"));
  const hours = hoursAt(reader, fields.get("hours"));
  const isRead = fields.has("days") === (days !== undefined) && fields.has("hours") === (hours !== undefined);
  return isRead && fields.size > 0 ? { ...present({ days, hours }) } : undefined;
};

const someAt = (reader: YamlReader, spot: Spot | undefined): readonly Spot[] | undefined => {
  if (spot === undefined) return undefined;
  const items = itemsAt(reader, spot);
  return items?.length === 0 ? reportType(reader, spot, plainly("list-not-empty")) : items;
};

/** In the order of the week, whatever the order in the file. */
const daysAt = (reader: YamlReader, spot: Spot | undefined): readonly Weekday[] | undefined => {
  const items = someAt(reader, spot);
  const days = new Set<Weekday>();
  let read = 0;
  for (const item of items ?? []) {
    const day = wordAt(reader, item, WEEKDAYS);
    if (day === undefined) continue;
    if (days.has(day)) reader.report(item, refuse("value-wrong", { cause: "word-twice", facts: { word: day } }));
    else read += 1;
    days.add(day);
  }
  return items === undefined || read < items.length ? undefined : WEEKDAYS.filter((day) => days.has(day));
};

const hoursAt = (reader: YamlReader, spot: Spot | undefined): readonly string[] | undefined => {
  const items = someAt(reader, spot);
  const hours: string[] = [];
  for (const item of items ?? []) {
    const text = textAt(reader, item, HOURS);
    if (text === undefined) continue;
    const last = hours.at(-1);
    if (last !== undefined && hourSpanOf(text).from <= hourSpanOf(last).until)
      reportValue(reader, item, { cause: "later-hours", facts: { last } });
    else hours.push(text);
  }
  return items === undefined || hours.length < items.length ? undefined : hours;
};
