// What whoever runs a service that lives long asks of it: to begin before anybody asks, and how it stands. No
// caller has to be proven for it, so no door offers it as it is.

import { refuse } from "../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedBy } from "./answer.ts";
import type { Holding } from "./hold/holding.ts";
import type { Configuration } from "./ports.ts";
import type { Watch } from "./progress.ts";
import type { ServicePosture } from "./read/service-posture.ts";
import type { Guarded } from "./under-way.ts";

export type Tending = {
  /**
   * Opens the ledger for writing, records what this process acts under, and ends what others left open; the first
   * request that writes would do the same. Why it could not is told, and the next request tries again.
   */
  readonly begin: (watch?: Watch) => Promise<RefusedAnswer | undefined>;
  /** Under which posture it serves, or why it could record nothing now. Nothing is written. */
  readonly posture: () => Promise<RefusedAnswer | ServicePosture>;
};

export const tendingOf = (
  { write }: Pick<Holding, "write">,
  guarded: Guarded,
  configuration: Configuration,
  onBegun: () => void,
): Tending => ({
  begin: async (watching) => {
    const begun = await guarded(watching, async (watch) => {
      const held = await write(false, watch);
      if ("kind" in held) return held;
      const refused = await held.begin();
      if (refused === undefined) onBegun();
      const { hash, tree } = held.writer.chain();
      return refused ?? { head: { hash, size: tree.size }, kind: "ok", replayed: false, value: {} };
    });
    return begun.kind === "refused" ? begun : undefined;
  },
  posture: async () => {
    const answer = await guarded(undefined, async (watch) => {
      const held = await write(false, watch);
      if ("kind" in held) return held;
      const why = held.ledger.engine.readOnly();
      if (why !== undefined) return refusedBy(refuse("ledger-read-only", why));
      const { postureOf } = await import("./read/service-posture.ts");
      const state = await held.writer.refresh();
      const { hash, tree } = held.writer.chain();
      const value = postureOf(state, tree.size, configuration);
      return { head: { hash, size: tree.size }, kind: "ok", replayed: false, value };
    });
    return answer.kind === "ok" ? answer.value : answer;
  },
});
