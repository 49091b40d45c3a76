// From the words of a scenario file to a world and the accounts in front of it.

import { parseInstant } from "../formats/fields.ts";
import type { ScenarioChange, ScenarioFate, ScenarioFault } from "../formats/scenario/scenario-faults.ts";
import type { ScenarioGuest } from "../formats/scenario/scenario-guests.ts";
import type { ScenarioFile } from "../formats/scenario/scenario-yaml.ts";
import { instantOf, msOf } from "../spine/values/instant.ts";
import { present } from "../spine/values/present.ts";
import type { Accounts } from "./pve/access.ts";
import type { Dialect } from "./pve/privileges.ts";
import type { Change, Fate, Fault } from "./world/faults.ts";
import { type GuestWords, makeGuest, makeNode } from "./world/make-guest.ts";
import { newWorld, type World } from "./world/world.ts";

export type Scenario = {
  readonly world: World;
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  readonly version: string;
  readonly seed: number;
  readonly local: string;
};

const FIRST_DAY = parseInstant("2026-01-01T00:00:00Z") ?? instantOf(0);
const UP_SINCE_MS = 3_600_000;

const wordsOf = (guest: ScenarioGuest, startMs: number, bornMs: number): GuestWords => ({
  bornMs,
  ...present({ cores: guest.cores }),
  ...(guest.ha === undefined ? {} : { ha: { state: guest.ha, wanted: guest.ha } }),
  isDeaf: guest.deaf === true,
  isMonitorSilent: guest.monitor === "silent",
  kind: guest.kind ?? "vm",
  ...present({ memory: guest.memory, name: guest.name }),
  node: guest.node,
  ...present({ pool: guest.pool, settings: guest.settings, snapshots: guest.snapshots }),
  sinceMs: startMs - (guest.uptime ?? UP_SINCE_MS),
  ...(guest.status === undefined || guest.status === "stopped" ? {} : { state: guest.status }),
  ...present({ tags: guest.tags, text: guest.config }),
  vmid: guest.vmid,
});

const changeOf = (given: ScenarioChange): Change => {
  const { key = "", kind, name = "", node = "", state = "running", value = "", vmid = 0 } = given;
  switch (kind) {
    case "starts":
    case "stops":
    case "disappears":
    case "replaced":
    case "monitor-hangs":
    case "monitor-answers":
      return { kind, vmid };
    case "run-state":
      return { kind, state, vmid };
    case "renamed":
      return { kind, name, vmid };
    case "moved":
      return { kind, node, vmid };
    case "set":
      return { key, kind, value, vmid };
    case "unset":
      return { key, kind, vmid };
    case "quorum-lost":
    case "quorum-returns":
      return { kind };
    default:
      return { kind, node };
  }
};

const fateOf = ({ byMs = 0, how = "reset", kind, text = "" }: ScenarioFate): Fate => {
  switch (kind) {
    case "slow":
    case "late":
      return { kind, ms: byMs };
    case "lost-reply":
    case "unheard":
      return { how, kind };
    case "fails":
      return { kind, text };
    default:
      return { kind };
  }
};

const faultOf = (fault: ScenarioFault, startMs: number): Fault => {
  switch (fault.kind) {
    case "timed":
      return { atMs: startMs + fault.afterMs, change: changeOf(fault.change), kind: "change" };
    case "triggered":
      return { change: changeOf(fault.change), kind: "change", moment: fault.moment, on: fault.on };
    case "fate":
      return { fate: fateOf(fault.fate), kind: "fate", on: fault.on };
  }
};

/** Told by the scenario alone: a guest is the same one whenever the world is started. */
const createdMs = ({ start = FIRST_DAY }: ScenarioFile): number => msOf(start) - 24 * UP_SINCE_MS;

/** `startMs` overrides the scenario's own start, for a world that follows a clock. */
export const scenarioOf = (file: ScenarioFile, startMs = msOf(file.start ?? FIRST_DAY)): Scenario => ({
  accounts: {
    acl: file.acl.map(({ path, propagate, role, who }) => ({ isPropagated: propagate, path, role, who })),
    roles: new Map(file.roles.map(({ name, privileges }) => [name, privileges])),
    tokens: file.tokens.map(({ id, privsep, secret }) => ({ id, isSeparated: privsep, secret })),
    users: file.users,
  },
  dialect: file.pve.startsWith("8.") ? "8" : "9",
  local: file.api,
  seed: file.seed,
  version: file.pve,
  world: newWorld({
    ...present({ cluster: file.cluster }),
    faults: file.faults.map((fault) => faultOf(fault, startMs)),
    guests: file.guests.map((guest) => makeGuest(wordsOf(guest, startMs, createdMs(file)), file.seed, startMs)),
    nodes: file.nodes.map(({ cpus, member, memory, name, reached, up }) =>
      makeNode({
        bootedMs: startMs - 24 * UP_SINCE_MS,
        ...present({ cpus }),
        isMember: member ?? true,
        isReached: reached ?? true,
        isUp: up ?? true,
        ...present({ memory }),
        name,
      }),
    ),
    seed: file.seed,
    startMs,
    weather: file.weather,
  }),
});
