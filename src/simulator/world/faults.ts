// Faults as data: what becomes of a call (a fate), what somebody else does meanwhile (a change), and when.
//
// A fault of a script happens exactly when it says. Weather is chance: so many calls of a thousand have that fate,
// drawn from the world's own seed. Not here: carrying them out (fate.ts, changes.ts).

import type { LOSSES } from "../../formats/scenario/scenario-faults.ts";
import type { RunState } from "./world.ts";
import type { Verb } from "./world-calls.ts";

/** How an answer is lost: the connection breaks, stays open and silent, or carries something else. */
export type Loss = (typeof LOSSES)[number];

export type Fate =
  /** The answer, and the work, take that much longer. */
  | { readonly kind: "slow"; readonly ms: number }
  /** It takes effect; the answer never comes. */
  | { readonly kind: "lost-reply"; readonly how: Loss }
  /** It never arrives; the answer never comes either. */
  | { readonly kind: "unheard"; readonly how: Loss }
  /** It arrives that much later, when the caller may have given up. */
  | { readonly kind: "late"; readonly ms: number }
  /** The task stops in the middle and leaves no verdict. */
  | { readonly kind: "half-done" }
  /** The task says OK and nothing happened. */
  | { readonly kind: "lies" }
  /** It is done, and the task ends with warnings. */
  | { readonly kind: "warns" }
  /** Nothing happens, and the task ends with this text. */
  | { readonly kind: "fails"; readonly text: string }
  /** It is done, and the task's verdict is lost. */
  | { readonly kind: "verdict-lost" };
export type FateKind = Fate["kind"];

export type Change =
  | {
      readonly kind: "starts" | "stops" | "disappears" | "replaced" | "monitor-hangs" | "monitor-answers";
      readonly vmid: number;
    }
  | { readonly kind: "run-state"; readonly vmid: number; readonly state: RunState }
  | { readonly kind: "renamed"; readonly vmid: number; readonly name: string }
  | { readonly kind: "moved"; readonly vmid: number; readonly node: string }
  | { readonly kind: "set"; readonly vmid: number; readonly key: string; readonly value: string }
  | { readonly kind: "unset"; readonly vmid: number; readonly key: string }
  | {
      readonly kind:
        | "daemon-restarts"
        | "node-cut"
        | "node-dies"
        | "node-joined"
        | "node-returns"
        | "reports-resume"
        | "reports-stop";
      readonly node: string;
    }
  | { readonly kind: "quorum-lost" | "quorum-returns" };

/** Which calls are meant: `observe` is any read that concerns the guest. */
export type Match = { readonly call: Verb | "observe" | "any"; readonly vmid?: number };
/** From the nth match on, so many times. */
export type Count = { readonly nth: number; readonly times: number };

export type Fault =
  | { readonly kind: "change"; readonly atMs: number; readonly change: Change; readonly isSpent?: true }
  | {
      readonly kind: "change";
      readonly moment: "before" | "after";
      readonly on: Match & Count;
      readonly change: Change;
      readonly seen?: number;
    }
  | { readonly kind: "fate"; readonly on: Match & Count; readonly fate: Fate; readonly seen?: number };

/** So many calls of a thousand; the first that applies is taken, in this order. */
export type Weather = Readonly<Partial<Record<WeatherKind, number>>>;
export const WEATHER = [
  "lost-reply",
  "unheard",
  "late",
  "half-done",
  "lies",
  "warns",
  "fails",
  "verdict-lost",
  "slow",
] as const;
export type WeatherKind = (typeof WEATHER)[number] & FateKind;
