// The VMs that are known of a ledger: what is registered, and what an intent of the last days was about, so that a VM
// that is blocked can be named after it was removed from what is registered.

import { entries } from "../../kernel/state/persistent-map.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import { readRegisteredIn } from "./registered.ts";
import type { KnownVm } from "./vm-references.ts";

/** Of one environment, or of all. */
export const readKnownVms = async (engine: Engine, state: State, environment?: string): Promise<readonly KnownVm[]> => {
  const where = environment === undefined ? Array.from(entries(state.desired), ([name]) => name) : [environment];
  const known = new Map<string, KnownVm>();
  for (const name of where) {
    for (const entry of (await readRegisteredIn(engine, state, name))?.entries ?? []) {
      known.set(`${entry.vmid} ${name}`, { environment: name, name: entry.name, vmid: entry.vmid });
    }
  }
  const intents = [
    ...Array.from(entries(state.blocked), ([, intent]) => intent),
    ...Array.from(entries(state.open), ([, intent]) => intent),
    ...Array.from(recentEntries(state.intents), ([, intent]) => intent),
  ];
  for (const { environment: name, name: called, vmid } of intents) {
    const key = `${vmid} ${name}`;
    if (!known.has(key) && (environment === undefined || name === environment)) {
      known.set(key, { environment: name, name: called, vmid });
    }
  }
  return [...known.values()];
};
