// The checkpoints that a process knows its ledger to fit: those of the anchor when it was opened, and its own since.
//
// A process that lives long signs one as often as every second. Those that a saved state has by now are not kept
// beside it, and where none can be saved the oldest go: the next start then walks the ledger once. The newest always
// stays: it says what the anchor covers. Not here: the saved state (ledger/write/save-state.ts).

import type { Checkpoint } from "../../ledger/tree/checkpoint.ts";

/** Ascending by size. */
export type MetCheckpoints = Checkpoint[];

/** As many as are signed between two saved states of a large ledger, and few enough to hold. */
export const MET_MAX = 65_536;

export const rememberMet = (met: MetCheckpoints, ...found: readonly Checkpoint[]): void => {
  const isBehind = (found[0]?.size ?? 0) < (met.at(-1)?.size ?? 0);
  for (const one of found) met.push(one);
  if (isBehind) met.sort((a, b) => a.size - b.size);
  if (met.length > MET_MAX) met.splice(0, met.length - MET_MAX);
};

/** A saved state is durable that has those up to this size. */
export const forgetSaved = (met: MetCheckpoints, size: number): void => {
  const kept = met.findIndex((one) => one.size > size);
  met.splice(0, kept < 0 ? met.length - 1 : kept);
};

/** Whether the anchor holds a checkpoint that covers this record. */
export const coversRecord = (met: MetCheckpoints, seq: number): boolean => (met.at(-1)?.size ?? 0) > seq;
