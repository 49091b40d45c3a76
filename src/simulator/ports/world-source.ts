// worldSource(): the Source port straight over a world. It reads and never changes a guest. keeps N3
//
// Each wanted VM is one look of its own, so that faults can slow one, lose one, or change a VM between two.

import type { Source } from "../../adapters/source.ts";
import type { Vmid, VmState } from "../../spine/model.ts";
import { doubt, type Gap, gap } from "../../spine/observed-codes.ts";
import { instantOf } from "../../spine/values/instant.ts";
import { stateOf, unknownState } from "../world/guest-state.ts";
import { isQuorate } from "../world/world.ts";
import type { Place } from "./place.ts";

export type WorldSourceOptions = {
  readonly environment: string;
  /** VMs that this caller may not see; the place leaves them out without a word. */
  readonly hidden?: ReadonlySet<number>;
};

export const worldSource = (place: Place, { environment, hidden }: WorldSourceOptions): Source => {
  const look = async (vmid: Vmid, signal: AbortSignal, withSnapshots: boolean): Promise<VmState | undefined> => {
    const { delayMs, lost } = place.look(vmid);
    const dueMs = place.world().nowMs + delayMs;
    const isInTime =
      lost === undefined
        ? await place.untilMs(dueMs, signal)
        : lost === "silence" && (await place.until(() => false, signal));
    const world = place.world();
    const guest = hidden?.has(vmid) === true ? undefined : world.guests.get(vmid);
    if (guest === undefined) return isInTime ? undefined : unseen(vmid);
    const state = isInTime ? stateOf(world, guest, withSnapshots) : unknownState(guest, NO_ANSWER);
    place.looked(vmid);
    return state;
  };
  return {
    observe: async (wanted, signal, details) => {
      const observedAt = instantOf(place.world().nowMs);
      const withSnapshots = details?.includes("snapshots") === true;
      const looks = await Promise.all(wanted.map(({ vmid }) => look(vmid, signal, withSnapshots)));
      const vms = looks.filter((state) => state !== undefined).toSorted((a, b) => a.vmid - b.vmid);
      const gaps = gapsOf(isQuorate(place.world()), hidden !== undefined && hidden.size > 0);
      const providerTime = instantOf(place.world().nowMs);
      return { complete: gaps.length === 0, environment, gaps, observedAt, providerTime, version: 1, vms };
    },
  };
};

const NO_ANSWER = doubt("provider-silent");

const unseen = (vmid: Vmid): VmState => ({
  because: NO_ANSWER,
  kind: "vm",
  name: "",
  source: "simulated",
  status: "unknown",
  vmid,
});

const gapsOf = (isQuorate: boolean, isFiltered: boolean): readonly Gap[] => [
  ...(isQuorate ? [] : [gap("quorum-lost")]),
  ...(isFiltered ? [gap("credential-limited")] : []),
];
