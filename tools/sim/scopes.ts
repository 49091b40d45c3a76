// How far the exhaustive walk goes: a short one for every run of the tests, the whole for a soak.

import type { Scope } from "./explore.ts";

const NOBODY_ACTS = { configure: 0, deny: 0, register: 0, replaced: 0, revoke: 0 } as const;
const ONCE = { ...NOBODY_ACTS, crash: 1, cut: 0, freeze: 1, hasty: 0, lost: 1, past: 1 } as const;
const ALL = 4;
/** A clock jumps ahead, and its process takes for left behind what another is at work on. */
export const HASTY = {
  ...NOBODY_ACTS,
  crash: 0,
  cut: 0,
  freeze: 0,
  hasty: 1,
  isProvable: false,
  lost: 0,
  past: 0,
  together: 1,
} as const;
/** Another file is registered, or a process starts under another configuration. */
const CHANGED = { ...HASTY, configure: 1, hasty: 0, register: 1 } as const;
/** The step is denied, and a token is revoked, anywhere; who applies it may be somebody who must not. */
const ACTING = { ...HASTY, deny: 1, hasty: 0, revoke: 1, together: 2 } as const;

const ACTED = ["agents", "eyes", "rivals"] as const;
/**
 * One process observes, plans and applies, another accepts the clock; a clock jumps, or the VM is made anew, anywhere.
 */
export const PLANNER = { ...HASTY, contest: "planner", replaced: 1, together: 1 } as const;

/**
 * A crash, a lost log, a freeze, a lost answer, a pause past a deadline, anywhere: one of them, or any two together.
 */
export const SHORT: readonly Scope[] = [
  { ...ONCE, contest: "rivals", cut: 1, isProvable: false, together: 1 },
  { ...ONCE, contest: "twins", isProvable: true, together: 2 },
  { ...CHANGED, contest: "rivals" },
  ...ACTED.map((contest) => ({ ...ACTING, contest })),
  { ...PLANNER, hasty: 0 },
];

/** All of them go wrong together, each once and anywhere. */
export const WHOLE: readonly Scope[] = [
  ...(["twins", "rivals"] as const).flatMap((contest) => [
    ...[true, false].map((isProvable) => ({ ...ONCE, contest, isProvable, together: ALL })),
    { ...HASTY, contest },
    { ...CHANGED, contest, crash: 1, lost: 1, past: 1, together: 2 },
    { ...ONCE, contest, cut: 1, isProvable: true, together: 2 },
  ]),
  ...ACTED.map((contest) => ({ ...ACTING, contest, lost: 1, together: 3 })),
  PLANNER,
];
