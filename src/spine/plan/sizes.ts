// cpus and memory: what differs between a desired entry and a VM.

import type { Refusal, Vmid, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { inOrderOfFacts, type StepFact, type StepFacts } from "./facts.ts";

export type SizeDrift =
  | { readonly kind: "none" }
  | { readonly kind: "not-seen"; readonly size: keyof Sizes }
  /** "pending": what is configured is what is wanted, and it waits for a restart. */
  | { readonly kind: "drift" | "pending"; readonly facts: StepFacts; readonly to: Wanted };
/** At least one of them. */
type Wanted = { readonly cpus: number; readonly memory?: number } | { readonly cpus?: never; readonly memory: number };
export type Sizes = { readonly cpus?: number; readonly memory?: number };

type Size = {
  readonly what: "cpus" | "memory";
  readonly wanted: number;
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
  return { facts: sizeFacts(different), kind, to: wantedOf(different) };
};

/** What is wanted is written already. */
export const waitsForRestart = (
  vmid: Vmid,
  { facts, to }: { readonly facts: StepFacts; readonly to: Wanted },
): Refusal => {
  const { cpus, memory } = to;
  const seen = inOrderOfFacts(facts);
  if (cpus === undefined) {
    return refuse("waits-for-restart", { cause: "memory", facts: { ...seen, wantedMemory: memory }, vmid });
  }
  if (memory === undefined) {
    return refuse("waits-for-restart", { cause: "cpus", facts: { ...seen, wantedCpus: cpus }, vmid });
  }
  return refuse("waits-for-restart", {
    cause: "both",
    facts: { ...seen, wantedCpus: cpus, wantedMemory: memory },
    vmid,
  });
};

const wantedOf = (sizes: readonly Size[]): Wanted => {
  const wanted: { -readonly [K in keyof Sizes]: Sizes[K] } = {};
  for (const size of sizes) wanted[size.what] = size.wanted;
  // There is a size that differs.
  return wanted as Wanted;
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

const sizeOf = (what: Size["what"], wanted: number, active: number | undefined, pending: number | undefined): Size => ({
  active,
  pending: pending === active ? undefined : pending,
  wanted,
  what,
});

/** A stopped VM will start with its pending size; a running one keeps its active size until it restarts. */
const comparison = ({ active, pending, wanted }: Size, state: VmState): "same" | "drift" | "pending" | "not-seen" => {
  if (active === undefined && pending === undefined) return "not-seen";
  if (state.status === "stopped") return (pending ?? active) === wanted ? "same" : "drift";
  if (active === undefined) return "not-seen";
  if (pending !== undefined) return pending === wanted ? "pending" : "drift";
  return active === wanted ? "same" : "drift";
};

const FACT_NAMES = {
  cpus: { active: "observedCpus", pending: "pendingCpus", wanted: "wantedCpus" },
  memory: { active: "observedMemory", pending: "pendingMemory", wanted: "wantedMemory" },
} as const;

const sizeFacts = (sizes: readonly Size[]): StepFacts => {
  const facts: { -readonly [K in StepFact]?: number } = {};
  for (const { active, pending, wanted, what } of sizes) {
    const names = FACT_NAMES[what];
    if (active !== undefined) facts[names.active] = active;
    if (pending !== undefined) facts[names.pending] = pending;
    facts[names.wanted] = wanted;
  }
  return facts;
};
