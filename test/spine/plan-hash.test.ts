// Any single changed input is another plan: one table with every field, so that a field that is added is listed too.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  Action,
  DesiredEntry,
  DesiredVm,
  Instant,
  Observation,
  RequestedAction,
  VmState,
} from "../../src/spine/model.ts";
import { type Ground, plan } from "../../src/spine/plan/plan.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import {
  desiredFor,
  GiB,
  groundOf,
  judge,
  observationOf,
  request,
  state,
  vmidOf,
  type World,
  wantStopped,
} from "./world.ts";

const ENTRY = wantStopped("shutdown", { cpus: 2, identity: "uuid-a", memory: GiB, protected: true });
const STATE: Required<VmState> = {
  ...state(),
  because: { code: "stated", said: "none" },
  boot: "boot-1",
  cpus: 2,
  blockers: [{ actions: ["vm.reset"], code: "locked", facts: { lock: "backup" } }],
  identity: "uuid-a",
  kind: "vm",
  maxmem: GiB,
  node: "pve1",
  paused: true,
  pending: { cpus: 4, maxmem: GiB },
  resize: "hot",
  revision: "rev-1",
  snapshots: { names: ["older"], parent: "older", withRam: ["older"] },
  tags: ["web"],
};
const REQUEST = request({ kind: "vm.resize", memory: 2 * GiB }, { vmid: vmidOf(102) });
const OBSERVATION = observationOf([STATE, state({ vmid: vmidOf(102) })]);
const WORLD: World = { observation: OBSERVATION, entries: [ENTRY, REQUEST] };
const HASH = judge(WORLD).plan.hash;

const without = <T extends object>(value: T, key: keyof T): T => {
  const { [key]: _, ...rest } = value;
  return rest as T;
};

const assertMoves = (what: string, changed: World): void => {
  test(`another ${what} is another plan`, () => assert.notEqual(judge(changed).plan.hash, HASH));
};

type Changes<T> = { readonly [K in keyof Required<T>]: readonly Required<T>[K][] };

const STATE_CHANGES: Changes<Omit<VmState, "source">> = {
  because: [
    { code: "stated", said: "other" },
    { code: "node-refused", facts: { node: "pve2" }, said: "none" },
  ],
  boot: ["boot-2"],
  cpus: [1],
  blockers: [
    [],
    [{ actions: "all", code: "locked", facts: { lock: "backup" } }],
    [{ actions: ["vm.reset"], code: "template" }],
    [{ actions: ["vm.reset"], code: "locked", facts: { lock: "snapshot" } }],
    [{ actions: ["vm.reset"], code: "locked", facts: { lock: "backup" }, said: "it waits" }],
  ],
  identity: ["uuid-b"],
  kind: ["ct"],
  maxmem: [GiB + 1],
  name: ["web-02", "Web-01"],
  node: ["pve2"],
  paused: [],
  pending: [{}, { cpus: 4 }, { cpus: 5, maxmem: GiB }, { cpus: 4, maxmem: GiB + 1 }],
  resize: ["restart"],
  revision: ["rev-2"],
  snapshots: [
    { names: [], parent: "older", withRam: ["older"] },
    { names: ["older"], withRam: ["older"] },
    { names: ["older"], parent: "other", withRam: ["older"] },
    { names: ["older"], parent: "older", withRam: [] },
    { names: ["older"], parent: "older" },
  ],
  status: ["stopped", "unknown"],
  tags: [[], ["web", "web"], ["prod"]],
  vmid: [vmidOf(103)],
};
const OPTIONAL_IN_STATE = [
  "because",
  "boot",
  "cpus",
  "blockers",
  "identity",
  "maxmem",
  "node",
  "paused",
  "pending",
  "resize",
  "revision",
  "snapshots",
  "tags",
] as const satisfies readonly (keyof VmState)[];

const seeing = (changed: VmState): World => ({
  ...WORLD,
  observation: { ...OBSERVATION, vms: OBSERVATION.vms.map((one) => (one === STATE ? changed : one)) },
});

for (const [field, values] of Object.entries(STATE_CHANGES)) {
  for (const value of values)
    assertMoves(`observed ${field} (${JSON.stringify(value)})`, seeing({ ...STATE, [field]: value }));
}
for (const field of OPTIONAL_IN_STATE)
  assertMoves(`observation without ${field}`, seeing(without<VmState>(STATE, field)));

type Stopped = Extract<DesiredVm, { readonly target: "stopped" }>;
const ENTRY_CHANGES: Changes<Omit<Stopped, "kind" | "target">> = {
  cpus: [1],
  identity: ["uuid-b"],
  memory: [GiB + 1],
  name: ["web-02"],
  protected: [],
  stop: ["power-off"],
  vmid: [vmidOf(103)],
};
const desiring = (changed: DesiredEntry, instead: DesiredEntry): World => ({
  ...WORLD,
  entries: WORLD.entries.map((one) => (one === instead ? changed : one)),
});

for (const [field, values] of Object.entries(ENTRY_CHANGES)) {
  for (const value of values) assertMoves(`desired ${field}`, desiring({ ...ENTRY, [field]: value }, ENTRY));
}
for (const field of ["cpus", "identity", "memory", "protected"] as const) {
  assertMoves(`entry without ${field}`, desiring(without<Stopped>(ENTRY, field), ENTRY));
}
assertMoves("target", desiring({ ...without<Stopped>(ENTRY, "stop"), target: "running" } as DesiredVm, ENTRY));

const ACTION_CHANGES: readonly Action[] = [
  { kind: "vm.resize" },
  { kind: "vm.resize", memory: GiB },
  { cpus: 2, kind: "vm.resize", memory: 2 * GiB },
  { kind: "vm.start" },
  { kind: "vm.snapshot.create", snapshot: "a" },
  { kind: "vm.snapshot.create", snapshot: "b" },
  { kind: "vm.migrate", node: "pve1" },
  { kind: "vm.clone", name: "web-09", to: vmidOf(109) },
];
const REQUEST_CHANGES: Changes<Omit<RequestedAction, "kind">> = {
  action: ACTION_CHANGES,
  entry: [sha256("another entry")],
  identity: ["uuid-a"],
  name: ["web-02"],
  protected: [true],
  vmid: [vmidOf(103)],
};
for (const [field, values] of Object.entries(REQUEST_CHANGES)) {
  for (const value of values) {
    assertMoves(`requested ${field} (${JSON.stringify(value)})`, desiring({ ...REQUEST, [field]: value }, REQUEST));
  }
}

test("no two requested actions share a plan hash", () => {
  const hashes = ACTION_CHANGES.map((action) => judge(desiring({ ...REQUEST, action }, REQUEST)).plan.hash);
  assert.equal(new Set(hashes).size, ACTION_CHANGES.length);
});

const LOOK_CHANGES: Changes<Omit<Observation, "version">> = {
  complete: [false],
  environment: ["cloud"],
  gaps: [
    [{ code: "stated", said: "node pve2" }],
    [{ code: "bare-list" }],
    [{ code: "rows-unreadable", facts: { rows: 1 } }],
  ],
  observedAt: ["2026-11-15T10:00:00.001Z" as Instant],
  vms: [[], [...OBSERVATION.vms, state({ vmid: vmidOf(104) })]],
};
for (const [field, values] of Object.entries(LOOK_CHANGES)) {
  for (const value of values) {
    assertMoves(`${field} of the observation`, { ...WORLD, observation: { ...OBSERVATION, [field]: value } });
  }
}
assertMoves("observation without observedAt", {
  ...WORLD,
  observation: without<Observation>(OBSERVATION, "observedAt"),
});
assertMoves("scope", { ...WORLD, scope: [vmidOf(101), vmidOf(102)] });
assertMoves("environment of entries and observation alike", {
  ...WORLD,
  environment: "cloud",
  observation: { ...OBSERVATION, environment: "cloud" },
});
assertMoves("policy", { ...WORLD, policy: { tighten: [{ action: "vm.delete", to: "refused" }], version: 1 } });

test("another digest of the environment's section is another plan", () => {
  const ground: Ground = { ...groundOf(), environment: sha256("another section") };
  assert.notEqual(plan(desiredFor(WORLD.entries), observe(OBSERVATION), "all", ground).hash, HASH);
});

test("another source is the same plan", () => {
  assert.equal(judge(seeing({ ...STATE, source: "replay" })).plan.hash, HASH);
});
