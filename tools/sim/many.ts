// Many worlds at once, in several threads: each takes the next few seeds when it is done with the last. A world knows
// nothing of the others, so that a seed gives the same history in every thread, and alone.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Failed, Ran } from "./run.ts";
import { NO_WORLDS, type Tally, together } from "./tally.ts";

export type ManyOptions = {
  readonly from: number;
  readonly worlds: number;
  readonly threads: number;
  /** How many worlds were done since the last time. */
  readonly onWorlds: (done: number) => void;
};

/** So many seeds are handed out at a time: enough to be worth the message, few enough to end together. */
const SEEDS_AT_A_TIME = 100;

/** The lowest seed that fails is the one that is told, whichever thread came across its own first. */
const lowest = (one: Failed | undefined, other: Failed | undefined): Failed | undefined =>
  one === undefined || (other !== undefined && other.seed < one.seed) ? other : one;

export const manyWorlds = async ({ from, onWorlds, threads, worlds }: ManyOptions): Promise<Ran> => {
  const end = from + worlds;
  let next = from;
  let tally: Tally = NO_WORLDS;
  let failed: Failed | undefined;
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("worker.ts", import.meta.url));
    try {
      while (next < end && failed === undefined) {
        const [first, count] = [next, Math.min(SEEDS_AT_A_TIME, end - next)];
        next += count;
        const answered = once(worker, "message");
        worker.postMessage({ from: first, worlds: count });
        const [ran]: Ran[] = await answered;
        if (ran === undefined) throw new Error("a thread answered nothing");
        tally = together(tally, ran.tally);
        failed = lowest(failed, ran.failed);
        onWorlds(ran.tally.worlds);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return { failed, tally };
};
