// The words of the refusals of plans (rules/refusal-table.ts). Sentences for people: nothing is decided or recognised
// by them.

import { BLOCKER_WORDS, DOUBT_WORDS } from "../causes/observation-words.ts";
import type { RefusalWords } from "../template.ts";

export const PLAN_WORDS = {
  "environment-mismatch": {
    summary: "Another environment's observation",
    because: { observation: "the desired entry is for environment {desired}, the observation is of {observed}" },
    why: "A desired entry for one environment says nothing about a VM of another.",
    next: "Give an observation of the environment that the desired file names.",
  },
  "vm-not-desired": {
    summary: "VM is not in the desired file",
    because: {
      scope: "VM {vmid} is in the scope and has no desired entry",
      unanswered: "the plan has no answer for VM {vmid}",
      unregistered: "VM {vmid} is not registered",
    },
    why: "What nobody wrote down is not acted on, and nothing is discovered.",
    next: "Add the VM to the desired file, or leave it out of the scope.",
  },
  "vm-unknown": {
    summary: "VM's state is unknown",
    because: DOUBT_WORDS,
    why: "Acting on a guess is the one mistake that cannot be explained afterwards.",
    next: "Observe again, or narrow the scope to VMs that were seen.",
  },
  "vm-missing": {
    summary: "VM does not exist",
    because: "a complete observation found no VM {vmid}; missing is not stopped",
    why: "Dedalus creates no VM, and does not take a missing one for a stopped one.",
    next: "Correct or remove the entry, or create the VM by hand.",
  },
  "size-not-seen": {
    summary: "VM's size was not seen",
    because: "{size}: not seen",
    why: "A size that was not observed cannot be compared with the desired one.",
    next: "Observe again with a source that reports sizes, or remove the size from the entry.",
  },
  "snapshots-not-seen": {
    summary: "VM's snapshots were not seen",
    because: "the observation does not list its snapshots",
    why: "Whether a snapshot's name is free or taken is not guessed.",
    next: "Observe again with a source that lists snapshots.",
  },
  "snapshot-ram-not-seen": {
    summary: "Whether the snapshot holds RAM was not seen",
    because: "the observation does not show whether snapshot {snapshot} holds RAM",
    why: "A rollback to a snapshot with RAM starts the guest, one without RAM leaves it stopped; which of them is not guessed.",
    next: "Observe again with a source that tells which snapshots hold RAM.",
  },
  "name-mismatch": {
    summary: "VM has another name",
    because: "it is named {observedName}, and the desired entry says {desiredName}",
    why: "A vmid can be reused; a different name may be a different machine.",
    next: "Make the names agree, in the desired file or on the VM.",
  },
  "identity-mismatch": {
    summary: "VM has another identity",
    because: "its identity is not the one in the desired entry",
    why: "It has the same vmid and is a different machine.",
    next: "Confirm which machine is meant and correct the identity in the entry.",
  },
  "identity-changed": {
    summary: "This vmid belongs to a different VM than before",
    because: "it was {rememberedIdentity}, and is {observedIdentity}",
    why: "A VM that was deleted and created again has the same number and name, and is not the one that was meant.",
    next: "If it was rebuilt on purpose, accept the new identity.",
  },
  "identity-not-seen": {
    summary: "VM's identity was not seen",
    because: {
      demanded: "the desired entry has an identity, and the observation shows none",
      remembered: "it showed an identity before, and the observation shows none",
    },
    why: "Without an identity, a rebuilt VM cannot be told from the one that is meant.",
    next: "Observe again with a source that reports identity, or remove the identity from the entry.",
  },
  "identity-required": {
    summary: "Entry does not say which VM it means",
    because: {
      planned: "its entry has no identity, and the provider knows no VM by this number",
      registered:
        "{entries:entry has|entries have} no identity, VM {first} first, and the provider knows no VM by these numbers",
    },
    why: "Where the provider does not number its VMs, the identity alone tells which one is meant; a name can be given again.",
    next: "Write the identity of the VM into its entry, as the provider's own tools show it.",
  },
  "blocked-by-provider": {
    summary: "The provider forbids it",
    because: BLOCKER_WORDS,
    why: "A call that is known to be refused is not tried.",
    next: "Clear what stands in the way, then plan again.",
  },
  "state-unfit": {
    summary: "VM is not in a state for this action",
    because: {
      "no-size": "the request names no size",
      "not-paused": "it is not paused",
      paused: "it is paused, and {action} needs an executing guest",
      "size-same": "it has the requested size",
      "snapshot-absent": "it has no snapshot {snapshot}",
      "snapshot-absent-meant": "it has no snapshot {snapshot}; did you mean {meant}?",
      "snapshot-present": "it has a snapshot {snapshot} already",
      status: "it is {observedStatus}, and {action} needs a {neededStatus} VM",
      "status-reached": "it is {observedStatus} already",
      "vmid-not-seen": "whether vmid {cloneVmid} is free was not seen",
      "vmid-taken": "vmid {cloneVmid} is taken",
    },
    why: "An action is planned only for a VM in the state that it needs.",
    next: {
      "no-size": "Ask for CPUs or memory.",
      "not-paused": "Resume only a VM that is paused.",
      paused: "Resume the VM first.",
      "size-same": "Nothing to do.",
      "snapshot-absent": "Name a snapshot that it has.",
      "snapshot-absent-meant": "Name a snapshot that it has, such as {meant}.",
      "snapshot-present": "The name is taken: choose another one.",
      status: "Bring the VM into the state that {action} needs, or ask for another action.",
      "status-reached": "Nothing to do.",
      "vmid-not-seen": "Observe again with a source that sees every vmid.",
      "vmid-taken": "Choose a vmid that is free.",
    },
  },
  "waits-for-restart": {
    summary: "The change waits for a restart",
    because: {
      both: "cpus {desiredCpus} and memory {desiredMemory:bytes} are written and wait for a restart",
      cpus: "cpus {desiredCpus} is written and waits for a restart",
      memory: "memory {desiredMemory:bytes} is written and waits for a restart",
    },
    why: "The new sizes become active when the VM restarts.",
    next: "Reboot it: a restart makes it active. Dedalus restarts nothing by itself.",
  },
  "observation-foreign": {
    summary: "Observation of another environment",
    because: "the desired entries are for environment {desired}, the observation is of {observed}",
    why: "An observation of one environment says nothing about another.",
    next: "Give an observation of the environment that the desired file names.",
  },
  "observation-incomplete": {
    summary: "Observation is incomplete",
    because: {
      gaps: "{count:gap|gaps} in what was seen",
      "gaps-narrowable": "{count:gap|gaps} in what was seen",
      unclaimed: "the observation does not claim to have seen everything",
      "unclaimed-narrowable": "the observation does not claim to have seen everything",
    },
    why: "What was not seen may matter to what was.",
    next: {
      gaps: "Observe again, or narrow the scope to VMs that were seen.",
      "gaps-narrowable": "Observe again, or narrow the scope to what was seen.",
      unclaimed: "Observe again, or narrow the scope to VMs that were seen.",
      "unclaimed-narrowable": "Observe again, or narrow the scope to what was seen.",
    },
  },
  "truth-incomplete": {
    summary: "A desired VM is unknown",
    because: {
      narrowable: "{unknown:VM is|VMs are} unknown: {vmids}",
      whole: "{unknown:VM is|VMs are} unknown: {vmids}",
    },
    why: "A plan for all of them must know all of them.",
    next: {
      narrowable: "Observe again, or narrow the scope to what was seen.",
      whole: "Observe again, or narrow the scope to VMs that are known.",
    },
  },
  "production-touched": {
    summary: "Production VM would be interrupted or changed",
    because: {
      "desired-name": "{action} of {name}, and its desired name begins with prod-",
      entry: "{action} of {name}, and its desired entry says protected: true",
      marked: "{action} of {name}, and it is protected",
      "observed-name": "{action} of {name}, and its observed name begins with prod-",
      tag: "{action} of {name}, and it carries the tag prod",
    },
    why: "A VM is protected by a name that begins with prod-, by the tag prod, or by protected: true; there is no override.",
    next: "Take the VM out of the scope, or do it by hand at the provider.",
  },
  "policy-refuses": {
    summary: "Policy rules this action out",
    because: {
      everybody: "the policy refuses {action}",
      whom: "the policy refuses {action} of {whom}",
    },
    why: "An operator wrote that this action is not to be planned or applied here.",
    next: "Change the policy, as a recorded act.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
