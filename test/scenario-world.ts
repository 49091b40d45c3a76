// The world of a scene: a simulated cluster whose own API shows what the scene says was seen, or why none can.
//
// A guest is written as its configuration file, with nothing filled in: what the scene leaves open, the provider does
// not show. Not here: what is asked of it (scenario-service.ts).

import { type GuestWords, makeGuest, makeNode } from "../src/simulator/world/make-guest.ts";
import { newWorld, type World } from "../src/simulator/world/world.ts";
import type { Blocker, DesiredEntry, VmState } from "../src/spine/model.ts";
import type { Scene } from "./scenario-language.ts";
import { ENVIRONMENT } from "./spine/world.ts";

/** Why no provider that Dedalus observes can show a scene; it is replayed then. */
export const NOT_LIVE = {
  blocker: "it names a blocker that no setting of a guest makes",
  clone: "it requests a clone, which the provider does not offer",
  doubt: "it states in its own words why a VM is unknown",
  environment: "it is an observation of another environment",
  gap: "it states in its own words what was not seen",
  identity: "it states an identity that the provider would not make",
  ram: "it leaves open which snapshots hold RAM",
} as const;
export type NotLive = keyof typeof NOT_LIVE;

export const whyNotLive = ({ complete, observedIn, seen, desired }: Scene): NotLive | undefined => {
  if (observedIn !== ENVIRONMENT) return "environment";
  if (!complete) return "gap";
  return firstOf([...desired.values()].map(whyNotOffered)) ?? firstOf([...seen.values()].map(whyNotShown));
};

const firstOf = (reasons: readonly (NotLive | undefined)[]): NotLive | undefined =>
  reasons.find((reason) => reason !== undefined);

const whyNotOffered = (entry: DesiredEntry): NotLive | undefined =>
  entry.kind === "request" && entry.action.kind === "vm.clone" ? "clone" : undefined;

const whyNotShown = ({ because, blockers = [], identity, snapshots, status }: VmState): NotLive | undefined => {
  if (status === "unknown" && because?.code !== "node-offline") return "doubt";
  if (!blockers.every((blocker) => settingsFor(blocker) !== undefined)) return "blocker";
  if (identity !== undefined && !UUID.test(identity)) return "identity";
  return snapshots !== undefined && snapshots.withRam === undefined ? "ram" : undefined;
};

type Settings = Readonly<Record<string, string | number>>;

/**
 * The lines of the configuration that make the provider forbid it; the provider may forbid more than the scene says.
 */
const settingsFor = ({ code, facts }: Blocker): Settings | undefined => {
  if (code === "locked") return { lock: String(facts?.["lock"]) };
  if (code === "template") return { template: 1 };
  return code === "action-not-offered" ? {} : undefined;
};

const UUID = /^uuid ([0-9a-f-]+)$/;
const MIB = 2 ** 20;
const CORES_MAX = 16;

const coresOf = ({ cpus, resize }: VmState): Settings => {
  if (cpus === undefined) return {};
  return resize === "hot" ? { cores: CORES_MAX, hotplug: "cpu,memory", numa: 1, vcpus: cpus } : { cores: cpus };
};

const memoryOf = (bytes: number | undefined): Settings => (bytes === undefined ? {} : { memory: bytes / MIB });

const linesOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("");

const snapshotText = ({ snapshots }: VmState): string =>
  (snapshots?.names ?? [])
    .map(
      (name) => `\n[${name}]\n${linesOf(snapshots?.withRam?.includes(name) ? { vmstate: `local:state-${name}` } : {})}`,
    )
    .join("");

const configText = (state: VmState): string => {
  const { blockers = [], identity, maxmem, name, pending, tags = [] } = state;
  const uuid = UUID.exec(identity ?? "")?.[1];
  const settings = linesOf({
    name,
    ...coresOf(state),
    ...memoryOf(maxmem),
    ...(uuid === undefined ? {} : { smbios1: `uuid=${uuid}` }),
    ...(tags.length === 0 ? {} : { tags: tags.join(";") }),
    ...Object.assign({}, ...blockers.map(settingsFor)),
  });
  const waiting = linesOf({
    ...(pending?.cpus === undefined ? {} : { cores: pending.cpus }),
    ...memoryOf(pending?.maxmem),
  });
  return `${settings}${waiting === "" ? "" : `\n[PENDING]\n${waiting}`}${snapshotText(state)}`;
};

const HERE = "pve1";
const nodeOf = ({ because }: VmState): string => String(because?.facts?.["node"] ?? HERE);

const wordsOf = (state: VmState): GuestWords => ({
  node: nodeOf(state),
  ...(state.status === "running" ? { state: state.paused === true ? "paused" : "running" } : {}),
  text: configText(state),
  vmid: state.vmid,
});

const SEED = 7;
const NODES = [HERE, "pve2", "pve3"];

/** Of a scene that is live. A node is down where the scene says so of one of its VMs. */
export const simulatedWorldOf = ({ seen }: Scene, startMs: number): World => {
  const states = [...seen.values()];
  const offline = new Set(states.filter(({ status }) => status === "unknown").map(nodeOf));
  return newWorld({
    cluster: "lab",
    guests: states.map((state) => makeGuest(wordsOf(state), SEED, startMs)),
    nodes: NODES.map((name) => makeNode({ isUp: !offline.has(name), name })),
    seed: SEED,
    startMs,
  });
};
