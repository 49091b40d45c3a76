// Planted bugs about processes that lost their lock at the ledger's server.

import { entries, mapFrom } from "../../src/kernel/state/persistent-map.ts";
import type { State } from "../../src/kernel/state/state.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { REAL } from "../../tools/sim/parts.ts";
import { type Planted, performing } from "./planted-parts.ts";

export const SENDS_UNLOCKED = performing("call after the lock was lost", "owned", () => ({ owns: async () => true }));
export const TAKES_THE_UNLOCKED_EARLY: Planted = {
  bug: "recover the intent of an owner without its lock before its time to send is over",
  check: "recovered",
  parts: {
    ...REAL,
    decide: (state, command, floor) => REAL.decide(sentLongAgo(state), command, floor),
    orphans: (state, at, instance, goneOf) => REAL.orphans(sentLongAgo(state), at, instance, goneOf),
  },
};
const sentLongAgo = (state: State): State => ({
  ...state,
  open: mapFrom(Array.from(entries(state.open), ([key, one]) => [key, { ...one, sendBy: instantOf(0) }] as const)),
});
