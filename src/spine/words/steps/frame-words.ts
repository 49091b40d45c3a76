// The frame of what somebody agrees to: the lines around an explanation, the summary of a step, and the questions at a
// terminal.
//
// In the catalogue like every other word, because they are part of the text that was agreed to. Templates alone; which
// of them is said is chosen in explanation-in-words.ts and step-summary.ts. Not here: signs and colour (cli/views).

import type { ActionKind, Explanation, InvitedParty } from "../../model.ts";

export const FRAME_WORDS = {
  headings: {
    "in-sync": "VM {vmid}: in sync",
    refusal: "VM {vmid}: refused",
    step: "VM {vmid}: {title}",
  },
  fact: "  {fact}",
  effect: "  effect:  {effect}",
  undo: "  undo:    {undo}",
  holds: "  PASS  {rule}  {evidence}",
  broken: "  FAIL  {rule}  {evidence}",
  agreement: "  {agreement}",
  invited: {
    approver: "  approved by {name}, whom {invitedBy} invited",
    requester: "  requested by {name}, whom {invitedBy} invited",
  },
  hash: "  explanation {hash}",
} as const satisfies {
  readonly headings: Readonly<Record<Explanation["answer"], string>>;
  readonly invited: Readonly<Record<InvitedParty["party"], string>>;
} & Readonly<Record<string, unknown>>;

export const SUMMARY_WORDS = {
  titles: {
    "vm.clone": "clone {name}",
    "vm.delete": "delete {name}",
    "vm.migrate": "migrate {name}",
    "vm.reboot": "reboot {name}",
    "vm.reset": "reset {name}",
    "vm.resize": "resize {name}",
    "vm.resume": "resume {name}",
    "vm.shutdown": "shut down {name}",
    "vm.snapshot.create": "snapshot {name}",
    "vm.snapshot.delete": "delete a snapshot of {name}",
    "vm.snapshot.rollback": "roll back {name}",
    "vm.start": "start {name}",
    "vm.stop": "power off {name}",
    "vm.suspend": "suspend {name}",
  },
  told: "{title}: {told}",
  tier: "{summary}  [{tier}]",
  changes: {
    cpus: "cpus {seen} → {desired}",
    memory: "memory {seen} → {desired}",
    rollback: "to snapshot {snapshot}",
    snapshot: "{snapshot}",
    status: "{observed} → {desired}",
  },
  sizes: {
    cpus: "{size}",
    memory: "{size:bytes}",
    "not-seen": "not seen",
    pending: "{seen} ({pending} pending)",
  },
  effects: {
    "at-restart": "pending until restart",
    interrupts: "interrupts the guest",
    starts: "starts the guest",
    stops: "stops the guest",
  },
  later: "then {told} in a later plan",
  both: "{first} and {second}",
} as const satisfies { readonly titles: Readonly<Record<ActionKind, string>> } & Readonly<Record<string, unknown>>;

/** What the person at a terminal is asked, word for word. */
export const QUESTION_WORDS = {
  steps: {
    "vm.clone": "Clone {name} (VM {vmid})?",
    "vm.delete": "Delete {name} (VM {vmid})?",
    "vm.migrate": "Migrate {name} (VM {vmid})?",
    "vm.reboot": "Reboot {name} (VM {vmid})?",
    "vm.reset": "Reset {name} (VM {vmid})?",
    "vm.resize": "Resize {name} (VM {vmid})?",
    "vm.resume": "Resume {name} (VM {vmid})?",
    "vm.shutdown": "Shut down {name} (VM {vmid})?",
    "vm.snapshot.create": "Snapshot {name} (VM {vmid})?",
    "vm.snapshot.delete": "Delete a snapshot of {name} (VM {vmid})?",
    "vm.snapshot.rollback": "Roll back {name} (VM {vmid})?",
    "vm.start": "Start {name} (VM {vmid})?",
    "vm.stop": "Power off {name} (VM {vmid})?",
    "vm.suspend": "Suspend {name} (VM {vmid})?",
  },
  keys: "{question} [y/N/e/s/q]",
  "typed-name": "This cannot be undone. Type the VM's name to confirm:",
} as const satisfies { readonly steps: Readonly<Record<ActionKind, string>> } & Readonly<Record<string, unknown>>;
