// Two answers about one guest, made one VmState; or unknown, and why. Keeps N1, N8.
//
// Nothing in it counts or ticks, so that two observations of an unchanged guest are equal. `boot` is the process:
// uptime is a counter, and no rounding of it is stable at every edge. A pid that comes again after a restart of the
// whole node makes a restart look like none, and then a reboot is not proven; it never makes one out of nothing.

import { isName } from "../../../formats/fields.ts";
import type { Snapshots, Vmid, VmState } from "../../../spine/model.ts";
import { type Doubt, doubt } from "../../../spine/observed-codes.ts";
import type { GuestRef } from "../api/names.ts";
import { blockersOf, type GuestEvidence } from "./blockers.ts";
import {
  activeSizes,
  type ConfigSettings,
  configDigest,
  identityOf,
  nameOf,
  resizeManner,
  tagsOf,
  waitingSizes,
} from "./guest-config.ts";
import type { GuestRun } from "./run-state.ts";

export const unknownState = (
  vmid: Vmid,
  because: Doubt,
  known: Pick<VmState, "kind" | "name" | "node" | "source"> = UNSEEN,
): VmState => ({
  because,
  ...known,
  status: "unknown",
  vmid,
});

const UNSEEN = { kind: "vm", name: "", source: "proxmox" } as const;

/** What is known of a guest before it was asked, and of one that does not tell. */
export const knownOf = (
  { kind, node }: GuestRef,
  name: string,
): Pick<VmState, "kind" | "name" | "node" | "source"> => ({
  kind,
  name,
  node,
  source: `proxmox, node ${node}`,
});

export const vmStateOf = (seen: GuestEvidence, snapshots: Snapshots | undefined): VmState => {
  const { guest, settings, status } = seen;
  const { kind, node, vmid } = guest;
  const known = knownOf(guest, isName(status.name) ? status.name : "");
  const tags = tagsOf(settings);
  if (!isName(status.name)) return unknownState(vmid, doubt("name-unreadable"), known);
  if ((nameOf(settings, kind) ?? status.name) !== status.name) {
    return unknownState(vmid, doubt("name-changed"), known);
  }
  if (tags === undefined) return unknownState(vmid, doubt("tags-unreadable"), known);
  return {
    ...runPart(status.run, node, status.pid),
    ...activeSizes(settings, kind),
    blockers: blockersOf(seen),
    ...identified(settings, kind),
    ...known,
    ...waiting(settings, kind),
    ...(status.run.kind !== "stopped" && resizeManner(settings) === "hot" ? { resize: "hot" } : {}),
    ...(snapshots === undefined ? {} : { snapshots }),
    ...(tags.length === 0 ? {} : { tags }),
    vmid,
  };
};

export const bootOf = (node: string, pid: number | undefined): string | undefined =>
  pid === undefined ? undefined : `${node}:${pid}`;

const runPart = (run: GuestRun, node: string, pid: number | undefined): Pick<VmState, "boot" | "paused" | "status"> => {
  if (run.kind === "stopped") return { status: "stopped" };
  const boot = bootOf(node, pid);
  const isStill = run.kind === "paused" || run.kind === "halted" || run.kind === "moving";
  return { ...(boot === undefined ? {} : { boot }), ...(isStill ? { paused: true } : {}), status: "running" };
};

const identified = (settings: ConfigSettings, kind: VmState["kind"]): Pick<VmState, "identity" | "revision"> => {
  const identity = identityOf(settings, kind);
  const revision = configDigest(settings);
  return { ...(identity === undefined ? {} : { identity }), ...(revision === undefined ? {} : { revision }) };
};

const waiting = (settings: ConfigSettings, kind: VmState["kind"]): Pick<VmState, "pending"> => {
  const pending = waitingSizes(settings, kind);
  return pending === undefined ? {} : { pending };
};
