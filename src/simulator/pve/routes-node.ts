// Methods about nodes: their list, in which figures are withheld from those who may not see them, and their status.

import { isPermitted } from "./access.ts";
import { data, type Replied, soon } from "./api-reply.ts";
import { type Context, type Route, textIn } from "./route.ts";
import { NODE } from "./schema.ts";
import { membersOf, nodeRow } from "./view-node.ts";

const nodes = ({ setup, weigh, who, world }: Context): Replied => {
  const rows = membersOf(world).map((node) =>
    nodeRow(
      world,
      node,
      isPermitted(weigh, who, { path: `/nodes/${node.name}`, privileges: ["Sys.Audit"] }),
      setup.fingerprint,
      setup.local,
    ),
  );
  return soon(data(rows));
};

const nodeStatus = ({ params, setup, world }: Context): Replied => {
  const node = world.nodes.get(textIn(params, "node"));
  const total = node?.memory ?? 0;
  const disk = node?.disk ?? 0;
  const release = setup.dialect === "9" ? "6.17.2-1-pve" : "6.8.12-1-pve";
  const version = "#1 SMP PREEMPT_DYNAMIC";
  return soon(
    data({
      "boot-info": { mode: "legacy-bios" },
      cpu: 0.05,
      cpuinfo: {
        cores: node?.cpus,
        cpus: node?.cpus,
        family: "25",
        flags: "",
        hvm: "1",
        mhz: "3000.000",
        model: "Simulated",
        sockets: 1,
        user_hz: 100,
        vendor: "AuthenticAMD",
      },
      "current-kernel": { machine: "x86_64", release, sysname: "Linux", version },
      idle: 0,
      ksm: { shared: 0 },
      kversion: `Linux ${release} ${version}`,
      loadavg: ["0.10", "0.10", "0.10"],
      memory: {
        available: total - Math.floor(total / 4),
        free: total - Math.floor(total / 4),
        total,
        used: Math.floor(total / 4),
      },
      pveversion: `pve-manager/${setup.version}/0000000000000000`,
      rootfs: {
        avail: disk - Math.floor(disk / 4),
        free: disk - Math.floor(disk / 4),
        total: disk,
        used: Math.floor(disk / 4),
      },
      swap: { free: 0, total: 0, used: 0 },
      uptime: Math.floor((world.nowMs - (node?.bootedMs ?? world.nowMs)) / 1000),
      wait: 0,
    }),
  );
};

/**
 * What there is below a node, of what the simulator has: pve-manager PVE/API2/Nodes.pm, index, which is not proxied.
 */
const nodeIndex = (): Replied => soon(data(["lxc", "qemu", "status", "tasks"].map((name) => ({ name }))));

export const NODE_ROUTES: readonly Route[] = [
  { answer: nodes, method: "GET", path: "/nodes", schema: {} },
  { answer: nodeIndex, isLocal: true, method: "GET", path: "/nodes/{node}", schema: { node: NODE } },
  {
    answer: nodeStatus,
    method: "GET",
    need: (params) => ({ path: `/nodes/${textIn(params, "node")}`, privileges: ["Sys.Audit"] }),
    path: "/nodes/{node}/status",
    schema: { node: NODE },
  },
];
