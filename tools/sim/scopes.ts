// How far the exhaustive walk goes: a short one for every run of the tests, the whole for a soak.

import type { Scope } from "./explore.ts";

const ONCE = { crash: 1, cut: 0, freeze: 1, hasty: 0, lost: 1, past: 1, replaced: 0 } as const;
const ALL = 4;
/** A clock jumps ahead, and its process takes for left behind what another is at work on. */
export const HASTY = {
  crash: 0,
  cut: 0,
  freeze: 0,
  hasty: 1,
  isProvable: false,
  lost: 0,
  past: 0,
  replaced: 0,
  together: 1,
} as const;
/** One process observes, plans and applies, another accepts the clock; a clock jumps, or the VM is made anew, anywhere. */
export const PLANNER = { ...HASTY, contest: "planner", replaced: 1, together: 1 } as const;

/** A crash, a lost log, a freeze, a lost answer, a pause past a deadline, anywhere: one of them, or any two together. */
export const SHORT: readonly Scope[] = [
  { ...ONCE, contest: "rivals", cut: 1, isProvable: false, together: 1 },
  { ...ONCE, contest: "twins", isProvable: true, together: 2 },
  { ...PLANNER, hasty: 0 },
];

/** All of them go wrong together, each once and anywhere. */
export const WHOLE: readonly Scope[] = [
  ...(["twins", "rivals"] as const).flatMap((contest) => [
    ...[true, false].map((isProvable) => ({ ...ONCE, contest, isProvable, together: ALL })),
    { ...HASTY, contest },
    { ...ONCE, contest, cut: 1, isProvable: true, together: 2 },
  ]),
  PLANNER,
];
