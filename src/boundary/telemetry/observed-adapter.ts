// The port to adapters with every observation of a provider as a span and a metric.
//
// What is asked and what comes back passes through as it is; how it ended is told by a closed word. Not here: the
// call of an apply, which only its own loop sends; its stages tell when (observed-apply.ts). Examinations tell
// everything themselves.

import type { Source } from "../../adapters/source.ts";
import type { Ports } from "../../service/ports.ts";
import type { Telemetry } from "./telemetry.ts";

export const observedAdapters =
  (adapter: Ports["adapter"], telemetry: Telemetry): Ports["adapter"] =>
  async (name, environment, home, listener) => {
    const opened = await adapter(name, environment, home, listener);
    return "code" in opened ? opened : { ...opened, source: observedSource(opened.source, name, telemetry) };
  };

const observedSource = (source: Source, environment: string, { metrics, monotonicMs, spans }: Telemetry): Source => ({
  observe: (...asked) =>
    spans.within("dedalus.provider.observe", "client", { "dedalus.environment": environment }, async (span) => {
      const beganMs = monotonicMs();
      let result = "failed";
      try {
        const observation = await source.observe(...asked);
        result = observation.complete ? "complete" : "partial";
        return observation;
      } finally {
        span.setAttribute("dedalus.result", result);
        metrics.count("dedalus_provider_calls_total", { call: "observe", environment, result });
        metrics.observe(
          "dedalus_provider_call_duration_seconds",
          { call: "observe", environment },
          (monotonicMs() - beganMs) / 1_000,
        );
      }
    }),
});
