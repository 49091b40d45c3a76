// The metrics of one serving process, in a registry of its own, and the text that is scraped.
//
// What is counted is counted when it happens; how things stand is asked for when somebody scrapes, so that nothing
// works in the background. A ledger that does not answer costs its own gauges and no others. Not here: the table
// (metric-table.ts), who may scrape (boundary/http).

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { METRIC_WORDS } from "../../spine/words/remarks/metric-words.ts";
import {
  type CounterName,
  DURATION_SECONDS,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  METRIC_NAMES,
  METRICS,
  type MetricName,
} from "./metric-table.ts";
import type { Posture } from "./posture.ts";

export type Metrics = {
  readonly count: <N extends CounterName>(name: N, labels: LabelsOf<N>, more?: number) => void;
  readonly observe: <N extends HistogramName>(name: N, labels: LabelsOf<N>, seconds: number) => void;
  /** More or less of what is under way. */
  readonly add: <N extends GaugeName>(name: N, labels: LabelsOf<N>, more: number) => void;
  readonly set: <N extends GaugeName>(name: N, labels: LabelsOf<N>, value: number) => void;
  /** From now on its number is asked for whenever somebody scrapes. */
  readonly track: <N extends GaugeName>(name: N, labels: LabelsOf<N>, ask: () => number) => void;
  /** In the text format of Prometheus. */
  readonly scrape: (posture: Posture | undefined) => Promise<{ readonly contentType: string; readonly text: string }>;
};

const optionsOf = (name: MetricName, registers: Registry[]) => ({
  help: METRIC_WORDS[name],
  labelNames: [...METRICS[name].labels],
  name,
  registers,
});

export const openMetrics = (version: string): Metrics => {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const name of METRIC_NAMES) {
    const options = optionsOf(name, [registry]);
    const { kind } = METRICS[name];
    if (kind === "counter") counters.set(name, new Counter(options));
    else if (kind === "gauge") gauges.set(name, new Gauge(options));
    else histograms.set(name, new Histogram({ ...options, buckets: [...DURATION_SECONDS] }));
  }
  collectDefaultMetrics({ register: registry });
  const set: Metrics["set"] = (name, labels, value) => gauges.get(name)?.set({ ...labels }, value);
  set("dedalus_build_info", { version }, 1);
  const tracked: (() => void)[] = [];
  return {
    add: (name, labels, more) => gauges.get(name)?.inc({ ...labels }, more),
    count: (name, labels, more = 1) => counters.get(name)?.inc({ ...labels }, more),
    observe: (name, labels, seconds) => histograms.get(name)?.observe({ ...labels }, seconds),
    scrape: async (posture) => {
      for (const name of OF_POSTURE) gauges.get(name)?.reset();
      set("dedalus_ledger_read_only", {}, posture === undefined || posture.isReadOnly ? 1 : 0);
      if (posture !== undefined) setPosture(set, posture);
      for (const update of tracked) update();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    set,
    track: (name, labels, ask) => {
      tracked.push(() => set(name, labels, ask()));
    },
  };
};

/** An environment without an open intent any more would keep the last number otherwise. */
const OF_POSTURE = [
  "dedalus_blocked_vms",
  "dedalus_follower_lag_records",
  "dedalus_freezes",
  "dedalus_ledger_head_age_seconds",
  "dedalus_ledger_records",
  "dedalus_open_intents",
  "dedalus_overdue_intents",
] as const satisfies readonly GaugeName[];

const setPosture = (set: Metrics["set"], posture: Posture): void => {
  for (const { blocked, freezes, name: environment, open } of posture.environments) {
    set("dedalus_blocked_vms", { environment }, blocked);
    set("dedalus_freezes", { environment }, freezes);
    set("dedalus_open_intents", { environment }, open);
  }
  set("dedalus_overdue_intents", {}, posture.overdue);
  set("dedalus_ledger_records", {}, posture.records);
  if (posture.headAgeSeconds !== undefined) set("dedalus_ledger_head_age_seconds", {}, posture.headAgeSeconds);
  if (posture.lagRecords !== undefined) set("dedalus_follower_lag_records", {}, posture.lagRecords);
};
