// The reading handle: the questions that may be asked, and no other. keeps N3
//
// Each is a GET with a path built from checked parts; there is no way to hand in a path, a verb or a parameter.

import type { Vmid } from "../../../spine/model.ts";
import { type Endpoint, getter } from "./connection.ts";
import type { GuestRef, NodeName, PveTask } from "./names.ts";
import type { PveReply } from "./pve-reply.ts";

export type PveReader = {
  /** Who has which role where, as far as the token may see it. */
  readonly acl: (signal: AbortSignal) => Promise<PveReply>;
  /** Running tasks of one node, and a few that have just ended. */
  readonly activeTasks: (node: NodeName, signal: AbortSignal) => Promise<PveReply>;
  readonly clusterStatus: (signal: AbortSignal) => Promise<PveReply>;
  /** Every setting with its active value and what waits, in one answer of one moment. */
  readonly config: (guest: GuestRef, signal: AbortSignal) => Promise<PveReply>;
  /** The token's own rights: everywhere, at the root, or on one guest. */
  readonly permissions: (on: "everywhere" | "root" | Vmid, signal: AbortSignal) => Promise<PveReply>;
  readonly resources: (signal: AbortSignal) => Promise<PveReply>;
  readonly snapshots: (guest: GuestRef, signal: AbortSignal) => Promise<PveReply>;
  readonly status: (guest: GuestRef, signal: AbortSignal) => Promise<PveReply>;
  readonly task: (task: PveTask, signal: AbortSignal) => Promise<PveReply>;
  /** Running and finished tasks on one guest that began at or after `since`, in seconds of that node's clock. */
  readonly tasks: (node: NodeName, vmid: Vmid, since: number, signal: AbortSignal) => Promise<PveReply>;
  readonly version: (signal: AbortSignal) => Promise<PveReply>;
};

const TASKS_MAX = 50;
const ACTIVE_MAX = 500;

export const pathOf = ({ kind, node, vmid }: GuestRef): string =>
  `/nodes/${node}/${kind === "vm" ? "qemu" : "lxc"}/${vmid}`;

export const readerOf = (endpoint: Endpoint): PveReader => {
  const { listBytesMax, readBytesMax } = endpoint.limits;
  const get = getter(endpoint);
  const read = (path: string, signal: AbortSignal): Promise<PveReply> => get(path, readBytesMax, signal);
  return {
    acl: (signal) => read("/access/acl", signal),
    activeTasks: (node, signal) => read(`/nodes/${node}/tasks?source=active&limit=${ACTIVE_MAX}`, signal),
    clusterStatus: (signal) => read("/cluster/status", signal),
    config: (guest, signal) => read(`${pathOf(guest)}/pending`, signal),
    permissions: (on, signal) => read(`/access/permissions${queryOf(on)}`, signal),
    resources: (signal) => get("/cluster/resources?type=vm", listBytesMax, signal),
    snapshots: (guest, signal) => read(`${pathOf(guest)}/snapshot`, signal),
    status: (guest, signal) => read(`${pathOf(guest)}/status/current`, signal),
    task: ({ node, upid }, signal) => read(`/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`, signal),
    tasks: (node, vmid, since, signal) =>
      read(`/nodes/${node}/tasks?source=all&limit=${TASKS_MAX}&vmid=${vmid}&since=${Math.floor(since)}`, signal),
    version: (signal) => read("/version", signal),
  };
};

const queryOf = (on: "everywhere" | "root" | Vmid): string => {
  if (on === "everywhere") return "";
  return `?path=${encodeURIComponent(on === "root" ? "/" : `/vms/${on}`)}`;
};
