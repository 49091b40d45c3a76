// The k-th input of a seed: always the same one, whatever ran before it.

import { type Chance, chanceFrom } from "./chance.ts";
import {
  BARE,
  CONFIG,
  CONFIG_WITH_SECRET,
  CURRENT,
  DESIRED,
  POLICY,
  POLICY_LOOSE,
  planSeed,
  RESULT,
} from "./corpus.ts";
import { bareText, currentText, desiredText } from "./generate.ts";
import { mutated } from "./mutate.ts";

export type Target = "desired" | "config" | "current" | "bare" | "plan" | "policy" | "result";
export type Input = { readonly target: Target; readonly text: string };

export const PLAN = planSeed();

type Grown = { readonly seed: string; readonly generate?: (chance: Chance) => string };
const TARGETS = {
  bare: { generate: bareText, seed: BARE },
  config: { generate: ({ oneIn }) => (oneIn(2) ? CONFIG_WITH_SECRET : CONFIG), seed: CONFIG },
  current: { generate: currentText, seed: CURRENT },
  desired: { generate: desiredText, seed: DESIRED },
  plan: { seed: PLAN },
  policy: { generate: ({ oneIn }) => (oneIn(2) ? POLICY_LOOSE : POLICY.replace("high", "irreversible")), seed: POLICY },
  result: { seed: RESULT },
} as const satisfies Record<Target, Grown>;

/** Those that lead into the planner come more often. */
const CHOICE = [
  "desired",
  "desired",
  "current",
  "current",
  "bare",
  "plan",
  "plan",
  "config",
  "policy",
  "result",
] as const satisfies readonly Target[];

export const inputOf = (seed: number, index: number): Input => {
  const chance = chanceFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const target = chance.pick(CHOICE);
  const grown: Grown = TARGETS[target];
  const text = grown.generate !== undefined && chance.oneIn(2) ? grown.generate(chance) : grown.seed;
  const isSpoilt = text === grown.seed || chance.oneIn(2);
  const other = TARGETS[chance.pick(CHOICE)].seed;
  return { target, text: isSpoilt ? mutated(text, chance, other) : text };
};
