// The closed catalogue of actions, as one table: what each needs, what it does to the guest, what can be undone, who
// must agree, and what proves that it happened. keeps B7
//
// The spine judges `before` (on a VmState); the kernel judges `after` (on a second observation). What only the provider can
// know (a lock, a template, quorum, a free snapshot name) arrives as a blocker in the VmState.

import type { Action, ActionKind, Power, Tier, Undo, VmState } from "../model.ts";

export type ActionRow = {
  readonly before: {
    readonly status: "running" | "stopped" | "any";
    readonly paused: boolean | "any";
    readonly also: string; // what the adapter must have found besides
  };
  readonly after: string; // what proves success
  readonly power: Power;
  readonly undo: Undo;
  readonly tier: Tier;
  /** May a protected VM have it? Reading, starting, resuming and snapshotting interrupt and change nothing. */
  readonly onProtected: boolean;
};

export const ACTIONS = {
  "vm.start": {
    before: { status: "stopped", paused: "any", also: "not a template, no lock" },
    after: "running",
    power: "starts",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.resume": {
    before: { status: "running", paused: true, also: "no lock" },
    after: "running, not paused",
    power: "starts",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.snapshot.create": {
    before: { status: "any", paused: "any", also: "the snapshot's name is free" },
    after: "the snapshot is in the list",
    power: "none",
    undo: "reversible",
    tier: "low",
    onProtected: true,
  },
  "vm.shutdown": {
    before: { status: "running", paused: false, also: "the monitor answers, the provider is quorate" },
    after: "stopped",
    power: "stops",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.reboot": {
    before: { status: "running", paused: false, also: "the provider is quorate" },
    after: "running, started anew",
    power: "interrupts",
    undo: "lossy",
    tier: "medium",
    onProtected: false,
  },
  "vm.suspend": {
    before: { status: "running", paused: false, also: "no lock" },
    after: "paused",
    power: "interrupts",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.resize": {
    before: { status: "any", paused: "any", also: "the configuration is the one that was planned on" },
    after: "the new sizes, active or pending as the step says",
    power: "none",
    undo: "reversible",
    tier: "medium", // also where it waits for a restart, which is a step of its own
    onProtected: false,
  },
  "vm.clone": {
    before: { status: "any", paused: "any", also: "the new vmid is free" },
    after: "the new VM exists, with an identity of its own",
    power: "none",
    undo: "reversible",
    tier: "medium",
    onProtected: false,
  },
  "vm.stop": {
    before: { status: "running", paused: "any", also: "the provider is quorate" },
    after: "stopped",
    power: "stops",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.reset": {
    before: { status: "running", paused: "any", also: "" },
    after: "the provider's verdict alone",
    power: "interrupts",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.migrate": {
    before: { status: "any", paused: "any", also: "on the source node, the target node is online" },
    after: "on the target node, same status",
    power: "interrupts",
    undo: "reversible",
    tier: "high",
    onProtected: false,
  },
  "vm.snapshot.rollback": {
    before: { status: "any", paused: "any", also: "the snapshot is present, and whether it holds RAM was seen" },
    after:
      "the provider's verdict, the snapshot is the parent of the current state, and the VM runs if the snapshot holds RAM and is stopped if not",
    power: "stops", // of a running guest and a snapshot without RAM; each step has its own: rollback.ts
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.snapshot.delete": {
    before: { status: "any", paused: "any", also: "the snapshot is present" },
    after: "the snapshot is gone from the list",
    power: "none",
    undo: "lossy",
    tier: "high",
    onProtected: false,
  },
  "vm.delete": {
    before: { status: "stopped", paused: "any", also: "unprotected" },
    after: "missing, proven by a complete observation",
    power: "none", // it was stopped before
    undo: "irreversible",
    tier: "irreversible",
    onProtected: false,
  },
} as const satisfies Record<ActionKind, ActionRow>;

const TABLE: Readonly<Record<ActionKind, ActionRow>> = ACTIONS;

export const rowOf = (kind: ActionKind): ActionRow => TABLE[kind];

export const isActionKind = (value: unknown): value is ActionKind =>
  typeof value === "string" && Object.hasOwn(ACTIONS, value);

/** What the step itself does decides: a restart that a resize waits for is a step of its own, with its own agreement. */
export const tierOf = ({ action }: { readonly action: Action }): Tier => rowOf(action.kind).tier;

/** Why the action cannot be done on a VM in this state; undefined when nothing in the state speaks against it. */
export const unmet = (kind: ActionKind, state: VmState): "not-paused" | "paused" | "status" | undefined => {
  const { before } = rowOf(kind);
  if (before.status !== "any" && state.status !== before.status) return "status";
  const isPaused = state.paused === true;
  if (before.paused === "any" || isPaused === before.paused) return undefined;
  return isPaused ? "paused" : "not-paused";
};

/** From the least agreement to the most. */
export const TIER_ORDER = ["read", "low", "medium", "high", "irreversible"] as const satisfies readonly Tier[];
export const higherTier = (a: Tier, b: Tier): Tier => (TIER_ORDER.indexOf(a) >= TIER_ORDER.indexOf(b) ? a : b);
