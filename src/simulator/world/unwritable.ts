// The one sentence of a configuration that cannot be written: the cluster's file system is read-only without quorum.

import type { SimulatedGuest } from "./world.ts";

export const unwritableText = ({ kind, node, vmid }: SimulatedGuest, pid: number): string =>
  `unable to open file '/etc/pve/nodes/${node}/${kind === "vm" ? "qemu-server" : "lxc"}/${vmid}.conf.tmp.${pid}' - Permission denied`;
