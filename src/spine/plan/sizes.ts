// cpus and memory: what differs between a desired entry and a VM.

import type { Refusal, Vmid, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { inOrderOfFacts, type StepFact, type StepFacts } from "./facts.ts";

export type SizeDrift =
  | { readonly kind: "none" }
  | { readonly kind: "not-seen"; readonly size: keyof Sizes }
  /** "pending": what is configured is what is desired, and it waits for a restart. */
  | { readonly kind: "drift" | "pending"; readonly facts: StepFacts; readonly to: Desired };
/** At least one of them. */
type Desired = { readonly cpus: number; readonly memory?: number } | { readonly cpus?: never; readonly memory: number };
export type Sizes = { readonly cpus?: number; readonly memory?: number };

type Size = {
  readonly what: "cpus" | "memory";
  readonly desired: number;
  readonly active: number | undefined;
  readonly pending: number | undefined; // only where it differs from active
};

const NONE = { kind: "none" } as const satisfies SizeDrift;

export const sizeDrift = (entry: Sizes, state: VmState): SizeDrift => {
  if (isPlainlySame(entry, state)) return NONE;
  const different: Size[] = [];
  let kind: "drift" | "pending" = "pending";
  for (const size of sizesOf(entry, state)) {
    const found = comparison(size, state);
    if (found === "not-seen") return { kind: "not-seen", size: size.what };
    if (found === "same") continue;
    if (found === "drift") kind = "drift";
    different.push(size);
  }
  if (different.length === 0) return NONE;
  return { facts: sizeFacts(different), kind, to: desiredOf(different) };
};

/** What is desired is written already. */
export const waitsForRestart = (
  vmid: Vmid,
  { facts, to }: { readonly facts: StepFacts; readonly to: Desired },
): Refusal => {
  const { cpus, memory } = to;
  const seen = inOrderOfFacts(facts);
  if (cpus === undefined) {
    return refuse("waits-for-restart", { cause: "memory", facts: { ...seen, desiredMemory: memory }, vmid });
  }
  if (memory === undefined) {
    return refuse("waits-for-restart", { cause: "cpus", facts: { ...seen, desiredCpus: cpus }, vmid });
  }
  return refuse("waits-for-restart", {
    cause: "both",
    facts: { ...seen, desiredCpus: cpus, desiredMemory: memory },
    vmid,
  });
};

const desiredOf = (sizes: readonly Size[]): Desired => {
  const desired: { -readonly [K in keyof Sizes]: Sizes[K] } = {};
  for (const size of sizes) desired[size.what] = size.desired;
  // There is a size that differs.
  return desired as Desired;
};

/** Nearly every VM of a fleet, seen without building anything. */
const isPlainlySame = (entry: Sizes, state: VmState): boolean =>
  state.pending === undefined &&
  (entry.cpus === undefined || entry.cpus === state.cpus) &&
  (entry.memory === undefined || entry.memory === state.maxmem);

const sizesOf = (entry: Sizes, state: VmState): readonly Size[] => {
  const sizes: Size[] = [];
  if (entry.cpus !== undefined) sizes.push(sizeOf("cpus", entry.cpus, state.cpus, state.pending?.cpus));
  if (entry.memory !== undefined) sizes.push(sizeOf("memory", entry.memory, state.maxmem, state.pending?.maxmem));
  return sizes;
};

const sizeOf = (
  what: Size["what"],
  desired: number,
  active: number | undefined,
  pending: number | undefined,
): Size => ({
  active,
  desired,
  pending: pending === active ? undefined : pending,
  what,
});

/** A stopped VM will start with its pending size; a running one keeps its active size until it restarts. */
const comparison = ({ active, desired, pending }: Size, state: VmState): "same" | "drift" | "pending" | "not-seen" => {
  if (active === undefined && pending === undefined) return "not-seen";
  if (state.status === "stopped") return (pending ?? active) === desired ? "same" : "drift";
  if (active === undefined) return "not-seen";
  if (pending !== undefined) return pending === desired ? "pending" : "drift";
  return active === desired ? "same" : "drift";
};

const FACT_NAMES = {
  cpus: { active: "observedCpus", desired: "desiredCpus", pending: "pendingCpus" },
  memory: { active: "observedMemory", desired: "desiredMemory", pending: "pendingMemory" },
} as const;

const sizeFacts = (sizes: readonly Size[]): StepFacts => {
  const facts: { -readonly [K in StepFact]?: number } = {};
  for (const { active, desired, pending, what } of sizes) {
    const names = FACT_NAMES[what];
    if (active !== undefined) facts[names.active] = active;
    if (pending !== undefined) facts[names.pending] = pending;
    facts[names.desired] = desired;
  }
  return facts;
};
