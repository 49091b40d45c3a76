// A world made from a seed: its guests, its weather, its faults, how many kernels there are, and how they are governed.

import type { Fault, Weather } from "../../src/simulator/world/faults.ts";
import { type GuestWords, makeGuest, makeNode } from "../../src/simulator/world/make-guest.ts";
import { newWorld, type World } from "../../src/simulator/world/world.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { type Chance, chanceFrom } from "../fuzz/chance.ts";
import { type Mode, START_MS } from "./cast.ts";
import { vmid } from "./registrations.ts";

export type Setting = {
  /** Whether the log of the ledger gets lost behind its anchor, and the anchor's disk is full at times. */
  readonly isFragile: boolean;
  /** Whether processes ask for the end of intents that others are at work on. */
  readonly isHurried: boolean;
  /** Whether a process that is gone can be proven to be gone, as an exclusive lock does. */
  readonly isProvable: boolean;
  /** Whether clocks of processes jump; what is said of true time holds only where they do not. */
  readonly isSkewed: boolean;
  /** Whether there is a service at which somebody signs in, and somebody with roles in another environment alone. */
  readonly isServed: boolean;
  readonly kernels: number;
  readonly mode: Mode;
  /** What the operator added to the rules: before, and for whoever starts later; nothing in most worlds. */
  readonly policies: readonly [before: Policy | undefined, later: Policy | undefined];
  /** How far the place's own clock is from the true one: little, or its observations would all be refused. */
  readonly providerSkewMs: number;
  readonly steps: number;
  readonly world: World;
};

const WEATHERS: readonly [Weather, ...Weather[]] = [
  {},
  { "lost-reply": 120, unheard: 100 },
  { "half-done": 60, lies: 60, fails: 120, "verdict-lost": 60 },
  { late: 150, slow: 150, warns: 50 },
  {
    fails: 60,
    "half-done": 40,
    late: 60,
    lies: 40,
    "lost-reply": 60,
    slow: 60,
    unheard: 40,
    "verdict-lost": 40,
    warns: 40,
  },
];

const faultsOf = (chance: Chance): readonly Fault[] => {
  const on = { call: "observe", nth: 1 + chance.below(8), times: 1, vmid: 101 + chance.below(2) } as const;
  return chance.pick<readonly Fault[]>([
    [],
    [],
    [{ fate: { kind: "slow", ms: 40_000 }, kind: "fate", on }],
    [{ fate: { how: "silence", kind: "lost-reply" }, kind: "fate", on }],
    [{ change: { kind: "stops", vmid: on.vmid }, kind: "change", moment: "after", on }],
    [{ change: { kind: "renamed", name: "prod-moved", vmid: on.vmid }, kind: "change", moment: "before", on }],
  ]);
};

const RAISING: Policy = {
  tighten: [
    { action: "vm.shutdown", to: "irreversible" },
    { action: "vm.start", to: "high" },
  ],
  version: 1,
};
const REFUSING: Policy = {
  tighten: [
    { action: "vm.start", to: "medium" },
    { action: "vm.stop", to: "refused" },
  ],
  version: 1,
};
/** So little that a world comes up against it: one lasts for an hour or two, from ten o'clock on. */
const SELDOM: Policy = {
  tighten: [{ perHour: 1 }, { action: "vm.stop", for: "carol", to: "irreversible" }],
  version: 1,
};
const MINUTES = Array.from({ length: 30 }, (_, at) => String(2 * at).padStart(2, "0"));
/** Open for a minute, closed for a minute: a claim is often near an end. */
const AT_TIMES: Policy = {
  tighten: [
    {
      only: {
        days: ["sun"],
        hours: ["10", "11", "12"].flatMap((hour) =>
          MINUTES.map((minute) => `${hour}:${minute}-${hour}:${minute.slice(0, 1)}${Number(minute.slice(1)) + 1}`),
        ),
      },
    },
  ],
  version: 1,
};
const LIMITED_ONE_IN = 9;
const LIMITING: Readonly<Record<number, Policy>> = { 0: SELDOM, 5: AT_TIMES };
const CHANGED: readonly [Setting["policies"], ...Setting["policies"][]] = [
  [RAISING, RAISING],
  [RAISING, undefined],
  [undefined, RAISING],
  [REFUSING, RAISING],
];

export const settingOf = (seed: number): Setting => {
  const chance = chanceFrom(Math.imul(seed + 1, 0x9e3779b1));
  const state = (): { readonly state?: "running" } => (chance.oneIn(2) ? { state: "running" } : {});
  const guest = (id: number, name: string, more: Pick<GuestWords, "snapshots" | "state">) =>
    makeGuest({ name, node: "pve1", vmid: vmid(id), ...more }, seed, START_MS);
  // Told by the seed alone, so that nothing else is drawn otherwise: a rollback to it starts the guest.
  const warm = seed % 4 === 3 ? { snapshots: [{ name: "before", ram: true }] } : {};
  const isServed = seed % 12 === 3;
  const setting: Omit<Setting, "isFragile" | "isHurried" | "policies" | "providerSkewMs"> = {
    isServed,
    isProvable: chance.oneIn(2),
    isSkewed: chance.oneIn(4),
    kernels: 2 + chance.below(2),
    mode: chance.pick(["four-eyes", "single-operator", "single-operator"]),
    steps: 100 + chance.below(340),
    world: newWorld({
      cluster: "lab",
      faults: faultsOf(chance),
      guests: [
        guest(101, "web-01", state()),
        guest(102, "batch-01", { ...state(), ...warm }),
        guest(103, "prod-mail", { state: "running" }),
        guest(104, "vault-01", { state: "running" }),
      ],
      nodes: ["pve1", "pve2", "pve3"].map((name) => makeNode({ bootedMs: START_MS - 60_000, name })),
      seed,
      startMs: START_MS,
      weather: chance.pick(WEATHERS),
    }),
  };
  // Drawn last: the worlds without them are those that they were.
  const isHurried = chance.oneIn(12);
  const changed: Setting["policies"] = chance.oneIn(12) ? chance.pick(CHANGED) : [undefined, undefined];
  // Told by the seed alone too.
  const limiting = LIMITING[seed % LIMITED_ONE_IN];
  const policies: Setting["policies"] = limiting === undefined ? changed : [limiting, limiting];
  const providerSkewMs = chance.pick([0, 0, -20_000, 20_000]);
  return { ...setting, isFragile: chance.oneIn(6), isHurried, policies, providerSkewMs };
};
