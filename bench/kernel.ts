// The kernel in memory: how many commands it decides and folds, how much more that costs on a long ledger, and replay.
//
// A kernel runs for hours, so its rates are those of warm code. Replay is what `dedalus replay` does with each line: read it strictly, hash it, check its link, decide it again on the
// state before, compare. The blobs are in memory.

import { decide } from "../src/kernel/decide.ts";
import { evolve } from "../src/kernel/evolve.ts";
import { replay } from "../src/kernel/replay.ts";
import { INITIAL, type State } from "../src/kernel/state.ts";
import { readRecord } from "../src/ledger/read-record.ts";
import { GENESIS, type LedgerRecord } from "../src/ledger/record.ts";
import { linkFlaw, recordHash } from "../src/ledger/seal.ts";
import type { Instant, Sha256 } from "../src/spine/model.ts";
import { COMMANDS_A_TURN, mix, type Recorded, taken, VMS } from "./kernel-mix.ts";
import { asyncMs, median, race } from "./race.ts";
import type { Row } from "./row.ts";

const TURNS = 100;
const LIMITS = { limitMs: 8_000, roundsMin: 9 } as const;
const WARM_MS = 2_000;
const WARM = { ...LIMITS, warmMs: WARM_MS };
const MIX = `turns of ${COMMANDS_A_TURN} commands: look, plan of ${VMS} steps, each challenged, applied, dispatched, ended`;

/** From a state on; the commands were recorded on that state, so every decision is the recorded one. */
const again = (from: State, list: readonly Recorded[]) => (): State => {
  let state = from;
  let floor: Instant | undefined;
  for (const { command, sealed } of list) {
    decide(state, command, floor);
    floor = sealed.record.processTime;
    state = evolve(state, sealed.record);
  }
  return state;
};

export const kernelRows = async (records: number): Promise<readonly Row[]> => {
  const list = taken(2 + TURNS * COMMANDS_A_TURN);
  const lines = list.map(({ sealed }) => Buffer.from(sealed.line).toString("utf8"));
  const { ms, statistic } = race(WARM, {
    decide: again(INITIAL, list),
    parse: () => lines.map((line) => JSON.parse(line)),
  });
  const perSecond = (way: "decide" | "parse"): number => (list.length * 1_000) / ms(way);
  const parse = `${Math.round(perSecond("parse")).toLocaleString("en")} /s JSON.parse of the same records`;
  return [
    {
      beside: parse,
      bound: "least",
      goal: 100_000,
      measure: `decide + evolve in memory, commands; ${MIX}`,
      statistic,
      unit: "/s",
      value: perSecond("decide"),
    },
    await replayRow(list, parse),
    growthRow(records),
  ];
};

const REPLAYS = 31;

const replayRow = async (list: readonly Recorded[], beside: string): Promise<Row> => {
  const blobs = new Map<Sha256, string>();
  for (const one of list) for (const [digest, bytes] of one.blobs) blobs.set(digest, Buffer.from(bytes).toString());
  function* records(): Generator<LedgerRecord> {
    let head = { hash: GENESIS, size: 0 };
    for (const { sealed } of list) {
      const read = readRecord(sealed.line);
      if (read.kind !== "record") throw new Error(read.because);
      const flaw = linkFlaw(head, read.record);
      if (flaw !== undefined) throw new Error(flaw.because);
      head = { hash: recordHash(sealed.line), size: head.size + 1 };
      yield read.record;
    }
  }
  const once = async (): Promise<void> => {
    const result = await replay(records(), async (digest) => blobs.get(digest));
    if (result.kind !== "equal") throw new Error(JSON.stringify(result));
  };
  for (let warmedMs = 0; warmedMs < WARM_MS; ) warmedMs += await asyncMs(once);
  const times: number[] = [];
  for (let left = REPLAYS; left > 0; left -= 1) times.push(await asyncMs(once));
  return {
    beside,
    bound: "least",
    goal: 50_000,
    measure: "replay with parsing, chain and comparison, records of the same mix",
    statistic: `CPU time, median of ${REPLAYS} runs of warm code`,
    unit: "/s",
    value: (list.length * 1_000) / median(times),
  };
};

const SHORT = 1_000;
const MEASURED = 50 * COMMANDS_A_TURN;

/** The same commands' cost on a state that so many records made. */
export const growthRow = (records: number): Row => {
  const source = mix();
  const skip = (count: number): State => {
    let state = INITIAL;
    for (let left = count; left > 0; left -= 1) ({ state } = source.next().value);
    return state;
  };
  const take = (): readonly Recorded[] => Array.from({ length: MEASURED }, () => source.next().value);
  // Both begin with the first command of a turn.
  const turnsFor = (count: number): number => Math.ceil(count / COMMANDS_A_TURN) * COMMANDS_A_TURN;
  const early = again(skip(2 + turnsFor(SHORT)), take());
  const late = again(skip(turnsFor(records) - turnsFor(SHORT) - MEASURED), take());
  const { ratio, statistic } = race(LIMITS, { early, late });
  return {
    goal: 1.2,
    measure: `cost of a command after ${records.toLocaleString("en")} records, to after ${SHORT.toLocaleString("en")}`,
    statistic,
    value: ratio("late", "early"),
  };
};
