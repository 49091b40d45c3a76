// One observation of an environment's provider, made now: what everything that records one, and drift, which does not,
// share.
//
// The adapter is made for it, so that a secret that was rotated is read anew. Not here: who waits for whom at one
// environment (hold/session.ts), whether it is recorded (act/record-observation.ts).

import type { Detail, WantedVm } from "../../adapters/source.ts";
import type { Instant, Observed } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { observe } from "../../spine/values/observation.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import type { EnvironmentNamed } from "../hold/environment-at.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";

const OBSERVE_MAX_MS = 10 * 60_000;

export type FreshObservation = {
  readonly observed: Observed;
  readonly providerTime?: Instant;
  readonly tookMs: number;
  /** Why nothing at all was seen; undefined when the provider answered. */
  readonly unanswered: Gap | undefined;
};

export const observeNow = async (
  { home, ports }: Pick<Configuration, "home"> & { readonly ports: Pick<Ports, "adapter" | "clock"> },
  at: EnvironmentNamed,
  wanted: readonly WantedVm[],
  watch: Watch,
  details: readonly Detail[] = [],
): Promise<FreshObservation | RefusedAnswer> => {
  let unanswered: Gap | undefined;
  const adapter = await ports.adapter(at.name, at.environment, home, {
    onProgress: (done) => watch({ at: "observed", ...done }),
    onUnanswered: (unseen) => {
      unanswered = unseen;
    },
  });
  if ("code" in adapter) return refusedInput([adapter]);
  watch({ at: "observing", environment: at.name });
  const fromMs = ports.clock.monotonicMs();
  const answered = await adapter.source.observe(wanted, AbortSignal.timeout(OBSERVE_MAX_MS), details);
  const tookMs = Math.max(0, Math.ceil(ports.clock.monotonicMs() - fromMs));
  const { providerTime, ...seen } = answered;
  return { observed: observe(seen), ...present({ providerTime }), tookMs, unanswered };
};
