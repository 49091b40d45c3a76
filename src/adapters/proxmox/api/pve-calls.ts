// What each action of the catalogue comes down to at PVE: the privilege it needs and the task that it becomes. keeps B7
//
// Clone and migrate are not here, so they cannot be sent. Not here: paths and parameters (sender.ts). Privileges and
// tasks as in qemu-server 9.2.6 src/PVE/API2/Qemu.pm and pve-container 6.1.10 src/PVE/API2/LXC.pm with LXC/Status.pm,
// LXC/Snapshot.pm.

import type { ActionKind } from "../../../spine/model.ts";
import type { GuestRef } from "./names.ts";

export type SentKind = Exclude<ActionKind, "vm.clone" | "vm.migrate">;

type Row = {
  /** On /vms/ID; all of them for everything that the action can ask. */
  readonly privileges: readonly string[];
  /** A task under HA is only a request. */
  readonly tasks: Readonly<Record<GuestRef["kind"], readonly string[]>>;
};

const row = (privileges: readonly string[], vm: readonly string[], ct: readonly string[]): Row => ({
  privileges,
  tasks: { ct, vm },
});

export const CALLS = {
  "vm.start": row(["VM.PowerMgmt"], ["qmstart", "hastart"], ["vzstart", "hastart"]),
  "vm.shutdown": row(["VM.PowerMgmt"], ["qmshutdown", "hastop"], ["vzshutdown", "hastop"]),
  "vm.stop": row(["VM.PowerMgmt"], ["qmstop", "hastop"], ["vzstop", "hastop"]),
  "vm.reboot": row(["VM.PowerMgmt"], ["qmreboot"], ["vzreboot"]),
  "vm.reset": row(["VM.PowerMgmt"], ["qmreset"], []),
  "vm.suspend": row(["VM.PowerMgmt"], ["qmpause"], []),
  "vm.resume": row(["VM.PowerMgmt"], ["qmresume"], []),
  "vm.resize": row(["VM.Config.CPU", "VM.Config.Memory"], ["qmconfig"], []),
  "vm.snapshot.create": row(["VM.Snapshot"], ["qmsnapshot"], ["vzsnapshot"]),
  "vm.snapshot.rollback": row(["VM.Snapshot.Rollback"], ["qmrollback"], ["vzrollback"]),
  "vm.snapshot.delete": row(["VM.Snapshot"], ["qmdelsnapshot"], ["vzdelsnapshot"]),
  "vm.delete": row(["VM.Allocate"], ["qmdestroy"], ["vzdestroy"]),
} as const satisfies Record<SentKind, Row>;

const TABLE: Readonly<Record<SentKind, Row>> = CALLS;

export const callOf = (kind: SentKind): Row => TABLE[kind];

export const isSentKind = (kind: ActionKind): kind is SentKind => Object.hasOwn(CALLS, kind);

/**
 * Tasks whose OK is not the end: the HA manager has only taken a request, and a reboot is over for its task when the
 * guest went down, while the start is left to the node's event daemon (qemu-server src/PVE/API2/Qemu.pm, vm_reboot).
 */
export const UNFINISHED: Readonly<Record<string, "guest-down" | "ha-accepted">> = {
  hastart: "ha-accepted",
  hastop: "ha-accepted",
  qmreboot: "guest-down",
  vzreboot: "guest-down",
};
