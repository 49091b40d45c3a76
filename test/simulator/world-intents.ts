// An intent on what is seen of a VM in a world, for tests of the plain ports.

import assert from "node:assert/strict";
import type { DurableIntent } from "../../src/adapters/actuator.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { SimulatedProvider } from "../../src/simulator/ports/provider.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import type { Action, Instant, Sha256, VmState } from "../../src/spine/model.ts";
import { vmid } from "./lab.ts";

export const never = (): AbortSignal => new AbortController().signal;

type Details = readonly "snapshots"[];
export const observe = async (provider: SimulatedProvider, id: number, details?: Details): Promise<VmState> => {
  const source = worldSource(provider, { environment: "home" });
  const { vms } = await source.observe([{ vmid: vmid(id) }], never(), details);
  assert.ok(vms[0] !== undefined, `${id} is missing`);
  return vms[0];
};

export const intentOn = (seen: VmState, action: Action): DurableIntent =>
  ({
    environment: "home",
    id: "01JCQ0000000000000000000AA" as Ulid,
    seen,
    sendBy: "2026-11-16T00:00:00.000Z" as Instant,
    settleBy: "2026-11-16T00:10:00.000Z" as Instant,
    step: {
      action,
      applies: "now",
      basis: "b" as Sha256,
      entry: "e" as Sha256,
      facts: {},
      hash: `step of ${action.kind}` as Sha256,
      kind: "step",
      name: seen.name,
      power: "none",
      protected: false,
      reason: "requested",
      undo: "reversible",
      vmid: seen.vmid,
    },
  }) as DurableIntent;

/** Until whoever sends has asked whether the call may leave, and it has left. */
export const asked = (): Promise<void> => new Promise((resume) => setImmediate(resume));
