// The tables of log events and metrics, from those that the program logs and counts by.

import { LOG_EVENT_NAMES, LOG_EVENTS } from "../../src/boundary/telemetry/log-events.ts";
import { METRIC_NAMES, METRICS } from "../../src/boundary/telemetry/metric-table.ts";
import { METRIC_WORDS } from "../../src/spine/words/remarks/metric-words.ts";
import { cell } from "./cell.ts";

const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

export const logEventLines = (): readonly string[] => [
  "| event | level | fields | where known |",
  "| --- | --- | --- | --- |",
  ...LOG_EVENT_NAMES.map((event) => {
    const { level, optional, required } = LOG_EVENTS[event];
    return `| \`${event}\` | ${level} | ${named(required)} | ${named(optional)} |`;
  }),
];

export const metricLines = (): readonly string[] => [
  "| metric | kind | labels | says |",
  "| --- | --- | --- | --- |",
  ...METRIC_NAMES.map((name) => {
    const { kind, labels } = METRICS[name];
    return `| \`${name}\` | ${kind} | ${named(labels)} | ${cell(METRIC_WORDS[name])} |`;
  }),
];
