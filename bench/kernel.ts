// The kernel in memory: how many commands it decides and folds, and how much more that costs on a long ledger. A kernel
// runs for hours, so its rate is that of warm code.

import { evolve } from "../src/kernel/fold-versions.ts";
import { INITIAL, type State } from "../src/kernel/state/state.ts";
import { decide } from "../src/kernel/versions.ts";
import type { Instant } from "../src/spine/model.ts";
import { COMMANDS_A_TURN, mix, type Recorded, taken, VMS } from "./kernel-mix.ts";
import { race, rateText } from "./race.ts";
import type { Row } from "./row.ts";

const TURNS = 100;
const LIMITS = { limitMs: 8_000, roundsMin: 9 } as const;
const WARM = { ...LIMITS, warmMs: 2_000 };
const MIX = `turns of ${COMMANDS_A_TURN} commands: observe, plan of ${VMS} steps, each challenged, applied, dispatched, ended`;

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

export const kernelRows = (records: number): readonly Row[] => {
  const list = taken(2 + TURNS * COMMANDS_A_TURN);
  const lines = list.map(({ sealed }) => Buffer.from(sealed.line).toString("utf8"));
  const { rate } = race(WARM, {
    decide: again(INITIAL, list),
    parse: () => {
      for (const line of lines) JSON.parse(line);
    },
  });
  return [
    {
      beside: `${rateText(rate("parse", list.length))} JSON.parse of the same records`,
      bound: "least",
      goal: 100_000,
      measure: `decide + evolve in memory, commands; ${MIX}`,
      unit: "/s",
      ...rate("decide", list.length),
    },
    growthRow(records),
  ];
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
