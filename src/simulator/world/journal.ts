// The world's own account of what really happened: calls that came, deeds that were done, tasks that ended.
//
// It is the truth that a simulation checks everybody else against, so nothing that a caller sees is taken from it, and
// no fault touches it. A deed is written where the guest changes, never where somebody says that it changed.

import type { Power } from "../../spine/model.ts";
import type { FateKind } from "./faults.ts";
import type { Verb } from "./world-calls.ts";

/** Whose call it was, in the caller's own words. */
export type Mark = { readonly intent: string; readonly step: string };
export type Cause =
  | { readonly kind: "call"; readonly no: number; readonly mark?: Mark }
  /** Somebody else, or the world itself. */
  | { readonly kind: "other"; readonly because: string };

/** What a deed did, whatever it was asked for. */
export type Effect =
  | "launched" // the process exists
  | "executing" // the guest runs
  | "powered-off"
  | "reset"
  | "paused"
  | "resumed"
  | "hibernated"
  | "configured"
  | "snapshot-begun"
  | "snapshot-made"
  | "rollback-begun"
  | "rolled-back"
  | "snapshot-removed"
  | "disks-removed"
  | "destroyed"
  | "migrated"
  | "cloned"
  | "locked"
  | "unlocked"
  | "created"
  | "renamed";

export type Deed = {
  readonly kind: "deed";
  readonly atMs: number;
  readonly vmid: number;
  readonly serial: number;
  /** Before the deed. */
  readonly name: string;
  readonly tags: readonly string[];
  readonly effect: Effect;
  readonly power: Power;
  readonly cause: Cause;
};
export type Arrived = {
  readonly kind: "call";
  readonly atMs: number;
  readonly no: number;
  readonly verb: Verb;
  readonly vmid: number;
  readonly mark?: Mark;
  readonly fate?: FateKind;
  /** False for a call that never reached the provider. */
  readonly isHeard: boolean;
};
export type Ended = {
  readonly kind: "end";
  readonly atMs: number;
  readonly upid: string;
  readonly verb: Verb;
  readonly vmid: number;
  /** The verdict that the provider gives. */
  readonly said: string;
  readonly cause: Cause;
};
export type JournalEntry = Arrived | Deed | Ended;

const isOf = (cause: Cause, intent: string): boolean => cause.kind === "call" && cause.mark?.intent === intent;

/** What one intent really did, in order. */
export const deedsOf = (journal: readonly JournalEntry[], intent: string): readonly Deed[] =>
  journal.filter((entry): entry is Deed => entry.kind === "deed" && isOf(entry.cause, intent));

/** The deed with which each verb is done; before it, the work is at most begun. */
const COMPLETES = {
  clone: "unlocked",
  configure: "configured",
  "delete-snapshot": "snapshot-removed",
  destroy: "destroyed",
  migrate: "migrated",
  reboot: "executing",
  reset: "reset",
  resume: "resumed",
  rollback: "rolled-back",
  shutdown: "powered-off",
  snapshot: "snapshot-made",
  start: "executing",
  stop: "powered-off",
  suspend: "paused",
} as const satisfies Record<Verb, Effect>;

/** What became of an intent, whatever anybody said: nothing of it, a part, or all. */
export const truthOf = (journal: readonly JournalEntry[], intent: string): "all" | "nothing" | "part" => {
  const call = journal.find((entry): entry is Arrived => entry.kind === "call" && entry.mark?.intent === intent);
  const deeds = deedsOf(journal, intent);
  if (call === undefined || deeds.length === 0) return "nothing";
  return deeds.some(({ effect }) => effect === COMPLETES[call.verb]) ? "all" : "part";
};

const repeated = (texts: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const text of texts) (seen.has(text) ? twice : seen).add(text);
  return [...twice];
};

/** Steps for which more than one call left; a correct kernel never sends a step twice, whatever becomes of the call. */
export const stepsCalledTwice = (journal: readonly JournalEntry[]): readonly string[] =>
  repeated(journal.flatMap((entry) => (entry.kind === "call" && entry.mark !== undefined ? [entry.mark.step] : [])));

/** Guests that were interrupted or stopped by a call, as they were named and tagged at that moment. */
export const interruptionsByCalls = (journal: readonly JournalEntry[]): readonly Deed[] =>
  journal.filter(
    (entry): entry is Deed =>
      entry.kind === "deed" && entry.cause.kind === "call" && (entry.power === "interrupts" || entry.power === "stops"),
  );
