// import: what is at an environment's provider, whether anybody wrote it down or not, for a person to edit.
//
// The one operation that lists; observe and plan cannot. It needs no ledger, so that it can be the first thing that is
// asked of an installation, and it leaves no record: what it shows is never planning input. keeps N3

import type { Instant, VmState } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";

const LIST_MAX_MS = 10 * 60_000;

/** The only configured environment where none is named. */
export type InventoryRequest = { readonly environment?: string };

export type InventoryShown = {
  readonly environment: string;
  /** What could not be seen. */
  readonly gaps: readonly Gap[];
  readonly observedAt?: Instant;
  /** Why the provider was not seen at all; nothing is known then. */
  readonly unanswered?: Gap;
  /** How many were listed and could not be read. */
  readonly unread: number;
  readonly vms: readonly VmState[];
};

export const showInventory = async (
  configuration: Configuration,
  ports: Pick<Ports, "adapter">,
  { environment }: InventoryRequest,
  watch: Watch,
): Promise<InventoryShown | RefusedAnswer> => {
  const at = environmentAt(environment, configuration);
  if ("code" in at) return refusedInput([at]);
  const opened = await ports.adapter(at.name, at.environment, configuration.home, {
    onProgress: (done) => watch({ at: "observed", ...done }),
  });
  if ("code" in opened) return refusedInput([opened]);
  const { inventory } = opened;
  if (inventory === undefined) {
    const facts = { adapter: at.environment.adapter, environment: at.name };
    return refusedInput([refuse("inventory-unavailable", { facts })]);
  }
  watch({ at: "observing", environment: at.name });
  const listed = await inventory(AbortSignal.timeout(LIST_MAX_MS));
  if (listed.kind === "unanswered") {
    return { environment: at.name, gaps: [listed.unseen], unanswered: listed.unseen, unread: 0, vms: [] };
  }
  const { gaps, observedAt, vms } = listed.observation;
  return { environment: at.name, gaps, ...present({ observedAt }), unread: listed.unread, vms };
};
