// flow(): callers that each wait for their answer before they ask again, so many at a time; rate, latencies and how the
// rate held over time.

import type { SubmissionAnswer } from "../src/ledger/write/submission.ts";

export type FlowOptions = {
  readonly callers: number;
  readonly forMs: number;
  /** Goes on until so many are recorded, whatever the time. */
  readonly recordsMin: number;
  /** Ends after so many. */
  readonly recordsMax?: number;
};
export type Flow = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly records: number;
  /** The rate of the last tenth of the time against that of the first. */
  readonly lastToFirst: number;
};

export const flow = async (
  { callers, forMs, recordsMax = Number.POSITIVE_INFINITY, recordsMin }: FlowOptions,
  ask: (n: number) => Promise<SubmissionAnswer>,
): Promise<Flow> => {
  const doneAtMs: number[] = [];
  const latencies: number[] = [];
  const fromMs = performance.now();
  let asked = 0;
  const caller = async (): Promise<void> => {
    while (asked < recordsMax && (performance.now() - fromMs < forMs || doneAtMs.length < recordsMin)) {
      const n = asked;
      asked += 1;
      const askedMs = performance.now();
      const answer = await ask(n);
      if (answer.kind !== "recorded") throw new Error(`not recorded: ${JSON.stringify(answer)}`);
      const ms = performance.now();
      latencies.push(ms - askedMs);
      doneAtMs.push(ms - fromMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const tookMs = performance.now() - fromMs;
  const window = tookMs / 10;
  const within = (from: number): number => doneAtMs.filter((ms) => ms >= from && ms < from + window).length;
  const sorted = Float64Array.from(latencies).sort();
  return {
    lastToFirst: within(tookMs - window) / within(0),
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    perSecond: (doneAtMs.length * 1_000) / tookMs,
    records: doneAtMs.length,
  };
};
