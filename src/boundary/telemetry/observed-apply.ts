// An apply that goes on after its answer: a span for each stage of the protocol, the time that the provider took, and
// its outcome.
//
// The stages are told from the first on to whoever reads them, so nothing is missed and nobody is slowed. Each lasts
// until the next one begins. Keeps P7-F3: nothing here can send.

import type { Applying, ApplyStage } from "../../service/act/perform-step.ts";
import type { OkAnswer } from "../../service/answer.ts";
import type { Telemetry } from "./telemetry.ts";

/** The stages that wait for the provider's acting side. */
const CALLS: Readonly<Partial<Record<ApplyStage, "send" | "verdict">>> = { send: "send", verdict: "verdict" };

/** Resolves when it has ended; one that ended with a bug has no outcome of its own. */
export const followApply = async ({ value }: OkAnswer<Applying>, telemetry: Telemetry): Promise<void> => {
  const { environment, underway } = value;
  if (underway === undefined) return;
  const { metrics, monotonicMs, spans } = telemetry;
  metrics.add("dedalus_queue_length", { queue: "applies" }, 1);
  const stages = underway.stages[Symbol.asyncIterator]();
  let at = await stages.next();
  while (at.done !== true) {
    const stage = at.value;
    const call = CALLS[stage];
    const beganMs = monotonicMs();
    const attributes = { "dedalus.environment": environment, "dedalus.intent": value.intent };
    at = await spans.within(`dedalus.apply.${stage}`, call === undefined ? "internal" : "client", attributes, () =>
      stages.next(),
    );
    if (call !== undefined)
      metrics.observe(
        "dedalus_provider_call_duration_seconds",
        { call, environment },
        (monotonicMs() - beganMs) / 1_000,
      );
  }
  const outcome = await underway.ended.then(
    ({ file }) => file.outcome,
    () => "unknown",
  );
  metrics.add("dedalus_queue_length", { queue: "applies" }, -1);
  metrics.count("dedalus_applies_total", { outcome });
};
