// race(): how two or more ways compare, measured in turns in one process.
//
// Counted is the CPU time of the thread that does the work, so that other programs get none of it. They still slow it
// down by what they share with it, so what counts is the ratio within one round, where all ways met the same
// neighbours, and of all rounds the median. Memory is swept once in each round, and who goes first changes from round
// to round. A sweep also throws away compiled code, which costs only those who are not compiled into Node; so a way
// that is short beside that goes one turn that is not counted before the one that is. What is asked for its rate in a
// process that runs for hours is warmed up instead, and swept only when the platform does it.
//
// A rate has nothing beside it that met the same neighbours, and those can only make it smaller: of its rounds the
// fastest is nearest to what the code itself costs, and the median stands beside it.

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

/** How many runs make a turn, and whether one is so short that being compiled again would show in it. */
type TurnPlan = { readonly isShort: boolean; readonly times: number };

/** By the second run; the first also compiles. */
const planFor = (way: () => unknown): TurnPlan => {
  turnOf(way, 1);
  const { ms } = turnOf(way, 1);
  return { isShort: ms < 2 * TURN_MS, times: Math.max(1, Math.round(TURN_MS / Math.max(1, ms))) };
};

type Turn = { readonly ms: number; readonly result: unknown };

/** Several runs, if one is too short to be measured well; `ms` is that of one. */
const turnOf = (way: () => unknown, times: number): Turn => {
  const from = cpuMs();
  for (let left = times; left > 1; left -= 1) way();
  const result = way();
  return { ms: (cpuMs() - from) / times, result };
};

const warm = (way: () => unknown, ms: number): void => {
  const until = cpuMs() + ms;
  while (cpuMs() < until) way();
};

/** How long something takes that waits now and then: by the clock on the wall, which steps finer than CPU time does. */
export const asyncMs = async (way: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await way();
  return performance.now() - from;
};

export type Limits = {
  readonly roundsMin: number;
  /** Rounds beyond the fewest are added until so much time has passed. */
  readonly limitMs: number;
  /** So long is each way run before anything is counted, and then nothing is swept by hand. */
  readonly warmMs?: number;
};
export type Result<K extends string> = {
  /** How many times as long as the other one a way takes. */
  readonly ratio: (way: K, other: K) => number;
  /** How many of something a way does in a second, when one run does so many of them. */
  readonly rate: (way: K, count: number) => Rate;
  readonly statistic: string;
};

const ROUNDS_MAX = 31;

export const race = <K extends string>(
  { limitMs, roundsMin, warmMs }: Limits,
  ways: Readonly<Record<K, () => unknown>>,
): Result<K> => {
  const names = Object.keys(ways) as K[];
  const perName = <T>(value: (name: K) => T): Record<K, T> =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, T>;
  const isSwept = warmMs === undefined;
  for (const name of names) warm(ways[name], warmMs ?? 0);
  const plans = perName((name) => planFor(ways[name]));
  const rounds: Readonly<Record<K, number>>[] = [];
  // The last result of each way is kept, because the code that knows its shape lives as long as it does.
  const kept = new Map<K, unknown>();
  const untilMs = performance.now() + limitMs;
  while (rounds.length < roundsMin || (rounds.length < ROUNDS_MAX && performance.now() < untilMs)) {
    const ms = perName(() => 0);
    if (isSwept) sweep();
    const first = rounds.length % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const { isShort, times } = plans[name];
      if (isSwept && isShort) turnOf(ways[name], times);
      const turn = turnOf(ways[name], times);
      kept.set(name, turn.result);
      ms[name] = turn.ms;
    }
    rounds.push(ms);
  }
  return {
    rate: (way, count) =>
      rateOf(
        count,
        rounds.map((ms) => ms[way]),
        `rounds${isSwept ? "" : " of warm code"}`,
      ),
    ratio: (way, other) => median(rounds.map((ms) => ms[way] / ms[other])),
    statistic: `CPU time, median of ${rounds.length} rounds`,
  };
};

export type Rate = { readonly value: number; readonly statistic: string };

/** From the times of runs that did `count` of something each. */
export const rateOf = (count: number, times: readonly number[], what: string, clock: "CPU" | "wall" = "CPU"): Rate => {
  const perSecond = (ms: number): number => (count * 1_000) / ms;
  const usual = Math.round(perSecond(median(times))).toLocaleString("en");
  return {
    statistic: `${clock} time, fastest of ${times.length} ${what} (median ${usual} /s)`,
    value: perSecond(Math.min(...times)),
  };
};

/** For what stands beside a rate. */
export const rateText = ({ value }: Rate): string => `${Math.round(value).toLocaleString("en")} /s`;

export const median = (list: readonly number[]): number => {
  const sorted = list.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
};
