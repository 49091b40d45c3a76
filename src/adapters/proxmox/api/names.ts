// The grammar of everything that becomes part of a path or a parameter. keeps B7
//
// What does not fit is never sent: a node called "../access" is no node. The grammars are those of PVE itself, written
// out: pve-node and pve-configid in pve-common 9.2.1 src/PVE/JSONSchema.pm, the names of tasks in its src/PVE/UPID.pm.

import type { Vmid } from "../../../spine/model.ts";
import { blocking, type Stated } from "../../../spine/observed-codes.ts";
import { vmidOf } from "./values.ts";

export type NodeName = string & { readonly __is: "NodeName" };
export type Upid = string & { readonly __is: "Upid" };
export type SnapshotName = string & { readonly __is: "SnapshotName" };
export type ConfigDigest = string & { readonly __is: "ConfigDigest" };

/** One guest at one node; `kind` says which half of the API speaks of it. */
export type GuestRef = { readonly kind: "vm" | "ct"; readonly node: NodeName; readonly vmid: Vmid };

const NODE = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const isNode = new RegExp(`^${NODE}$`);
/** pve-configid, of at most 40 characters (pve-snapshot-name): pve-common 9.2.1 src/PVE/JSONSchema.pm. */
const SNAPSHOT_NAME = { max: 40, min: 2 } as const;
const isSnapshot = new RegExp(`^[A-Za-z][A-Za-z0-9_-]{${SNAPSHOT_NAME.min - 1},${SNAPSHOT_NAME.max - 1}}$`);
const isDigest = /^[0-9a-f]{40,64}$/;

export const isNodeName = (value: unknown): value is NodeName => typeof value === "string" && isNode.test(value);

export const isSnapshotName = (value: unknown): value is SnapshotName =>
  typeof value === "string" && isSnapshot.test(value) && value !== PRESENT_STATE;

/** What the list of snapshots calls the present state. */
export const PRESENT_STATE = "current";

/**
 * Taken by PVE itself: qemu-server 9.2.6 src/PVE/API2/Qemu.pm and pve-container 6.1.10 src/PVE/API2/LXC/Snapshot.pm,
 * snapshot.
 */
const isReserved: Readonly<Record<GuestRef["kind"], (name: string) => boolean>> = {
  ct: (name) => name === PRESENT_STATE || name === "vzdump",
  vm: (name) => name === PRESENT_STATE || name.toLowerCase() === "pending",
};

/** Why PVE would not make a snapshot of this name; undefined when it would. */
export const whyNoSnapshot = (
  name: string,
  kind: GuestRef["kind"],
): Stated<"snapshot-name-reserved" | "snapshot-name-unfit"> | undefined => {
  if (!isSnapshot.test(name)) return blocking("snapshot-name-unfit", { facts: SNAPSHOT_NAME });
  return isReserved[kind](name) ? blocking("snapshot-name-reserved", { facts: { snapshot: name } }) : undefined;
};

export const isConfigDigest = (value: unknown): value is ConfigDigest =>
  typeof value === "string" && isDigest.test(value);

// As encode of src/PVE/UPID.pm writes them; the start of the process has a ninth digit after 497 days.
const HEX = "[0-9A-F]{8}";
const WORD = "[^:/\\s\\p{C}]";
const UPID = new RegExp(
  `^UPID:(${NODE}):${HEX}:${HEX}[0-9A-F]?:(${HEX}):(${WORD}{1,64}):(${WORD}{0,64}):(${WORD}{1,255}):$`,
  "u",
);

/** What a task's own name says of it. */
export type PveTask = {
  readonly node: NodeName;
  readonly startedAt: number; // epoch seconds of that node's clock
  readonly type: string;
  readonly upid: Upid;
  readonly user: string; // with !token where a token started it
  readonly vmid: Vmid | undefined;
};

export const parseUpid = (value: unknown): PveTask | undefined => {
  if (typeof value !== "string" || !isUpid(value)) return undefined;
  const [, node, started = "", type = "", id = "", user = ""] = UPID.exec(value) ?? [];
  if (!isNodeName(node)) return undefined;
  return {
    node,
    startedAt: Number.parseInt(started, 16),
    type,
    upid: value,
    user,
    vmid: vmidOf(id),
  };
};

const isUpid = (value: string): value is Upid => UPID.test(value);
