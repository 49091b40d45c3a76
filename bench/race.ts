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

/** Advances in steps of some milliseconds, so that a turn has to last for many of them. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const TURN_MS = 150;

type Turn = { readonly ms: number; readonly result: unknown };

/** Several runs, if one is too short to be measured well; `ms` is that of one. */
const turnOf = (way: () => unknown, times: number): Turn => {
  const from = cpuMs();
  for (let left = times; left > 1; left -= 1) way();
  const result = way();
  return { ms: (cpuMs() - from) / times, result };
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
  const perName = <T>(value: (name: K) => T): Record<K, T> =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, T>;
  const times = perName((name) => Math.max(1, Math.round(TURN_MS / Math.max(1, turnOf(ways[name], 1).ms))));
  const bestMs = perName(() => Number.POSITIVE_INFINITY);
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
      const { ms, result } = turnOf(ways[name], times[name]);
      kept.set(name, result);
      if (ms < bestMs[name] * BETTER) restFrom = turns;
      bestMs[name] = Math.min(bestMs[name], ms);
    }
  }
  return { bestMs, statistic: `CPU time, best of ${turns} turns` };
};
