// What the door tells, as log lines and counts, and what /metrics answers.
//
// How things stand is asked for when somebody scrapes; a ledger that does not answer costs its own numbers alone.
// Not here: every request (telemetry/request-hooks.ts).

import type { RefusedAnswer } from "../service/answer.ts";
import type { Configuration } from "../service/ports.ts";
import type { LedgerStatus } from "../service/read/status.ts";
import type { Service } from "../service/service.ts";
import type { DoorTelemetry } from "./http/door-telemetry.ts";
import { environmentPostures, type Posture } from "./telemetry/posture.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

const postureOf = ({ config }: Configuration, status: LedgerStatus): Posture => ({
  environments: environmentPostures([...config.environments.keys()], status),
  isReadOnly: false,
  overdue: status.overdue.length,
  records: status.records,
});

/** A ledger that cannot be read at all costs its own numbers; whoever may not read it gets none. */
const isUnreadable = (answer: RefusedAnswer): boolean => answer.domain !== "kernel" && answer.domain !== "input";

export const doorTelemetry = (
  { log, metrics }: Telemetry,
  service: Pick<Service, "status">,
  configuration: Configuration,
): DoorTelemetry => ({
  failed: (error, correlationId) => {
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    log("bug", { correlationId, said: message, stack });
  },
  happened: (event) => {
    if (event.kind === "turned-away" || event.kind === "limited") log("request-turned-away", { cause: event.cause });
    else if (event.kind === "stream-cut") log("stream-cut", { cause: event.cause, route: event.route });
  },
  metrics: async (caller) => {
    const status = await service.status(caller, {});
    if (status.kind === "refused" && !isUnreadable(status)) return status;
    const posture = status.kind === "ok" ? postureOf(configuration, status.value) : undefined;
    const { contentType, text } = await metrics.scrape(posture);
    return { text, type: contentType };
  },
});
