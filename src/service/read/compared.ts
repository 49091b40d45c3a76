// What is wanted of a VM beside what was seen of it, on the very ground that a recorded plan stands on.
//
// Only what the entry states: of the rest nothing is wanted. For whoever asks why a VM is in sync.

import type { DesiredEntry, Vmid, VmState } from "../../spine/model.ts";
import { statusText } from "../../spine/plan/step.ts";
import { present } from "../../spine/values/present.ts";
import type { Reading } from "../hold/session.ts";
import { type RecordedPlan, readPlannedState } from "./recorded.ts";
import { readBlobText } from "./registered.ts";

export type Compared = {
  readonly attribute: "cpus" | "identity" | "memory" | "name" | "target";
  readonly desired: number | string;
  /** Absent where it was not seen. */
  readonly seen?: number | string;
};

export const compareIn = async (
  { ledger: { engine } }: Pick<Reading, "ledger">,
  found: RecordedPlan,
  vmid: Vmid,
): Promise<readonly Compared[]> => {
  const { entries }: { readonly entries: readonly DesiredEntry[] } = JSON.parse(
    await readBlobText(engine, found.plan.standsOn.desired),
  );
  const entry = entries.find((one) => one.vmid === vmid);
  if (entry?.kind !== "desired") return [];
  return comparisons(entry, await readPlannedState(engine, found, vmid));
};

const comparisons = (
  { cpus, identity, memory, name, target }: Extract<DesiredEntry, { readonly kind: "desired" }>,
  state: VmState | undefined,
): readonly Compared[] => {
  // A stopped VM starts with what is pending.
  const sizes = state?.status === "stopped" ? state.pending : undefined;
  const rows: readonly (readonly [Compared["attribute"], number | string | undefined, number | string | undefined])[] =
    [
      ["target", target, state === undefined ? undefined : statusText(state)],
      ["name", name, state?.name],
      ["cpus", cpus, sizes?.cpus ?? state?.cpus],
      ["memory", memory, sizes?.maxmem ?? state?.maxmem],
      ["identity", identity, state?.identity],
    ];
  return rows.flatMap(([attribute, desired, seen]) =>
    desired === undefined ? [] : [{ attribute, desired, ...present({ seen }) }],
  );
};
