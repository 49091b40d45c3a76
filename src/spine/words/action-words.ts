// What is said of each action before anything happens: what it does to the guest, and what can be undone.
//
// Sentences for people: nothing is decided or recognised by them (rules/actions.ts has what decides).

import type { ActionKind, Power } from "../model.ts";

export const ACTION_WORDS = {
  "vm.start": { effect: "The VM is started.", undo: "It can be shut down again." },
  "vm.resume": { effect: "The paused guest goes on executing.", undo: "It can be suspended again." },
  "vm.snapshot.create": { effect: "A snapshot of the disks is taken.", undo: "The snapshot can be deleted." },
  "vm.shutdown": {
    effect: "The guest is asked to shut down; it may decline, and nothing is forced.",
    undo: "It can be started again; what the guest held in memory only is gone.",
  },
  "vm.reboot": {
    effect: "The guest shuts down and starts again; sizes that wait for a restart become active.",
    undo: "The interruption cannot be undone.",
  },
  "vm.suspend": { effect: "The guest stops executing and stays in memory.", undo: "It can be resumed." },
  "vm.resize": {
    effect: "The sizes in the VM's configuration are changed.",
    undo: "The former sizes can be written back.",
  },
  "vm.clone": { effect: "A second VM is made from this one.", undo: "The clone can be deleted." },
  "vm.stop": {
    effect: "The VM's power is cut; the guest is not asked.",
    undo: "It can be started again; unwritten data is lost.",
  },
  "vm.reset": { effect: "The VM is reset as by its button; the guest is not asked.", undo: "Unwritten data is lost." },
  "vm.migrate": { effect: "The VM moves to another node.", undo: "It can be moved back." },
  "vm.snapshot.rollback": {
    effect: "The VM goes back to the snapshot.",
    undo: "Everything since the snapshot is lost.",
  },
  "vm.snapshot.delete": { effect: "The snapshot is deleted.", undo: "The snapshot cannot be brought back." },
  "vm.delete": { effect: "The VM and its disks are destroyed.", undo: "It cannot be undone." },
} as const satisfies Readonly<Record<ActionKind, { readonly effect: string; readonly undo: string }>>;

/** What a rollback does to the guest follows from the snapshot; said after the effect of the action itself. */
export const ROLLBACK_WORDS = {
  interrupts: "It holds RAM: the running guest is replaced by the one in the snapshot, which runs afterwards.",
  none: "It holds no RAM: the VM stays stopped.",
  starts: "It holds RAM: the stopped VM is started and runs afterwards, from where the snapshot was taken.",
  stops: "It holds no RAM: the running guest is stopped and stays stopped.",
} as const satisfies Record<Power, string>;
