// The one sentence of a configuration that cannot be written: the cluster's file system is read-only without quorum.

import type { Guest } from "./world.ts";

export const unwritable = ({ kind, node, vmid }: Guest, pid: number): string =>
  `unable to open file '/etc/pve/nodes/${node}/${kind === "vm" ? "qemu-server" : "lxc"}/${vmid}.conf.tmp.${pid}' - Permission denied`;
