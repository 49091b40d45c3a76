// What a scheduler sees of one apply from outside: how far its process is with it, and when its call left.
//
// It is the evidence that the checks hold against the ledger and the world's journal; the kernel never sees it.

import type { ApplyProgress } from "../../src/kernel/apply/protocol.ts";
import type { World } from "../../src/simulator/world/world.ts";

export type Left = {
  readonly intent: string;
  readonly atMs: number;
  /**
   * How many lines were durable when the process took the answer of its second observation; undefined when it took
   * none.
   */
  readonly sizeAtLook: number | undefined;
  /** How many lines were durable when the call left. */
  readonly size: number;
  /** The world as that look saw it. */
  readonly seen: World | undefined;
  /** Whether the process had held its lock at the ledger from the claim to that look. */
  readonly wasOwner: boolean;
};

/**
 * The sizes that are named are those of a ledger that lost its tail since; nothing behind its end is the same any more.
 */
export const clamped = (left: Left, size: number): Left => ({
  ...left,
  size: Math.min(left.size, size),
  sizeAtLook: left.sizeAtLook === undefined ? undefined : Math.min(left.sizeAtLook, size),
});

/** One try of one command in one process. */
export type Trace = {
  readonly instance: string;
  /** When its performer began to count, on the clock that never steps back. */
  readonly askedMs: () => number | undefined;
  readonly progress: () => ApplyProgress;
  readonly isOver: () => boolean;
  /** What the performer threw, which it never does. */
  readonly failure: () => unknown;
  readonly lefts: readonly Left[];
  readonly sizeAtLook: () => number | undefined;
};
