// The VMs of a stage: what the providers have, and what operators wrote down of it.

import assert from "node:assert/strict";
import type { GuestWords } from "../../src/simulator/world/make-guest.ts";
import { isVmid, type Vmid } from "../../src/spine/model.ts";

/** `desired` is the rest of its entry; without one nobody wrote it down. */
export type Simulated = Pick<GuestWords, "name" | "settings" | "state" | "tags" | "vmid"> & {
  readonly desired?: string;
};

const vmid = (value: number): Vmid => (isVmid(value) ? value : assert.fail(String(value)));

const FRESH_FROM = 200;
const FRESH = 120;

/** Stopped production that is to run; every other one runs. */
export const PROD = { named: 110, protected: 112, tagged: 111 } as const;
/** It runs, and may be stopped. */
export const BATCH = 120;
/** At the provider alone. */
export const UNWRITTEN = 199;

export const simulatedVms = (): Readonly<Record<"away" | "home", readonly Simulated[]>> & {
  readonly fresh: readonly number[];
} => {
  const fresh = Array.from({ length: FRESH }, (_, at) => FRESH_FROM + at);
  return {
    away: [
      { desired: "target: running", name: "far-01", vmid: vmid(101) },
      { desired: "target: running", name: "far-02", vmid: vmid(102) },
    ],
    fresh,
    home: [
      { desired: "target: running", name: "web-01", vmid: vmid(101) },
      { desired: "target: running", name: "prod-db", state: "running", vmid: vmid(PROD.named) },
      { desired: "target: running", name: "pay-01", state: "running", tags: ["prod"], vmid: vmid(PROD.tagged) },
      { desired: "target: running, protected: true", name: "core-01", state: "running", vmid: vmid(PROD.protected) },
      { desired: "target: running", name: "batch-01", state: "running", vmid: vmid(BATCH) },
      { name: "ghost", vmid: vmid(UNWRITTEN) },
      ...fresh.map((at) => ({ desired: "target: running", name: `vm-${at}`, vmid: vmid(at) })),
    ],
  };
};
