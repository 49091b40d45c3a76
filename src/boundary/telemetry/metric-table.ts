// Every metric of a serving process: its kind and its labels. prom-client adds those of the process itself.
//
// A label has few values: a template of a route, a status, a code of a closed table, an environment or a receiver of
// the configuration. No label is a text that somebody sends. Not here: what each says
// (spine/words/remarks/metric-words.ts).

import type { METRIC_WORDS } from "../../spine/words/remarks/metric-words.ts";

type Row = { readonly kind: "counter" | "gauge" | "histogram"; readonly labels: readonly string[] };

export const METRICS = {
  dedalus_applies_total: { kind: "counter", labels: ["outcome"] },
  dedalus_authentication_failures_total: { kind: "counter", labels: ["route"] },
  dedalus_blocked_vms: { kind: "gauge", labels: ["environment"] },
  dedalus_build_info: { kind: "gauge", labels: ["version"] },
  dedalus_follower_lag_records: { kind: "gauge", labels: [] },
  dedalus_freezes: { kind: "gauge", labels: ["environment"] },
  dedalus_http_request_duration_seconds: { kind: "histogram", labels: ["route"] },
  dedalus_http_requests_total: { kind: "counter", labels: ["method", "route", "status"] },
  dedalus_ledger_head_age_seconds: { kind: "gauge", labels: [] },
  dedalus_ledger_read_only: { kind: "gauge", labels: [] },
  dedalus_ledger_records: { kind: "gauge", labels: [] },
  dedalus_log_lines_dropped_total: { kind: "counter", labels: [] },
  dedalus_open_intents: { kind: "gauge", labels: ["environment"] },
  dedalus_overdue_intents: { kind: "gauge", labels: [] },
  dedalus_provider_call_duration_seconds: { kind: "histogram", labels: ["environment", "call"] },
  dedalus_provider_calls_total: { kind: "counter", labels: ["environment", "call", "result"] },
  dedalus_queue_length: { kind: "gauge", labels: ["queue"] },
  dedalus_refusals_total: { kind: "counter", labels: ["code"] },
  dedalus_webhook_deliveries_total: { kind: "counter", labels: ["receiver", "result"] },
  dedalus_webhook_lag_records: { kind: "gauge", labels: ["receiver"] },
} as const satisfies Readonly<Record<keyof typeof METRIC_WORDS, Row>>;

export type MetricName = keyof typeof METRICS;
type NameOf<K extends Row["kind"]> = {
  [N in MetricName]: (typeof METRICS)[N]["kind"] extends K ? N : never;
}[MetricName];
export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]["labels"][number], number | string>>;

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** From a millisecond to the longest that a request may wait. */
export const DURATION_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
