// race(): how long each of several ways takes, measured in turns in one process.
//
// Counted is the CPU time of the thread that does the work, so that other programs on the machine cost nobody anything.
// Turns let the noise that remains hit all ways alike. Memory is swept before each turn, so that nobody pays for
// another's garbage. The best turn counts, because noise only ever adds; the race goes on while somebody gets better.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const sweeper = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
};
const sweep = sweeper();

/** Advances in steps of some milliseconds: a way that is measured takes a hundred or more. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

export type Limits = {
  readonly turnsMin: number;
  /** A busy machine may never come to rest; what was best by then counts. */
  readonly limitMs: number;
};
export type Result<K extends string> = { readonly bestMs: Readonly<Record<K, number>>; readonly statistic: string };

/** So many turns without anybody getting better by a hundredth are rest. */
const REST_TURNS = 5;
const BETTER = 0.99;

export const race = <K extends string>(
  { limitMs, turnsMin }: Limits,
  ways: Readonly<Record<K, () => unknown>>,
): Result<K> => {
  const names = Object.keys(ways) as K[];
  const bestMs = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<K, number>;
  // The last result of each way is kept: were all of them swept away, the compiled code that knows their shapes would
  // go with them, and every turn would be a first one.
  const kept = new Map<K, unknown>();
  const untilMs = performance.now() + limitMs;
  let turns = 0;
  let restFrom = 0;
  while (turns < turnsMin || (turns - restFrom < REST_TURNS && performance.now() < untilMs)) {
    turns += 1;
    for (const name of names) {
      sweep();
      const from = cpuMs();
      kept.set(name, ways[name]());
      const ms = cpuMs() - from;
      if (ms < bestMs[name] * BETTER) restFrom = turns;
      bestMs[name] = Math.min(bestMs[name], ms);
    }
  }
  return { bestMs, statistic: `CPU time, best of ${turns} turns` };
};
