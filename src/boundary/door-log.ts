// What the door tells, as log lines and counts, and what /metrics answers.
//
// People who may examine the installation may scrape it, and programs that observe all of it. How things stand is asked
// for then; a ledger that does not answer costs its own numbers alone. Not here: every request
// (telemetry/request-hooks.ts).

import { readerRefusal } from "../kernel/decide/actors.ts";
import { type RefusedAnswer, refusedByKernel } from "../service/answer.ts";
import type { Caller } from "../service/hold/callers.ts";
import type { Configuration, Ports } from "../service/ports.ts";
import type { Service } from "../service/service.ts";
import type { Tending } from "../service/tending.ts";
import type { DoorTelemetry } from "./http/door-telemetry.ts";
import { bugPlace } from "./telemetry/bug-place.ts";
import { readPosture } from "./telemetry/read-posture.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

export type DoorLogGiven = {
  readonly configuration: Configuration;
  readonly now: Ports["clock"]["now"];
  /** The next record of each receiver's messages. */
  readonly positions: () => ReadonlyMap<string, number>;
  readonly service: Pick<Service, "records" | "status" | "whoami"> & Pick<Tending, "posture">;
  readonly telemetry: Telemetry;
};

export const doorTelemetry = (given: DoorLogGiven): DoorTelemetry => {
  const { log, metrics, spans } = given.telemetry;
  return {
    failed: (error, correlationId) => log("bug", { correlationId, ...bugPlace(error) }),
    follow: spans.follow,
    happened: (event) => {
      if (event.kind === "turned-away" || event.kind === "limited") log("request-turned-away", { cause: event.cause });
      else if (event.kind === "stream-cut") log("stream-cut", { cause: event.cause, route: event.route });
    },
    metrics: async (caller) => {
      const refused = await refusedScraper(given, caller);
      if (refused !== undefined) return refused;
      const { configuration, now, positions, service } = given;
      const posture = await readPosture({
        environments: () => [...configuration.config.environments.keys()],
        isWritable: async () => !("refusals" in (await service.posture())),
        now,
        service,
      });
      if (posture !== undefined)
        for (const [receiver, next] of positions())
          metrics.set("dedalus_webhook_lag_records", { receiver }, Math.max(0, posture.records - next));
      const { contentType, text } = await metrics.scrape(posture);
      return { text, type: contentType };
    },
  };
};

const refusedScraper = async ({ service }: DoorLogGiven, caller: Caller): Promise<RefusedAnswer | undefined> => {
  const who = await service.whoami(caller, {});
  if (who.kind === "refused") return who;
  const refusal = readerRefusal(who.value, who.value.actor.kind === "agent" ? "metrics" : "installation");
  return refusal === undefined ? undefined : refusedByKernel([refusal]);
};
