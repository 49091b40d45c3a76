// The scheduler: one choice after another, until the strategy has enough. Both strategies, chance and exhaustion, run
// worlds by this loop and by nothing else.
//
// After each choice everything that follows from it happens before the next is made; the only waiting there is lets the
// promises of the choice settle, and no time passes in it.

import type { Choice } from "./stage.ts";

/** Undefined ends the run. */
export type Strategy = (choices: readonly Choice[]) => Choice | undefined;

/** Resolves when no promise has anything left to do. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export const run = async (choices: () => readonly Choice[], strategy: Strategy): Promise<number> => {
  let steps = 0;
  await settled();
  for (let choice = strategy(choices()); choice !== undefined; choice = strategy(choices())) {
    choice.take();
    steps += 1;
    await settled();
  }
  return steps;
};
