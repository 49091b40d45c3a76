// One node as the API shows it: in the list of nodes, among the cluster's resources, and in the cluster's status.
//
// Whether a node is there comes from the membership; its figures come from its last report, and only to those who may
// see them.

import type { Node, World } from "../world/world.ts";
import { fingerprintOf } from "./certificate.ts";
import { freshReport } from "./view-guest.ts";

type Row = Readonly<Record<string, unknown>>;

export const membersOf = (world: World): readonly Node[] =>
  Array.from(world.nodes.values()).filter(({ isMember }) => isMember);

const isOnline = ({ isReached, isUp }: Node): boolean => isUp && isReached;

/** Offline is the membership's word; online is that of a member that has reported: pve-manager PVE/API2Tools.pm. */
const statusOf = (world: World, node: Node): string => {
  if (world.cluster !== undefined && !isOnline(node)) return "offline";
  return freshReport(node, world.nowMs) === undefined ? "unknown" : "online";
};

const sizes = (node: Node): Row => ({ maxcpu: node.cpus, maxdisk: node.disk, maxmem: node.memory });

const figures = (node: Node, nowMs: number): Row => ({
  cpu: 0.05,
  disk: Math.floor(node.disk / 4),
  mem: Math.floor(node.memory / 4),
  uptime: Math.floor((nowMs - node.bootedMs) / 1000),
});

const base = (world: World, node: Node): Row => ({
  id: `node/${node.name}`,
  node: node.name,
  status: statusOf(world, node),
  type: "node",
});

/**
 * A node whose report is kept has a level and its sizes, even when it is offline; figures of use it has online alone.
 */
const told = (world: World, node: Node, mayAudit: boolean): Row => {
  const report = freshReport(node, world.nowMs);
  if (report === undefined) return {};
  const used = world.cluster === undefined || isOnline(node) ? figures(node, report.atMs) : {};
  return { level: "", ...(mayAudit ? { ...sizes(node), ...used } : {}) };
};

/** Its certificate is in the cluster's file system and stays there; one that never came up has none. */
const certificateOf = (node: Node, own: string, local: string): string | null => {
  if (node.name === local) return own;
  return node.report === undefined && !isOnline(node) ? null : fingerprintOf(Buffer.from(node.name));
};

export const nodeRow = (world: World, node: Node, mayAudit: boolean, own: string, local: string): Row => ({
  ...base(world, node),
  ...told(world, node, mayAudit),
  ssl_fingerprint: certificateOf(node, own, local),
});

export const nodeResourceRow = (world: World, node: Node): Row => {
  const rest = told(world, node, true);
  return { ...base(world, node), ...rest, ...(Object.hasOwn(rest, "level") ? { "cgroup-mode": 2 } : {}) };
};

export const clusterNodeRow = (world: World, node: Node, at: number, local: string): Row => ({
  id: `node/${node.name}`,
  ...(isOnline(node) ? { ip: `10.255.255.${11 + at}` } : {}),
  level: "",
  local: node.name === local ? 1 : 0,
  name: node.name,
  nodeid: world.cluster === undefined ? 0 : at + 1,
  online: isOnline(node) ? 1 : 0,
  type: "node",
});
