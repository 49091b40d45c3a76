// worldSource(): the Source port straight over a world. It reads and never changes a guest. keeps N3
//
// Each wanted VM is one read of its own, so that faults can slow one, lose one, or change a VM between two.

import type { Source } from "../../adapters/source.ts";
import type { Vmid, VmState } from "../../spine/model.ts";
import { doubt, type Gap, gap } from "../../spine/observed-codes.ts";
import { instantOf } from "../../spine/values/instant.ts";
import { simulatedState, simulatedUnknown } from "../world/guest-state.ts";
import { isQuorate } from "../world/world.ts";
import type { SimulatedProvider } from "./provider.ts";

export type WorldSourceOptions = {
  readonly environment: string;
  /** VMs that this caller may not see; the provider leaves them out without a word. */
  readonly hidden?: ReadonlySet<number>;
};

export const worldSource = (provider: SimulatedProvider, { environment, hidden }: WorldSourceOptions): Source => {
  const readOne = async (vmid: Vmid, signal: AbortSignal, withSnapshots: boolean): Promise<VmState | undefined> => {
    const { delayMs, lost } = provider.beforeRead(vmid);
    const dueMs = provider.world().nowMs + delayMs;
    const isInTime =
      lost === undefined
        ? await provider.untilMs(dueMs, signal)
        : lost === "silence" && (await provider.until(() => false, signal));
    const world = provider.world();
    const guest = hidden?.has(vmid) === true ? undefined : world.guests.get(vmid);
    if (guest === undefined) return isInTime ? undefined : unseen(vmid);
    const state = isInTime ? simulatedState(world, guest, withSnapshots) : simulatedUnknown(guest, NO_ANSWER);
    provider.afterRead(vmid);
    return state;
  };
  return {
    observe: async (wanted, signal, details) => {
      const observedAt = instantOf(provider.world().nowMs);
      const withSnapshots = details?.includes("snapshots") === true;
      const states = await Promise.all(wanted.map(({ vmid }) => readOne(vmid, signal, withSnapshots)));
      const vms = states.filter((state) => state !== undefined).toSorted((a, b) => a.vmid - b.vmid);
      const gaps = gapsOf(isQuorate(provider.world()), hidden !== undefined && hidden.size > 0);
      const providerTime = instantOf(provider.world().nowMs);
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
