// What is said of each action: what it does to the guest, what can be undone, what the adapter must have found besides
// the state, and what proves that it happened.
//
// Sentences for people: nothing is decided or recognised by them (rules/actions.ts has what decides).

import type { ActionKind, Power } from "../../model.ts";

export const ACTION_WORDS = {
  "vm.start": {
    effect: "The VM is started.",
    undo: "It can be shut down again.",
    needs: "not a template, no lock",
    proof: "running",
  },
  "vm.resume": {
    effect: "The paused guest continues.",
    undo: "It can be suspended again.",
    needs: "no lock",
    proof: "running, not paused",
  },
  "vm.snapshot.create": {
    effect: "A snapshot of the disks is taken.",
    undo: "The snapshot can be deleted.",
    needs: "the snapshot's name is free",
    proof: "the snapshot is in the list",
  },
  "vm.shutdown": {
    effect: "The guest is asked to shut down; it may decline, and nothing is forced.",
    undo: "It can be started again; what the guest held in memory only is gone.",
    needs: "the monitor answers, the cluster has quorum",
    proof: "stopped",
  },
  "vm.reboot": {
    effect: "The guest shuts down and starts again; sizes that wait for a restart become active.",
    undo: "The interruption cannot be undone.",
    needs: "the cluster has quorum",
    proof: "running, restarted",
  },
  "vm.suspend": {
    effect: "The guest stops executing and stays in memory.",
    undo: "It can be resumed.",
    needs: "no lock",
    proof: "paused",
  },
  "vm.resize": {
    effect: "The sizes in the VM's configuration are changed.",
    undo: "The old sizes can be restored.",
    needs: "the configuration has not changed since the plan",
    proof: "the new sizes, active or pending as the step says",
  },
  "vm.clone": {
    effect: "A second VM is made from this one.",
    undo: "The clone can be deleted.",
    needs: "the new vmid is free",
    proof: "the new VM exists, with an identity of its own",
  },
  "vm.stop": {
    effect: "The VM's power is cut; the guest is not asked.",
    undo: "It can be started again; unwritten data is lost.",
    needs: "the cluster has quorum",
    proof: "stopped",
  },
  "vm.reset": {
    effect: "The VM is reset, as by its reset button; the guest is not asked.",
    undo: "Unwritten data is lost.",
    needs: "nothing",
    proof: "the provider's verdict alone",
  },
  "vm.migrate": {
    effect: "The VM moves to another node.",
    undo: "It can be moved back.",
    needs: "on the source node, the target node is online",
    proof: "on the target node, same status",
  },
  "vm.snapshot.rollback": {
    effect: "The VM goes back to the snapshot.",
    undo: "Everything since the snapshot is lost.",
    needs: "the snapshot is present, and whether it holds RAM was seen",
    proof:
      "the provider's verdict, the snapshot is the parent of the current state, and the VM runs if the snapshot holds RAM and is stopped if not",
  },
  "vm.snapshot.delete": {
    effect: "The snapshot is deleted.",
    undo: "The snapshot cannot be brought back.",
    needs: "the snapshot is present",
    proof: "the snapshot is gone from the list",
  },
  "vm.delete": {
    effect: "The VM and its disks are destroyed.",
    undo: "It cannot be undone.",
    needs: "unprotected",
    proof: "missing, proven by a complete observation",
  },
} as const satisfies Readonly<
  Record<ActionKind, { readonly effect: string; readonly needs: string; readonly proof: string; readonly undo: string }>
>;

/** What a rollback does to the guest follows from the snapshot; said after the effect of the action itself. */
export const ROLLBACK_WORDS = {
  interrupts: "It holds RAM: the running guest is replaced by the one in the snapshot, which runs afterwards.",
  none: "It holds no RAM: the VM stays stopped.",
  starts: "It holds RAM: the stopped VM is started and runs afterwards, from where the snapshot was taken.",
  stops: "It holds no RAM: the running guest is stopped and stays stopped.",
} as const satisfies Record<Power, string>;
