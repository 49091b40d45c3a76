// The world: a value that holds everything there is in a simulated provider, its time, its chance and its faults.
//
// Nothing here reads a clock or asks for chance; every function gives another world and leaves the one it was given.
// Not here: what happens as time passes (advance.ts), what a call does (take-call.ts), the shapes of an API (pve/).

import type { Vmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Chance } from "./chance.ts";
import type { Fault, Weather } from "./faults.ts";
import type { ConfigFile } from "./guest-file.ts";
import type { Cause, JournalEntry } from "./journal.ts";
import type { GuestKind } from "./settings.ts";
import type { SimulatedTask } from "./tasks.ts";
import type { SimulatedCall } from "./world-calls.ts";

/** What the hypervisor's monitor says of an executing or halted guest. */
export type RunState = "running" | "paused" | "prelaunch" | "suspended" | "io-error" | "internal-error";

export type SimulatedRun =
  | { readonly kind: "stopped" }
  | {
      readonly kind: "running";
      readonly pid: number;
      readonly sinceMs: number;
      readonly state: RunState;
      /** A silent monitor answers nothing, while the process goes on. */
      readonly monitor: "answers" | "silent";
    };

/** A guest that high availability looks after: what is wanted, and how far the manager is with it. */
export type SimulatedHa = { readonly wanted: "started" | "stopped"; readonly state: string };

export type SimulatedGuest = {
  readonly vmid: Vmid;
  readonly kind: GuestKind;
  readonly node: string;
  readonly file: ConfigFile;
  readonly run: SimulatedRun;
  /** Which machine this really is; another one with the same vmid has another serial. */
  readonly serial: number;
  /** A guest that hears the request to shut down and goes on. */
  readonly isDeaf: boolean;
  readonly ha?: SimulatedHa;
  readonly pool?: string;
};
export type Guests = ReadonlyMap<number, SimulatedGuest>;

/** What a node last told the others: the guests as they were at that time. */
export type Report = { readonly atMs: number; readonly guests: Guests };

export type Node = {
  readonly name: string;
  /** False for a folder of configurations whose node is not in the cluster. */
  readonly isMember: boolean;
  readonly isUp: boolean;
  /** A node can be up, with guests that run, and not be reached by the others. */
  readonly isReached: boolean;
  readonly isReporting: boolean;
  readonly bootedMs: number;
  readonly report?: Report;
  readonly cpus: number;
  readonly memory: number;
  readonly disk: number;
};

/** A call that is still on its way, and will do its work when it arrives. */
export type Arrival = { readonly dueMs: number; readonly call: SimulatedCall; readonly no: number };
/** What the manager of high availability will do. */
export type HaRequest = {
  readonly dueMs: number;
  readonly vmid: Vmid;
  readonly verb: "start" | "stop" | "shutdown";
  readonly cause: Cause;
};

export type World = {
  readonly startMs: number;
  readonly nowMs: number;
  readonly chance: Chance;
  /** Absent for a node that stands alone. */
  readonly cluster?: string;
  /** The members see each other and still cannot agree. */
  readonly isSplit: boolean;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly guests: Guests;
  /** Those that were destroyed since the start: what was granted on their paths is gone with them, for good. */
  readonly destroyed: ReadonlySet<number>;
  readonly tasks: ReadonlyMap<string, SimulatedTask>;
  /** The tasks that have not ended, oldest first. */
  readonly open: readonly string[];
  readonly arrivals: readonly Arrival[];
  readonly requests: readonly HaRequest[];
  readonly faults: readonly Fault[];
  readonly weather: Weather;
  readonly journal: readonly JournalEntry[];
  readonly counters: { readonly calls: number; readonly pid: number; readonly serial: number };
};

const FIRST_PID = 800;

export type WorldStart = {
  readonly startMs: number;
  readonly seed: number;
  readonly cluster?: string;
  readonly nodes: readonly Node[];
  readonly guests: readonly SimulatedGuest[];
  readonly faults?: readonly Fault[];
  readonly weather?: Weather;
};

/** Every node that reports has reported just before the start. */
export const newWorld = (start: WorldStart): World => {
  const guests = new Map(start.guests.map((guest) => [guest.vmid, guest]));
  const report = { atMs: start.startMs, guests };
  return {
    arrivals: [],
    chance: start.seed,
    ...present({ cluster: start.cluster }),
    counters: {
      calls: 0,
      pid: start.guests.reduce((most, { run }) => Math.max(most, run.kind === "running" ? run.pid + 1 : 0), FIRST_PID),
      serial: start.guests.reduce((most, { serial }) => Math.max(most, serial + 1), 1),
    },
    destroyed: new Set(),
    faults: start.faults ?? [],
    guests,
    isSplit: false,
    journal: [],
    nodes: new Map(
      start.nodes.map((node) => [
        node.name,
        node.isUp && node.isReporting && node.isMember ? { ...node, report } : node,
      ]),
    ),
    nowMs: start.startMs,
    open: [],
    requests: [],
    startMs: start.startMs,
    tasks: new Map(),
    weather: start.weather ?? {},
  };
};

/** A node alone agrees with itself; a cluster needs more than half of its members. */
export const isQuorate = (world: World): boolean => {
  if (world.isSplit) return false;
  if (world.cluster === undefined) return true;
  const members = Array.from(world.nodes.values()).filter(({ isMember }) => isMember);
  return members.filter(({ isReached, isUp }) => isUp && isReached).length * 2 > members.length;
};

export const isAnswering = (world: World, node: string): boolean => {
  const found = world.nodes.get(node);
  return found?.isMember === true && found.isUp && found.isReached;
};

export const withGuest = (world: World, guest: SimulatedGuest): World => ({
  ...world,
  guests: new Map(world.guests).set(guest.vmid, guest),
});

export const withoutGuest = (world: World, vmid: number): World => {
  const guests = new Map(world.guests);
  guests.delete(vmid);
  return { ...world, destroyed: new Set([...world.destroyed, vmid]), guests };
};

export const withNode = (world: World, node: Node): World => ({
  ...world,
  nodes: new Map(world.nodes).set(node.name, node),
});

export const nextPid = (world: World): readonly [number, World] => [
  world.counters.pid,
  { ...world, counters: { ...world.counters, pid: world.counters.pid + 1 } },
];
