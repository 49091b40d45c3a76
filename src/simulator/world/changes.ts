// What somebody else does to the world, or what befalls it: the changes of a fault script, carried out.
//
// A change that has nothing to act on (a guest that is gone) does nothing. Each change of a guest is a deed of nobody's
// call, so that a simulation can tell its own doing from the world's.

import { present } from "../../spine/values/present.ts";
import { drawUuid } from "./chance.ts";
import type { Change } from "./faults.ts";
import { edited, rewritten, settledFile, withSettings } from "./guest-file.ts";
import type { Ended } from "./journal.ts";
import { NO_VERDICT } from "./tasks.ts";
import { type Node, nextPid, type SimulatedGuest, type World, withGuest, withNode, withoutGuest } from "./world.ts";
import { type DeedEffect, deed } from "./write-deed.ts";

type GuestChange = Extract<Change, { readonly vmid: number }>;

type NodeChange = Exclude<Extract<Change, { readonly node: string }>, GuestChange>;

const OTHER = { because: "somebody else", kind: "other" } as const;

const became = (world: World, guest: SimulatedGuest, parts: Partial<SimulatedGuest>, deeds: DeedEffect): World =>
  deed(withGuest(world, { ...guest, ...parts }), guest, deeds, OTHER);

const started = (world: World, guest: SimulatedGuest): World => {
  if (guest.run.kind === "running") return world;
  const [pid, counted] = nextPid(world);
  const run = { kind: "running", monitor: "answers", pid, sinceMs: world.nowMs, state: "running" } as const;
  return became(counted, guest, { file: settledFile(guest.file), run }, { effect: "launched", power: "starts" });
};

const stopped = (world: World, guest: SimulatedGuest): World =>
  guest.run.kind === "stopped"
    ? world
    : became(world, guest, { run: { kind: "stopped" } }, { effect: "powered-off", power: "stops" });

/** Another machine wears the same vmid: it has another identity and is stopped. */
const replaced = (world: World, guest: SimulatedGuest): World => {
  const gone = deed(withoutGuest(world, guest.vmid), guest, { effect: "destroyed", power: "stops" }, OTHER);
  const [uuid, chance] = drawUuid(gone.chance);
  const [genid, later] = drawUuid(chance);
  const { serial } = gone.counters;
  const born =
    guest.kind === "vm"
      ? { meta: `creation-qemu=10.0.2,ctime=${Math.floor(gone.nowMs / 1000)}`, smbios1: `uuid=${uuid}`, vmgenid: genid }
      : { rootfs: `local:${guest.vmid}/vm-${guest.vmid}-disk-${serial}.raw,size=8G` };
  const settings = edited(guest.file.settings, { lock: undefined, parent: undefined, ...born });
  const other: SimulatedGuest = {
    ...guest,
    file: rewritten(guest.file, { doomed: [], pending: new Map(), settings, snapshots: [] }),
    run: { kind: "stopped" },
    serial,
  };
  const counted = { ...gone, chance: later, counters: { ...gone.counters, serial: serial + 1 } };
  return deed(withGuest(counted, other), other, { effect: "created", power: "none" }, OTHER);
};

const monitor = (world: World, guest: SimulatedGuest, answers: boolean): World =>
  guest.run.kind === "running"
    ? withGuest(world, { ...guest, run: { ...guest.run, monitor: answers ? "answers" : "silent" } })
    : world;

const guestChanged = (world: World, guest: SimulatedGuest, change: GuestChange): World => {
  const nameKey = guest.kind === "vm" ? "name" : "hostname";
  switch (change.kind) {
    case "starts":
      return started(world, guest);
    case "stops":
      return stopped(world, guest);
    case "disappears":
      return deed(withoutGuest(world, guest.vmid), guest, { effect: "destroyed", power: "stops" }, OTHER);
    case "replaced":
      return replaced(world, guest);
    case "monitor-hangs":
      return monitor(world, guest, false);
    case "monitor-answers":
      return monitor(world, guest, true);
    case "run-state":
      return guest.run.kind === "running"
        ? withGuest(world, { ...guest, run: { ...guest.run, state: change.state } })
        : world;
    case "renamed":
      return became(
        world,
        guest,
        { file: withSettings(guest.file, { [nameKey]: change.name }) },
        { effect: "renamed", power: "none" },
      );
    case "moved":
      return became(world, guest, { node: change.node }, { effect: "migrated", power: "none" });
    case "set":
      return became(
        world,
        guest,
        { file: withSettings(guest.file, { [change.key]: change.value }) },
        { effect: "configured", power: "none" },
      );
    case "unset":
      return became(
        world,
        guest,
        { file: withSettings(guest.file, { [change.key]: undefined }) },
        { effect: "configured", power: "none" },
      );
  }
};

const ended = (world: World, upid: string): World => {
  const task = world.tasks.get(upid);
  if (task === undefined) return world;
  const { cause, verb, vmid } = task;
  const entry: Ended = { atMs: world.nowMs, cause, kind: "end", said: NO_VERDICT, upid, verb, vmid };
  const over = { ...task, state: { atMs: world.nowMs, kind: "ended", status: NO_VERDICT } as const };
  return { ...world, journal: [...world.journal, entry], tasks: new Map(world.tasks).set(upid, over) };
};

/** Its guests lose their power with it, and its tasks end without a verdict. */
const died = (world: World, node: Node): World => {
  const { report, ...rest } = node;
  const down = withNode(world, { ...rest, ...present({ report }), isUp: false });
  const lost = down.open.filter((upid) => down.tasks.get(upid)?.node === node.name);
  const silent = lost.reduce(ended, { ...down, open: down.open.filter((upid) => !lost.includes(upid)) });
  return Array.from(silent.guests.values())
    .filter((guest) => guest.node === node.name)
    .reduce(stopped, silent);
};

/** Its workers go on, as children of nobody. */
const orphaned = (world: World, { name }: Node): World => {
  const tasks = new Map(world.tasks);
  for (const upid of world.open) {
    const task = tasks.get(upid);
    if (task?.node === name) tasks.set(upid, { ...task, isOrphan: true });
  }
  return { ...world, tasks };
};

const nodeChanged = (world: World, node: Node, kind: NodeChange["kind"]): World => {
  switch (kind) {
    case "node-dies":
      return died(world, node);
    case "node-returns":
      return withNode(world, {
        ...node,
        bootedMs: node.isUp ? node.bootedMs : world.nowMs,
        isReached: true,
        isUp: true,
      });
    case "node-cut":
      return withNode(world, { ...node, isReached: false });
    case "node-joined":
      return withNode(world, { ...node, isMember: true });
    case "daemon-restarts":
      return orphaned(world, node);
    case "reports-stop":
      return withNode(world, { ...node, isReporting: false });
    case "reports-resume":
      return withNode(world, { ...node, isReporting: true });
  }
};

export const changed = (world: World, change: Change): World => {
  if ("vmid" in change) {
    const guest = world.guests.get(change.vmid);
    return guest === undefined ? world : guestChanged(world, guest, change);
  }
  if ("node" in change) {
    const node = world.nodes.get(change.node);
    return node === undefined ? world : nodeChanged(world, node, change.kind);
  }
  return { ...world, isSplit: change.kind === "quorum-lost" };
};
