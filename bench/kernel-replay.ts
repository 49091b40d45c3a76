// Replay is what `dedalus replay` does with each line: read it strictly, hash it, check its link, decide it again on
// the state before, compare. The lines and blobs are in memory, and nothing else runs in the process, as there.
// `dedalus whatif` walks the same lines, by turns with it: with a policy that is about every step, and refuses none.

import { judgeOtherwise } from "../src/kernel/judge-otherwise.ts";
import { replay } from "../src/kernel/replay-ledger.ts";
import type { Lines } from "../src/ledger/engine.ts";
import { readChainedPages } from "../src/ledger/verify/chained.ts";
import type { Sha256 } from "../src/spine/model.ts";
import { PER_HOUR_MAX, type Policy } from "../src/spine/plan/policy.ts";
import { COMMANDS_A_TURN, taken } from "./kernel-mix.ts";
import { asyncMs, median, type Rate, rateOf, rateText } from "./race.ts";
import type { Row } from "./row.ts";

const TURNS = 200;
const RUNS = 101;
const WARM_MS = 3_000;
const PAGE_LINES = 256;
/** Both take about as long, so that on a busy machine neither is put aside more often than the other. */
const PARSES = 5;

/** Every line of it is weighed for every step. */
const POLICY: Policy = {
  tighten: [
    { only: { hours: ["00:00-24:00"] }, perHour: PER_HOUR_MAX },
    { action: "vm.start", to: "high" },
    { action: "vm.stop", for: "agent", to: "refused" },
  ],
  version: 1,
};

type Told = { readonly blobs: ReadonlyMap<Sha256, string>; readonly lines: readonly Uint8Array[] };

const told = (): Told => {
  const list = taken(2 + TURNS * COMMANDS_A_TURN);
  const blobs = new Map<Sha256, string>();
  for (const one of list) for (const [digest, bytes] of one.blobs) blobs.set(digest, Buffer.from(bytes).toString());
  return { blobs, lines: list.map(({ sealed }) => sealed.line) };
};

export const replayRows = async (): Promise<readonly Row[]> => {
  const { blobs, lines } = told();
  /** As an engine gives them; the rest of the way is that of the command. */
  async function* pages(): AsyncGenerator<Lines> {
    for (let from = 0; from < lines.length; from += PAGE_LINES) yield lines.slice(from, from + PAGE_LINES);
  }
  const texts = lines.map((line) => Buffer.from(line).toString());
  const once = async (): Promise<void> => {
    const result = await replay(readChainedPages({ pages }, lines.length), async (digest) => blobs.get(digest));
    if (result.kind !== "equal") throw new Error(JSON.stringify(result));
  };
  const otherwise = async (): Promise<void> => {
    const chained = readChainedPages({ pages }, lines.length);
    const { plans } = await judgeOtherwise(
      chained,
      async (digest) => blobs.get(digest) ?? "",
      POLICY,
      () => true,
    );
    if (plans === 0) throw new Error("no plan was judged");
  };
  const parse = async (): Promise<void> => {
    for (let left = PARSES; left > 0; left -= 1) for (const text of texts) JSON.parse(text);
  };
  for (let warmedMs = 0; warmedMs < WARM_MS; ) warmedMs += (await asyncMs(once)) + (await asyncMs(otherwise));
  const runs: { readonly otherwiseMs: number; readonly parseMs: number; readonly replayMs: number }[] = [];
  for (let left = RUNS; left > 0; left -= 1) {
    runs.push({
      otherwiseMs: await asyncMs(otherwise),
      parseMs: (await asyncMs(parse)) / PARSES,
      replayMs: await asyncMs(once),
    });
  }
  const rate = (times: readonly number[]): Rate => rateOf(lines.length, times, "runs of warm code", "wall");
  const measure = "replay with parsing, chain and comparison, records of the same mix";
  const parsed = rateText(rate(runs.map(({ parseMs }) => parseMs)));
  return [
    {
      beside: `${parsed} JSON.parse of the same records`,
      bound: "least",
      goal: 50_000,
      measure,
      unit: "/s",
      ...rate(runs.map(({ replayMs }) => replayMs)),
    },
    {
      bound: "least",
      goal: 0.2,
      measure: `${measure}, to JSON.parse of them`,
      statistic: `wall time, median of ${RUNS} runs of warm code`,
      value: median(runs.map(({ parseMs, replayMs }) => parseMs / replayMs)),
    },
    {
      bound: "least",
      goal: 0.5,
      measure: "whatif, to replay of the same records",
      statistic: `wall time, median of ${RUNS} runs of warm code`,
      value: median(runs.map(({ otherwiseMs, replayMs }) => replayMs / otherwiseMs)),
    },
  ];
};
