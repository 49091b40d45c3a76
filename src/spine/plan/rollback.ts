// What a rollback does to the guest's execution: it follows from the snapshot, not from the action alone.
//
// A snapshot that holds RAM brings back a guest that executes, whether or not one executed before; one without RAM
// leaves the VM stopped. Whether it holds RAM is seen or the rollback is refused, N1. The kernel proves the same
// afterwards.

import type { Power, VmState } from "../model.ts";

export type RollbackEnd = {
  readonly power: Power;
  readonly snapshotRam: "included" | "excluded";
  readonly statusAfter: "running" | "stopped";
};

/** Undefined when the observation does not tell whether the snapshot holds RAM. */
export const rollbackEnd = ({ snapshots, status }: VmState, snapshot: string): RollbackEnd | undefined => {
  if (snapshots?.withRam === undefined) return undefined;
  const isRunning = status !== "stopped";
  return snapshots.withRam.includes(snapshot)
    ? { power: isRunning ? "interrupts" : "starts", snapshotRam: "included", statusAfter: "running" }
    : { power: isRunning ? "stops" : "none", snapshotRam: "excluded", statusAfter: "stopped" };
};
