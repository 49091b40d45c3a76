// The closed catalogue of actions, as one table: what each needs, what it does to the guest, what can be undone, who
// must agree. keeps B7
//
// The spine judges `before` (on a VmState). What only the provider can know (a lock, a template, quorum, a free
// snapshot name) arrives as a blocker in the VmState. Not here: what proves that it happened
// (kernel/apply/postcondition.ts), and the words (words/steps/action-words.ts).

import type { Action, ActionKind, Power, Tier, Undo, VmState } from "../model.ts";

export type ActionRow = {
  readonly before: {
    readonly status: "running" | "stopped" | "any";
    readonly paused: boolean | "any";
  };
  readonly power: Power;
  readonly undo: Undo;
  readonly tier: Tier;
  /** May a protected VM have it? Reading, starting, resuming and snapshotting interrupt and change nothing. */
  readonly onProtected: boolean;
};

export const ACTIONS = {
  "vm.start": {
    before: { status: "stopped", paused: "any" },
    power: "starts",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.resume": {
    before: { status: "running", paused: true },
    power: "starts",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.snapshot.create": {
    before: { status: "any", paused: "any" },
    power: "none",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.shutdown": {
    before: { status: "running", paused: false },
    power: "stops",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.reboot": {
    before: { status: "running", paused: false },
    power: "interrupts",
    undo: "lossy",
    tier: "medium",
    onProtected: false,
  },
  "vm.suspend": {
    before: { status: "running", paused: false },
    power: "interrupts",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.resize": {
    before: { status: "any", paused: "any" },
    power: "none",
    undo: "reversible",
    tier: "medium", // also where it waits for a restart, which is a step of its own
    onProtected: false,
  },
  "vm.clone": {
    before: { status: "any", paused: "any" },
    power: "none",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.stop": {
    before: { status: "running", paused: "any" },
    power: "stops",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.reset": {
    before: { status: "running", paused: "any" },
    power: "interrupts",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.migrate": {
    before: { status: "any", paused: "any" },
    power: "interrupts",
    undo: "reversible",
    tier: "high",
    onProtected: false,
  },
  "vm.snapshot.rollback": {
    before: { status: "any", paused: "any" },
    power: "stops", // of a running guest and a snapshot without RAM; each step has its own: rollback.ts
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.snapshot.delete": {
    before: { status: "any", paused: "any" },
    power: "none",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.delete": {
    before: { status: "stopped", paused: "any" },
    power: "none", // it was stopped before
    undo: "irreversible",
    tier: "irreversible",
    onProtected: false,
  },
} as const satisfies Record<ActionKind, ActionRow>;

export type ActionTable = Readonly<Record<ActionKind, ActionRow>>;
const TABLE: ActionTable = ACTIONS;

/** Of this program's rules. What is decided again by older ones reads the table that it is given. */
export const rowOf = (kind: ActionKind): ActionRow => TABLE[kind];

export const isActionKind = (value: unknown): value is ActionKind =>
  typeof value === "string" && Object.hasOwn(ACTIONS, value);

export const ACTION_KINDS = Object.keys(ACTIONS) as readonly ActionKind[];

/** As people write it: with the `vm.` that all of them begin with, or without. */
export const actionNamed = (word: string): ActionKind | undefined =>
  [word, `vm.${word}`].find((kind): kind is ActionKind => isActionKind(kind));

/**
 * What the step itself does decides: a restart that a resize waits for is a step of its own, with its own agreement.
 */
export const tierOf = ({ action }: { readonly action: Action }, actions: ActionTable): Tier =>
  actions[action.kind].tier;

/** Why the action cannot be done on a VM in this state; undefined when nothing in the state speaks against it. */
export const unmet = (
  { before }: Pick<ActionRow, "before">,
  state: VmState,
): "not-paused" | "paused" | "status" | undefined => {
  if (before.status !== "any" && state.status !== before.status) return "status";
  const isPaused = state.paused === true;
  if (before.paused === "any" || isPaused === before.paused) return undefined;
  return isPaused ? "paused" : "not-paused";
};

/** From the least agreement to the most. */
export const TIER_ORDER = ["read", "low", "medium", "high", "irreversible"] as const satisfies readonly Tier[];
export const higherTier = (a: Tier, b: Tier): Tier => (TIER_ORDER.indexOf(a) >= TIER_ORDER.indexOf(b) ? a : b);
