// Methods about the cluster: version, status, resources, the next free vmid, high availability.
//
// Lists show only what the caller may see, and do not say that they left something out.

import { isQuorate } from "../world/world.ts";
import { isPermitted } from "./access.ts";
import { data, type Replied, soon, wrongParameters } from "./api-reply.ts";
import type { Context, Route } from "./route.ts";
import { TEXT, VMID } from "./schema.ts";
import { resourceRow } from "./view-guest.ts";
import { clusterNodeRow, membersOf, nodeResourceRow } from "./view-node.ts";

const mayAudit = ({ weigh, who }: Context, path: string, privilege: string): boolean =>
  isPermitted(weigh, who, { path, privileges: [privilege] });

const clusterStatus = ({ setup, world }: Context): Replied => {
  const members = membersOf(world);
  const rows = members.map((node, at) => clusterNodeRow(world, node, at, setup.local));
  if (world.cluster === undefined) return soon(data(rows));
  const quorate = isQuorate(world) ? 1 : 0;
  const cluster = { id: "cluster", name: world.cluster, nodes: members.length, quorate, type: "cluster", version: 1 };
  return soon(data([cluster, ...rows]));
};

const storageRows = (context: Context) =>
  membersOf(context.world)
    .filter(({ isUp }) => isUp && mayAudit(context, "/storage/local", "Datastore.Audit"))
    .map(({ disk, name }) => ({
      content: "iso,images,rootdir,vztmpl,backup",
      disk: Math.floor(disk / 4),
      id: `storage/${name}/local`,
      maxdisk: disk,
      node: name,
      plugintype: "dir",
      shared: 0,
      status: "available",
      storage: "local",
      type: "storage",
    }));

const networkRows = (context: Context) => {
  const { dialect } = context.setup;
  return membersOf(context.world)
    .filter(({ isUp }) => isUp && mayAudit(context, "/sdn/zones/localnetwork", "SDN.Audit"))
    .map(({ name }) =>
      dialect === "9"
        ? {
            id: `network/${name}/zone/localnetwork`,
            network: "localnetwork",
            "network-type": "zone",
            node: name,
            status: "ok",
            type: "network",
          }
        : { id: `sdn/${name}/localnetwork`, node: name, sdn: "localnetwork", status: "ok", type: "sdn" },
    );
};

const guestRows = (context: Context) => {
  const { setup, world } = context;
  return Array.from(world.guests.values())
    .filter(({ vmid }) => mayAudit(context, `/vms/${vmid}`, "VM.Audit"))
    .toSorted((a, b) => (`${a.vmid}` < `${b.vmid}` ? -1 : 1)) // as texts, in the way of the original
    .map((guest) => resourceRow(world, guest, setup.dialect));
};

const nodeRows = (context: Context) =>
  membersOf(context.world)
    .filter(({ name }) => mayAudit(context, `/nodes/${name}`, "Sys.Audit"))
    .map((node) => nodeResourceRow(context.world, node));

const resources = (context: Context): Replied => {
  const fate = context.provider.beforeRead(undefined);
  if (fate.lost !== undefined) return soon({ how: fate.lost, kind: "lost" });
  const now = { ...context, world: context.provider.world() };
  const type = context.params.get("type");
  const rows = [
    ...(type === undefined || type === "vm" ? guestRows(now) : []),
    ...(type === undefined || type === "node" ? nodeRows(now) : []),
    ...(type === undefined || type === "storage" ? storageRows(now) : []),
    ...(type === undefined || type === "sdn" ? networkRows(now) : []),
  ];
  context.provider.afterRead(undefined);
  return { delayMs: fate.delayMs, reply: data(rows) };
};

const nextId = ({ params, world }: Context): Replied => {
  const wanted = params.get("vmid");
  if (wanted !== undefined && world.guests.has(Number(wanted))) {
    return soon(wrongParameters({ vmid: `VM ${wanted} already exists` }));
  }
  let free = 100;
  while (world.guests.has(free)) free += 1;
  return soon(data(wanted ?? `${free}`));
};

const haStatus = ({ setup, world }: Context): Replied => {
  const managed = Array.from(world.guests.values()).filter(({ ha }) => ha !== undefined);
  const isAt = isQuorate(world);
  const rows = managed.map(({ ha, kind, node, vmid }) => ({
    id: `service:${kind}:${vmid}`,
    node,
    request_state: ha?.wanted,
    sid: `${kind}:${vmid}`,
    state: ha?.state,
    status: `${kind}:${vmid} (${node}, ${ha?.state})`,
    type: "service",
  }));
  const quorum = {
    id: "quorum",
    node: setup.local,
    quorate: isAt ? 1 : 0,
    status: isAt ? "OK" : "No quorum on node",
    type: "quorum",
  };
  const fencing = {
    ...(setup.dialect === "9" ? { "armed-state": "standby" } : {}),
    id: "fencing",
    node: setup.local,
    status: "standby (CRM watchdog standby)",
    type: "fencing",
  };
  return soon(data([quorum, fencing, ...rows]));
};

const AUDIT_ALL = () => ({ path: "/", privileges: ["Sys.Audit"] });

export const CLUSTER_ROUTES: readonly Route[] = [
  {
    answer: ({ setup }) =>
      soon(
        data({
          release: setup.version.split(".").slice(0, 2).join("."),
          repoid: "0000000000000000",
          version: setup.version,
        }),
      ),
    method: "GET",
    path: "/version",
    schema: {},
  },
  { answer: clusterStatus, method: "GET", need: AUDIT_ALL, path: "/cluster/status", schema: {} },
  {
    answer: resources,
    method: "GET",
    path: "/cluster/resources",
    schema: { type: { ...TEXT, oneOf: ["vm", "storage", "node", "sdn"] } },
  },
  {
    answer: nextId,
    method: "GET",
    path: "/cluster/nextid",
    schema: { vmid: { max: VMID.max ?? 0, min: 100, type: "integer" } },
  },
  { answer: haStatus, method: "GET", need: AUDIT_ALL, path: "/cluster/ha/status/current", schema: {} },
];
