// The words of an explanation: what comes of it, what can be undone, what was seen, and the evidence of each rule.
//
// Templates alone; which of them is said is chosen in explanation-in-words.ts. Nothing is decided or recognised by
// them.

import type { Evidence, ExplainedEffect } from "../../model.ts";

export const EXPLANATION_WORDS = {
  effects: {
    "in-sync": "Nothing: the VM is as it should be.",
    "no-step": "Nothing: this VM gets no step.",
    "plan-refused": "Nothing: the plan is refused.",
  },
  /** After the effect of an action, where that is not all of it. */
  waits: "{effect} They stay pending until restart, and nothing is restarted.",
  rollback: "{effect} {end}",
  nothingToUndo: "There is nothing to undo.",
  evidence: {
    "all-seen": "everything that its desired entry names was seen",
    "name-as-desired": "the observed name is the desired name",
    "no-sign-of-production": "no sign of production in its names, tags or entry",
    "one-action": "one action on one VM: {action}",
    "policy-rate": "the policy allows it {perHour:time|times} an hour",
    "policy-tier": "the policy asks for tier {to} at least",
    "policy-window": "the policy allows it on {days}, {hours} UTC",
    "protected-untouched": "protected ({protection}), and {action} neither interrupts nor changes it",
    "same-environment": "desired entry and observation are of environment {environment}",
    "state-fits": "its state fits {action}, and the provider names no blocker",
    "state-seen": "its state was seen: {observedStatus}",
  },
  broken: "{because} ({code}). {next}",
  lines: {
    action: "action: {action}",
    complete: "observation: complete",
    denied: "last denied: by {by} at {at:instant}: {reason} (record {id})",
    environment: "environment: {environment}",
    incomplete: "observation: incomplete",
    power: "power: {power}",
    reason: "reason: {reason}",
    vm: "VM: {vmid} {name}",
  },
  /** One line for each fact that has words of its own; any other is shown by its name. */
  facts: {
    cloneName: "clone name: {cloneName}",
    cloneVmid: "clone vmid: {cloneVmid}",
    desiredCpus: "desired cpus: {desiredCpus}",
    desiredMemory: "desired memory: {desiredMemory:bytes}",
    desiredName: "desired name: {desiredName}",
    desiredStatus: "desired status: {desiredStatus}",
    later: "in a later plan: {later}",
    observedCpus: "observed cpus: {observedCpus}",
    observedIdentity: "observed identity: {observedIdentity}",
    observedMemory: "observed memory: {observedMemory:bytes}",
    observedStatus: "observed status: {observedStatus}",
    pendingCpus: "pending cpus: {pendingCpus}",
    pendingMemory: "pending memory: {pendingMemory:bytes}",
    protectedBecause: "protected because: {protection}",
    snapshot: "snapshot: {snapshot}",
    snapshotRam: "snapshot ram: {snapshotRam}",
    statusAfter: "status after: {statusAfter}",
    targetNode: "target node: {targetNode}",
  },
} as const satisfies {
  readonly broken: string;
  readonly effects: Readonly<Record<Exclude<ExplainedEffect, "performed">, string>>;
  readonly evidence: Readonly<Record<Evidence, string>>;
  readonly facts: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, string>>;
  readonly nothingToUndo: string;
  readonly rollback: string;
  readonly waits: string;
};
