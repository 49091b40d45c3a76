// A fleet by seed: the text of one observation of it, and a desired entry for every VM of it.
//
// The entries are as long as those of a real cluster (tags, an identity, a revision), because the goals are ratios to
// the reading of that text. Every value goes through its text once, so that it lies in memory as a real one does.

import { currentText, parseCurrent } from "../src/formats/current-json.ts";
import { type DesiredVm, type Instant, isVmid, type Observation, type Vmid, type VmState } from "../src/spine/model.ts";
import { type Chance, chanceFrom, shuffled } from "../tools/fuzz/chance.ts";

export const ENVIRONMENT = "bench";
const SEED = 20_261_115;
const ROLES = ["web", "batch", "cache", "db"] as const;
const DRIFTS = ["status", "cpus", "maxmem"] as const;

export type FleetOptions = {
  readonly vms: number;
  readonly driftPercent: number;
  readonly order: "sorted" | "shuffled";
};
export type Fleet = { readonly text: string; readonly desiredText: string };

export const fleetOf = ({ driftPercent, order, vms }: FleetOptions): Fleet => {
  const chance = chanceFrom(SEED);
  const states: VmState[] = [];
  const entries: DesiredVm[] = [];
  for (let at = 0; at < vms; at += 1) {
    const entry = entryFor(at, chance);
    entries.push(entry);
    states.push(stateOf(entry, chance.below(100) < driftPercent ? chance.pick(DRIFTS) : undefined, chance));
  }
  const arranged = <T>(list: readonly T[]): readonly T[] => (order === "sorted" ? list : shuffled(list, chance));
  return { text: currentText(lookAt(arranged(states))), desiredText: JSON.stringify(arranged(entries)) };
};

const vmidOf = (value: number): Vmid => {
  if (!isVmid(value)) throw new RangeError(`${value} is no vmid`);
  return value;
};

const GIB = 2 ** 30;

const entryFor = (at: number, chance: Chance): DesiredVm & { readonly cpus: number; readonly memory: number } => ({
  cpus: 2 ** chance.below(4),
  kind: "desired",
  memory: GIB * 2 ** chance.below(5),
  name: `${chance.pick(ROLES)}-${String(at).padStart(7, "0")}`,
  target: "running",
  vmid: vmidOf(100 + at * 3 + chance.below(3)),
});

const stateOf = (
  { cpus, memory, name, vmid }: ReturnType<typeof entryFor>,
  drift: (typeof DRIFTS)[number] | undefined,
  chance: Chance,
): VmState => ({
  cpus: drift === "cpus" ? cpus + 1 : cpus,
  identity: `${[8, 4, 4, 4, 12].map((length) => chance.hex(length)).join("-")}:${1_700_000_000 + chance.below(10 ** 8)}`,
  kind: "vm",
  maxmem: drift === "maxmem" ? memory * 2 : memory,
  name,
  node: `pve${1 + chance.below(32)}`,
  revision: chance.hex(40),
  source: "live",
  status: drift === "status" ? "stopped" : "running",
  tags: [`team-${chance.below(20)}`, "eu"],
  vmid,
});

const lookAt = (vms: readonly VmState[]): Observation => ({
  complete: true,
  environment: ENVIRONMENT,
  gaps: [],
  observedAt: "2026-11-15T10:00:00.000Z" as Instant,
  version: 1,
  vms,
});

export const observationIn = ({ text }: Pick<Fleet, "text">): Observation => {
  const parsed = parseCurrent(text, "current.json", { complete: true, environment: ENVIRONMENT });
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems[0]));
  return parsed.value;
};

export const desiredStateIn = ({ desiredText }: Pick<Fleet, "desiredText">): readonly DesiredVm[] =>
  JSON.parse(desiredText);
