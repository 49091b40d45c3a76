// What a serving process tells of itself: log lines, metrics and spans, behind one port that the doors and the
// deliveries use.
//
// Telling changes nothing and decides nothing: what cannot be told is left out, and nobody waits for it. What may be
// told is in closed tables (log-events.ts, metric-table.ts). Not here: records, which are the account of what was
// done (ledger/).

import type { Instant } from "../../spine/model.ts";
import { type LineStream, type Log, openLog } from "./log.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { openSpans, type Spans } from "./trace-spans.ts";

export type Telemetry = {
  /** Lines that whoever reads the log was too slow for. */
  readonly linesDropped: (count: number) => void;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly spans: Spans;
};

type TelemetryGiven = {
  readonly monotonicMs: () => number;
  readonly now: () => Instant;
  /** Where lines go. */
  readonly stream: LineStream;
  readonly version: string;
};

export const openTelemetry = ({ monotonicMs, now, stream, version }: TelemetryGiven): Telemetry => {
  const [log, metrics] = [openLog(stream, now), openMetrics(version)];
  return {
    linesDropped: (count) => {
      metrics.count("dedalus_log_lines_dropped_total", {}, count);
      log("log-lines-dropped", { count });
    },
    log,
    metrics,
    monotonicMs,
    spans: openSpans(version),
  };
};
