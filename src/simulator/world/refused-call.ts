// What the provider refuses at once, before any task: the answer to the call is the error, and nothing has happened.
//
// The order of the checks and the texts are those of Proxmox VE. Without quorum a start and a write are refused, while
// a stop and a shutdown are still taken: a one-way door. Not here: rights (pve/access.ts), what only the task says
// (in-task-checks.ts).

import { type Edits, fileDigest } from "./guest-file.ts";
import { type GuestKind, isProtected, lockIn } from "./settings.ts";
import { unwritableText } from "./unwritable.ts";
import { isAnswering, isQuorate, type SimulatedGuest, type World } from "./world.ts";
import type { Answer, SimulatedCall, Work } from "./world-calls.ts";

type Refused = Extract<Answer, { readonly kind: "refused" | "unreached" }>;

const refused = (text: string): Refused => ({ kind: "refused", status: 500, text });

/** Of a parameter: the API names it as wrong (pve/routes-migrate.ts). */
export const LOCAL_TARGET = "target is local node.";
const NO_QUORUM = "cluster not ready - no quorum?";

/** The node does not take calls: its process is gone, or nothing gets through to it. */
export const unreached = (world: World, name: string): Refused | undefined => {
  if (isAnswering(world, name)) return undefined;
  const node = world.nodes.get(name);
  if (node === undefined) {
    return refused(
      `hostname lookup '${name}' failed - failed to get address info for: ${name}: Name or service not known`,
    );
  }
  if (!node.isMember) return { kind: "unreached", status: 595, text: "Connection refused" };
  return node.isUp
    ? { kind: "unreached", status: 596, text: "Connection timed out" }
    : { kind: "unreached", status: 595, text: "No route to host" };
};

export const missingFile = ({ kind, node, vmid }: Pick<SimulatedCall, "kind" | "node" | "vmid">): string =>
  `Configuration file 'nodes/${node}/${kind === "vm" ? "qemu-server" : "lxc"}/${vmid}.conf' does not exist`;

/** The guest that a call means: of that kind, and on that node. */
export const guestAt = (
  world: World,
  { kind, node, vmid }: Pick<SimulatedCall, "kind" | "node" | "vmid">,
): SimulatedGuest | undefined => {
  const guest = world.guests.get(vmid);
  return guest !== undefined && guest.kind === kind && guest.node === node ? guest : undefined;
};

const isHalted = ({ run }: SimulatedGuest): boolean =>
  run.kind === "running" && run.monitor === "answers" && /^(?:paused|prelaunch|suspended)$/.test(run.state);

const word = ({ kind }: SimulatedGuest): string => (kind === "vm" ? "VM" : "CT");
const notRunning = (guest: SimulatedGuest): string | undefined =>
  guest.run.kind === "stopped" ? `${word(guest)} ${guest.vmid} not running` : undefined;

/** qemu-server src/PVE/API2/Qemu.pm and pve-container src/PVE/API2/LXC/Snapshot.pm, snapshot. */
const snapshotText = (name: string, kind: GuestKind): string | undefined => {
  const reserved = kind === "vm" ? /^(?:current|[pP][eE][nN][dD][iI][nN][gG])$/ : /^(?:current|vzdump)$/;
  if (!reserved.test(name)) return undefined;
  return `unable to use snapshot name '${kind === "vm" && name !== "current" ? "pending" : name}' (reserved name)`;
};

const destroyText = (guest: SimulatedGuest, isPurge: boolean): string | undefined => {
  const it = `${word(guest)} ${guest.vmid}`;
  if (isProtected(guest.file.settings)) return `can't remove ${it} - protection mode enabled`;
  if (guest.ha !== undefined && !isPurge) {
    return `unable to remove ${it} - used in HA resources and purge parameter not set.`;
  }
  if (guest.run.kind === "stopped") return undefined;
  return guest.kind === "vm" ? `${it} is running - destroy failed` : `unable to destroy ${it} - container is running`;
};

const lockText = (guest: SimulatedGuest): string | undefined => {
  const lock = lockIn(guest.file.settings);
  return lock === undefined ? undefined : `${word(guest)} is locked (${lock})`;
};

/** qemu-server src/PVE/API2/Qemu.pm, update_vm_api: said before a worker is forked. */
const balloonText = ({ file, kind }: SimulatedGuest, edits: Edits): string | undefined => {
  const { balloon, memory } = edits;
  if (kind === "ct" || (memory === undefined && balloon === undefined)) return undefined;
  const waiting = (key: string): string | undefined => file.pending.get(key) ?? file.settings.get(key);
  const assigned = /[0-9]+$/.exec(memory ?? waiting("memory") ?? "512")?.[0];
  return Number(balloon ?? waiting("balloon") ?? 0) > Number(assigned)
    ? "balloon value too large (must be smaller than assigned memory)"
    : undefined;
};

const configText = (
  world: World,
  guest: SimulatedGuest,
  work: Extract<Work, { readonly verb: "configure" }>,
): string | undefined => {
  if (Object.keys(work.edits).length === 0 && work.reverts === undefined) return "no options specified";
  if (work.digest !== undefined && work.digest !== fileDigest(guest.file)) {
    return "checksum mismatch (file change by other user?)";
  }
  // A task would find out by itself that it cannot write.
  const isRefused = !work.inTask && !isQuorate(world);
  return (
    lockText(guest) ??
    balloonText(guest, work.edits) ??
    (isRefused ? unwritableText(guest, world.counters.pid) : undefined)
  );
};

/** In the order of qemu-server src/PVE/API2/Qemu.pm and pve-container src/PVE/API2/LXC.pm, migrate_vm. */
const migrateText = (world: World, guest: SimulatedGuest, target: string, isOnline: boolean): string | undefined => {
  if (target === guest.node) return LOCAL_TARGET;
  if (!isQuorate(world)) return NO_QUORUM;
  if (world.nodes.get(target)?.isMember !== true) return `no such cluster node '${target}'`;
  // A container's lock is found by its task.
  if (guest.kind === "vm" && lockText(guest) !== undefined) return lockText(guest);
  if (guest.run.kind === "stopped" || isOnline) return undefined;
  return guest.kind === "vm"
    ? "can't migrate running VM without --online"
    : "can't migrate running container without --online or --restart";
};

const textOf = (world: World, guest: SimulatedGuest, work: Work): string | undefined => {
  switch (work.verb) {
    case "start":
      if (!isQuorate(world)) return NO_QUORUM;
      return guest.kind === "ct" && guest.run.kind === "running" ? `CT ${guest.vmid} already running` : undefined;
    case "stop":
      return guest.kind === "ct" ? notRunning(guest) : undefined;
    case "shutdown":
      if (guest.kind === "ct") return notRunning(guest);
      return isHalted(guest) && work.isForced !== true ? "VM is paused - cannot shutdown" : undefined;
    case "reboot":
      return notRunning(guest) ?? (isHalted(guest) ? "VM is paused - cannot shutdown" : undefined);
    case "reset":
    case "suspend":
      return notRunning(guest);
    case "resume":
      return lockIn(guest.file.settings) === "suspended" ? undefined : notRunning(guest);
    case "snapshot":
      return snapshotText(work.snapshot, guest.kind);
    case "configure":
      return configText(world, guest, work);
    case "destroy":
      return destroyText(guest, work.isPurge === true);
    case "migrate":
      return migrateText(world, guest, work.target, work.isOnline === true);
    case "clone":
      return world.guests.has(work.newid) ? `unable to create VM ${work.newid}: config file already exists` : undefined;
    default:
      return undefined;
  }
};

/** Undefined when the call is taken. */
export const objection = (world: World, call: SimulatedCall): Refused | undefined => {
  const away = unreached(world, call.node);
  if (away !== undefined) return away;
  const guest = guestAt(world, call);
  const text = guest === undefined ? missingFile(call) : textOf(world, guest, call.work);
  return text === undefined ? undefined : refused(text);
};
