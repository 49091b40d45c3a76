// Worlds by chance. Few vmids, few names and few sizes, so that entries and states meet, fit and clash often.
//
// The values keep the model's own promises (paused is said of running VMs only, one entry for each vmid) and no others:
// states come unordered, twice, with gaps beside complete, with blockers, signs of production in every spelling.

import fc from "fast-check";
import { diagnostic } from "../../src/spine/diagnostic-codes.ts";
import type {
  Action,
  ActionKind,
  Blocker,
  DesiredEntry,
  DesiredVm,
  Numbers,
  Observation,
  RequestedAction,
  Scope,
  Vmid,
  VmState,
} from "../../src/spine/model.ts";
import { blocking, doubt, type Gap, gap } from "../../src/spine/observed-codes.ts";
import { entryHash } from "../../src/spine/plan/desired-state.ts";
import type { Hand, Policy, PolicyLine } from "../../src/spine/plan/policy.ts";
import { ACTIONS, isActionKind } from "../../src/spine/rules/actions.ts";
import type { Identities } from "../../src/spine/values/identities.ts";
import { ENVIRONMENT, GiB, OBSERVED_AT, vmidOf, type World } from "./world.ts";

export const ACTION_KINDS: readonly ActionKind[] = Object.keys(ACTIONS).filter(isActionKind);

const VMIDS: readonly Vmid[] = [101, 102, 103, 104, 105, 106].map(vmidOf);
const vmid: fc.Arbitrary<Vmid> = fc.constantFrom(...VMIDS);
const strangeVmid: fc.Arbitrary<Vmid> = fc.constantFrom(1, 100, 107, 999_999_999).map(vmidOf);

/** Mostly the first; what is rare in the world is rare here, or nothing would ever be planned. */
const mostly = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: common, weight: 7 }, { arbitrary: rare, weight: 1 });
const optional = { requiredKeys: [] };

const name: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant("web"), weight: 7 },
  { arbitrary: fc.constantFrom("prod-db", "PROD-db"), weight: 1 },
  { arbitrary: fc.constantFrom("Prod-x", "reprod-1", "prod", "web\u00a0yé\u{1f600}"), weight: 1 },
);
const identity = fc.constantFrom("uuid-a", "uuid-b");
const cpus = fc.constantFrom(2, 4);
const bytes = fc.constantFrom(GiB, 1_000_000_007);
const tags = fc.array(fc.constantFrom("prod", "PROD", "web", "preprod"), { maxLength: 2 });

const blocker: fc.Arbitrary<Blocker> = fc
  .tuple(
    fc.oneof(fc.constant("all" as const), fc.subarray([...ACTION_KINDS])),
    fc.constantFrom(
      blocking("locked", { facts: { lock: "backup" } }),
      blocking("template"),
      blocking("quorum-not-seen", { said: "595 no route" }),
    ),
  )
  .map(([actions, stated]) => ({ actions, ...stated }));

type Condition = Pick<VmState, "because" | "paused" | "status">;
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { arbitrary: fc.constant<Condition>({ status: "running" }), weight: 8 },
  { arbitrary: fc.constant<Condition>({ status: "stopped" }), weight: 8 },
  { arbitrary: fc.constant<Condition>({ paused: true, status: "running" }), weight: 4 },
  {
    arbitrary: fc.constant<Condition>({
      because: doubt("node-refused", {
        diagnostic: diagnostic("http-refusal", { facts: { httpStatus: 500 }, said: "no" }),
        facts: { node: "pve2" },
      }),
      status: "unknown",
    }),
    weight: 1,
  },
  { arbitrary: fc.constant<Condition>({ status: "unknown" }), weight: 1 },
);

const sizes = mostly<Pick<VmState, "cpus" | "maxmem">>(
  fc.record({ cpus, maxmem: bytes }),
  fc.record({ cpus, maxmem: bytes }, optional),
);
const always = fc.record({
  kind: fc.constantFrom("vm" as const, "ct" as const),
  name,
  source: fc.constantFrom("live", "replay", "telemetry"),
  vmid,
});
const often = fc.record(
  {
    boot: fc.constantFrom("boot-1", "boot-2"),
    node: fc.constantFrom("pve1", "pve2"),
    pending: fc.record({ cpus, maxmem: bytes }, optional),
    resize: fc.constantFrom("hot" as const, "restart" as const),
    revision: fc.constantFrom("rev-1", "rev-2"),
    snapshots: fc.constantFrom(
      { names: [], withRam: [] },
      { names: ["after", "before"], parent: "before", withRam: ["before"] },
      { names: ["after", "before"], parent: "before", withRam: [] },
      { names: ["after", "before"], parent: "before" },
    ),
  },
  optional,
);
const seldom = mostly<Pick<VmState, "blockers" | "identity" | "tags">>(
  fc.constant({}),
  fc.record({ blockers: fc.array(blocker, { maxLength: 2 }), identity, tags }, optional),
);

export const vmState: fc.Arbitrary<VmState> = fc
  .tuple(always, condition, sizes, often, seldom)
  .map(([facts, is, sized, more, rare]) => ({ ...facts, ...is, ...sized, ...more, ...rare }));

const written = fc
  .tuple(
    fc.record(
      { cpus, kind: fc.constant("desired" as const), memory: bytes, name, vmid },
      { requiredKeys: ["kind", "name", "vmid"] },
    ),
    mostly<Pick<DesiredVm, "identity" | "protected">>(
      fc.constant({}),
      fc.record({ identity, protected: fc.constant(true as const) }, optional),
    ),
  )
  .map(([wanted, rare]) => ({ ...wanted, ...rare }));
const target = fc.constantFrom(
  { target: "running" } as const,
  { stop: "shutdown", target: "stopped" } as const,
  { stop: "power-off", target: "stopped" } as const,
);
export const desiredVm: fc.Arbitrary<DesiredVm> = fc
  .tuple(written, target)
  .map(([wanted, aim]): DesiredVm => ({ ...wanted, ...aim }));

const PARAMETERS = {
  "vm.clone": fc.record({ kind: fc.constant("vm.clone" as const), name, to: fc.oneof(vmid, strangeVmid) }),
  "vm.migrate": fc.record({ kind: fc.constant("vm.migrate" as const), node: fc.constantFrom("pve1", "pve2") }),
  "vm.resize": fc.record({ cpus, kind: fc.constant("vm.resize" as const), memory: bytes }, { requiredKeys: ["kind"] }),
};
const snapshot = fc.record({
  kind: fc.constantFrom("vm.snapshot.create" as const, "vm.snapshot.rollback" as const, "vm.snapshot.delete" as const),
  snapshot: fc.constantFrom("before", "after"),
});
const plain = fc.record({
  kind: fc.constantFrom(
    "vm.start" as const,
    "vm.shutdown" as const,
    "vm.stop" as const,
    "vm.reboot" as const,
    "vm.reset" as const,
    "vm.suspend" as const,
    "vm.resume" as const,
    "vm.delete" as const,
  ),
});
export const action: fc.Arbitrary<Action> = fc.oneof(
  { arbitrary: plain, weight: 8 },
  { arbitrary: snapshot, weight: 3 },
  ...Object.values<fc.Arbitrary<Action>>(PARAMETERS).map((arbitrary) => ({ arbitrary, weight: 1 })),
);

const requested: fc.Arbitrary<RequestedAction> = fc
  .tuple(action, written)
  .map(([asked, { cpus: _cpus, memory: _memory, ...wanted }]) => ({
    ...wanted,
    action: asked,
    entry: entryHash({ ...wanted, kind: "desired", target: "running" }),
    kind: "request",
  }));

export const entry: fc.Arbitrary<DesiredEntry> = fc.oneof(desiredVm, requested);

/** How one VM and one entry for it meet. */
const FATES = [
  "meet",
  "meet",
  "meet",
  "meet",
  "meet",
  "meet",
  "meet",
  "misnamed",
  "unseen",
  "not desired",
  "twice",
] as const;
type Fate = (typeof FATES)[number];
type Meeting = { readonly states: readonly VmState[]; readonly entries: readonly DesiredEntry[] };

const meetingAt = (id: Vmid, one: fc.Arbitrary<DesiredEntry>): fc.Arbitrary<Meeting> =>
  fc.tuple(fc.constantFrom<Fate>(...FATES), vmState, vmState, one).map(([fate, seen, other, wanted]) => {
    const state = { ...seen, name: fate === "misnamed" ? other.name : wanted.name, vmid: id };
    return {
      states: fate === "unseen" ? [] : fate === "twice" ? [state, { ...other, vmid: id }] : [state],
      entries: fate === "not desired" ? [] : [{ ...wanted, vmid: id }],
    };
  });

const meetings = (one: fc.Arbitrary<DesiredEntry>): fc.Arbitrary<Meeting> =>
  fc
    .subarray([...VMIDS])
    .chain((vmids) => fc.tuple(...vmids.map((id) => meetingAt(id, one))))
    .map((all) => ({ states: all.flatMap(({ states }) => states), entries: all.flatMap(({ entries }) => entries) }));

/** Few observations are partial: one gap refuses everything, and then nothing else is tested. */
const aspect = fc.record(
  {
    complete: mostly(fc.constant(true), fc.boolean()),
    environment: mostly(fc.constant(ENVIRONMENT), fc.constantFrom(ENVIRONMENT, "cloud")),
    gaps: mostly(
      fc.constant<Gap[]>([]),
      fc.array(fc.constantFrom(gap("stated", { said: "node pve2" }), gap("rows-unreadable", { facts: { rows: 2 } })), {
        maxLength: 2,
      }),
    ),
    observedAt: fc.constant(OBSERVED_AT),
    version: fc.constant(1 as const),
  },
  { requiredKeys: ["complete", "environment", "gaps", "version"] },
);

export const scope: fc.Arbitrary<Scope> = fc.oneof(
  { arbitrary: fc.constant("all" as const), weight: 3 },
  { arbitrary: fc.array(mostly(vmid, strangeVmid), { maxLength: 6 }), weight: 1 },
);

const line: fc.Arbitrary<PolicyLine> = fc.record(
  {
    // The common actions weigh more, so that policies and steps meet.
    action: fc.oneof(fc.constantFrom(...ACTION_KINDS), fc.constantFrom<ActionKind>("vm.start", "vm.stop", "vm.resize")),
    for: fc.constantFrom("agent", "person", "robo"),
    to: fc.constantFrom(
      "refused" as const,
      "low" as const,
      "medium" as const,
      "high" as const,
      "irreversible" as const,
    ),
  },
  { requiredKeys: ["action", "to"] },
);
const forEverybody = line.map(({ for: _, ...rest }): PolicyLine => rest);
export const policy: fc.Arbitrary<Policy> = fc.record({
  tighten: fc.array(mostly(forEverybody, line), { maxLength: 3 }),
  version: fc.constant(1 as const),
});
/** Whoever asks and applies. */
export const hands: fc.Arbitrary<readonly Hand[]> = fc.array(
  fc.record({ id: fc.constantFrom("alice", "robo", "boto"), kind: fc.constantFrom("agent", "person") }),
  { maxLength: 2 },
);

/** What is remembered: nothing, or one VM, as it shows itself or otherwise. */
const identities: fc.Arbitrary<Identities> = fc.oneof(
  { arbitrary: fc.constant<Identities>([]), weight: 2 },
  { arbitrary: fc.tuple(fc.tuple(vmid, identity)), weight: 1 },
);

/** Where the operator numbers the VMs nearly every entry is refused, so this is rare. */
const numbers: fc.Arbitrary<Numbers> = fc.oneof(
  { arbitrary: fc.constant<Numbers>("provider"), weight: 15 },
  { arbitrary: fc.constant<Numbers>("operator"), weight: 1 },
);

const shuffledList = <T>(list: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...list], { maxLength: list.length, minLength: list.length });

/** A world whose entries are all of one sort; states and entries come in any order. */
export const worldFrom = (one: fc.Arbitrary<DesiredEntry>): fc.Arbitrary<Required<World>> =>
  fc
    .tuple(
      meetings(one),
      aspect,
      scope,
      mostly(fc.constant<Policy>({ tighten: [], version: 1 }), policy),
      // Drawn last, and of one VM: what is remembered and is not so refuses everything else.
      identities,
      numbers,
    )
    .chain(([met, observation, asked, tightening, remembered, numbered]) =>
      fc.record({
        environment: fc.constant(ENVIRONMENT),
        identities: fc.constant(remembered),
        numbers: fc.constant(numbered),
        observation: shuffledList(met.states).map((vms): Observation => ({ ...observation, vms })),
        policy: fc.constant(tightening),
        scope: fc.constant(asked),
        entries: shuffledList(met.entries),
      }),
    );

export const world: fc.Arbitrary<Required<World>> = worldFrom(entry);
export const observation: fc.Arbitrary<Observation> = world.map((given) => given.observation);
