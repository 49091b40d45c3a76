// How far the exhaustive walk goes: a short one for every run of the tests, the whole for a soak.

import type { Scope } from "./explore.ts";

const ONCE = { crash: 1, freeze: 1, hasty: 0, lost: 1, past: 1 } as const;
/** A clock jumps ahead, and its process takes for left behind what another is at work on. */
export const HASTY = { crash: 0, freeze: 0, hasty: 1, isProvable: false, lost: 0, past: 0, together: 1 } as const;

/** Either nothing goes wrong, or one thing does, anywhere: a crash, a freeze, a lost answer, a pause past a deadline. */
export const SHORT: readonly Scope[] = [
  { ...ONCE, contest: "rivals", isProvable: false, together: 0 },
  { ...ONCE, contest: "twins", isProvable: true, together: 1 },
];

/** Up to two of them go wrong together, anywhere. */
export const WHOLE: readonly Scope[] = (["twins", "rivals"] as const).flatMap((contest) => [
  ...[true, false].map((isProvable) => ({ ...ONCE, contest, isProvable, together: 2 })),
  { ...HASTY, contest },
]);
