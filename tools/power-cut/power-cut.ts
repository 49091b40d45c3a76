// Rounds of power cuts on one engine, and the control beside them, which must lose.

import type { Head } from "../../src/ledger/engine.ts";
import { type DiskOptions, makeDisk } from "./disk.ts";
import { cutOnce, type Round } from "./round.ts";
import type { Store } from "./store.ts";
import { added, type Cut, NO_ROUNDS, type Tally } from "./verdict.ts";

export type PowerCuts =
  | { readonly kind: "ran"; readonly ours: Tally; readonly control: Tally }
  /** No disk of this kind can be made here. */
  | { readonly kind: "none"; readonly because: string };

/** How often a control may keep everything by luck. */
const CONTROL_ROUNDS_MAX = 8;
/** A ledger that grows for ever would make every observation at it slower. */
const ROUNDS_PER_DISK = 20;

/** Moments that differ from round to round, and are the same in every run. */
const moment = (round: number): Omit<Round, "opener"> => ({
  commitsMin: 5 + ((round * 37) % 60),
  loss: round % 2 === 0 ? "memory-and-disk-cache" : "memory",
  moreMs: (round * 13) % 40,
});

export type Plan = {
  readonly rounds: number;
  readonly flushes: DiskOptions["flushes"];
  readonly onRound?: (cut: Cut) => void;
};

/** Ours for so many rounds; then, on the last disk, the control until it loses. */
export const powerCuts = async (store: Store, { flushes, onRound, rounds }: Plan): Promise<PowerCuts> => {
  let ours = NO_ROUNDS;
  let control = NO_ROUNDS;
  while (ours.rounds < rounds) {
    const disk = makeDisk({ flushes, mib: store.mib });
    if ("none" in disk) return { because: disk.none, kind: "none" };
    try {
      const kept = await store.start(disk.folder);
      try {
        disk.sync();
        const heads: Head[] = [];
        const cut = (opener: string, round: number): Promise<Cut> =>
          cutOnce(disk, kept, heads, { ...moment(round), opener });
        const until = Math.min(rounds, ours.rounds + ROUNDS_PER_DISK);
        while (ours.rounds < until) {
          const done = await cut(store.openers.careful, ours.rounds);
          ours = added(ours, done);
          onRound?.(done);
        }
        while (ours.rounds === rounds && control.rounds < CONTROL_ROUNDS_MAX && control.lost === 0) {
          control = added(control, await cut(store.openers.careless, control.rounds));
        }
      } finally {
        await kept.stop();
      }
    } finally {
      disk.remove();
    }
  }
  return { control, kind: "ran", ours };
};
