// Many worlds, one after another, each from its seed; the first that does not hold ends the run.

import { ALWAYS, type Objection, objectionsAtRest } from "./check.ts";
import type { Parts } from "./parts.ts";
import { randomWorld } from "./random.ts";
import { added, NO_WORLDS, type Tally } from "./tally.ts";

export type Failed = {
  readonly objections: readonly Objection[];
  readonly seed: number;
  /** Every choice that was made, in order. */
  readonly steps: readonly string[];
  /** The same seed with as few choices as still fail; how far it was cut. */
  readonly shortest: number;
};
export type Ran = { readonly failed: Failed | undefined; readonly tally: Tally };

export type RunOptions = {
  readonly from: number;
  readonly worlds: number;
  readonly parts: Parts;
  readonly onWorld?: (done: number) => void;
};

type Judged = { readonly objections: readonly Objection[]; readonly world: Awaited<ReturnType<typeof randomWorld>> };

const judged = async (seed: number, parts: Parts, stepsMax?: number): Promise<Judged> => {
  const world = await randomWorld(seed, parts, stepsMax);
  const { setting, stage } = world;
  return { objections: await objectionsAtRest({ isSkewed: setting.isSkewed, stage }), world };
};

/** A history cut short is a history too: the shortest beginning that still fails is found by halving. */
const shortestOf = async (seed: number, parts: Parts, steps: number): Promise<number> => {
  let [low, high] = [0, steps];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { objections } = await judged(seed, parts, middle);
    if (objections.length > 0) high = middle;
    else low = middle + 1;
  }
  return high;
};

/** How many worlds it takes until this check objects; undefined when so many are not enough. */
export const worldsUntil = async (
  check: keyof typeof ALWAYS,
  parts: Parts,
  worldsMax: number,
  from = 0,
): Promise<number | undefined> => {
  for (let seed = from; seed < from + worldsMax; seed += 1) {
    const { setting, stage } = await randomWorld(seed, parts);
    if (ALWAYS[check]({ isSkewed: setting.isSkewed, stage }).length > 0) return seed - from + 1;
  }
  return undefined;
};

export const runWorlds = async ({ from, onWorld, parts, worlds }: RunOptions): Promise<Ran> => {
  let tally = NO_WORLDS;
  for (let seed = from; seed < from + worlds; seed += 1) {
    const { objections, world } = await judged(seed, parts);
    tally = added(tally, world.stage, world.setting);
    onWorld?.(tally.worlds);
    if (objections.length > 0) {
      const shortest = await shortestOf(seed, parts, world.steps.length);
      const short = await judged(seed, parts, shortest);
      const isShort = short.objections.length > 0;
      return {
        failed: {
          objections: isShort ? short.objections : objections,
          seed,
          shortest: isShort ? shortest : world.steps.length,
          steps: isShort ? short.world.steps : world.steps,
        },
        tally,
      };
    }
  }
  return { failed: undefined, tally };
};
