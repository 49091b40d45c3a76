// The words of the refusals in rules/kernel-refusals.ts. Sentences for people: nothing is decided or recognised by them.

import type { RefusalWords } from "./template.ts";

export const KERNEL_WORDS = {
  "reason-missing": {
    summary: "No reason is given",
    why: "A decision that nobody can read later was not a conscious one.",
    next: "Say why, in words.",
  },
  "seal-unconfirmed": {
    summary: "Nobody confirmed that the ledger moves",
    why: "A sealed ledger takes no more writes; that is a person's conscious decision.",
    next: "Answer yes at the terminal, or add --yes.",
  },
  "seal-misplaced": {
    summary: "Seal does not stand at the end of what was copied",
    why: "A copy that lacks a record of its source would go on without it.",
    next: "Run the same command again; what was written meanwhile is copied first.",
  },
  "seal-absent": {
    summary: "There is no seal to undo",
    why: "Only the seal that a ledger ends with is undone, for the copy that it names.",
    next: "See how the ledger ends: dedalus ledger show.",
  },
  "copy-void": {
    summary: "Copy was declared gone",
    why: "Its ledger goes on without it; a copy that comes back would be a second truth.",
    next: "Copy to an empty place, under a new id.",
  },
  "environment-unknown": {
    summary: "Environment not in the configuration",
    why: "What is not configured has no adapter, no credential and no approval mode.",
    next: "Name an environment of dedalus.yaml.",
  },
  frozen: {
    summary: "Frozen",
    why: "An operator stopped all changes here; the intents in flight are listed by status.",
    next: "Wait until it is lifted: dedalus unfreeze, a recorded act.",
  },
  "freeze-absent": {
    summary: "Nothing is frozen here",
    why: "What is not frozen cannot be lifted.",
    next: "See what is frozen: dedalus status.",
  },
  "desired-unregistered": {
    summary: "Nothing is registered as desired",
    why: "Only what an operator registered is planned for.",
    next: "Register the desired file: dedalus desire --env NAME FILE.",
  },
  "value-altered": {
    summary: "A value differs from its digest",
    why: "What was recorded is not what was brought.",
    next: "Bring the recorded value.",
  },
  "look-unknown": {
    summary: "Observation not known",
    why: "A plan stands on a recorded look at the same environment.",
    next: "Observe again: dedalus observe --env NAME.",
  },
  "look-stale": {
    summary: "Observation is too old",
    why: "What was seen long ago may not be so any more.",
    next: "Observe again: dedalus observe --env NAME.",
  },
  "provider-clock-missing": {
    summary: "Provider's clock is missing",
    why: "Without it nobody can tell whether this machine's clock is right, and every age and end is counted on that.",
    next: "Observe again: dedalus observe --env NAME. If it stays away, see what doctor says: dedalus doctor --env NAME.",
  },
  "clock-ahead": {
    summary: "Clock is ahead of the provider's",
    why: "What is stamped in the future stays fresh for too long, and plans and approvals outlive their end.",
    next: "Set this machine's clock right. If the ledger itself is ahead (dedalus doctor tells), run: dedalus accept-clock --reason TEXT",
  },
  "clock-not-ahead": {
    summary: "Ledger is not ahead of the clock",
    why: "The clock is accepted only when the last record is more than a minute ahead; time is never turned back otherwise.",
    next: "Nothing needs to be done: plan as usual.",
  },
  "ledger-moved": {
    summary: "Ledger has moved on meanwhile",
    why: "A clock is accepted in the place of the very last record that was seen, and of no later one.",
    next: "Run the same command again; stop whatever else writes to this ledger if it happens again.",
  },
  "identities-moved": {
    summary: "Remembered identities have changed meanwhile",
    why: "Another observation of this environment was recorded in between.",
    next: "Run the same command again.",
  },
  "identity-not-observed": {
    summary: "Identity was not observed",
    why: "Only an identity that the VM shows in a recorded observation can be accepted.",
    next: "Take the identity from the plan or from: dedalus observe --env NAME --json",
  },
  "identity-not-changed": {
    summary: "Nothing to accept",
    why: "The VM is remembered as it is, or was not seen before; the first observation of a VM is remembered by itself.",
    next: "Plan again: dedalus plan --env NAME",
  },
  "plan-unknown": {
    summary: "Plan not known",
    why: "Nothing is applied that was not planned and recorded here in the last day.",
    next: "See the plans that there are: dedalus plans.",
  },
  "plan-foreign": {
    summary: "Plan of another environment",
    why: "A plan for one environment is never applied in another.",
    next: "Use the environment of the plan.",
  },
  "plan-closed": {
    summary: "Plan is closed",
    why: "A plan that was canceled, superseded or voided, or whose requester was revoked, is nobody's intention.",
    next: "Plan again.",
  },
  "plan-refused": {
    summary: "Plan was refused",
    why: "The verdict is final; nothing of a refused plan is applied.",
    next: "See why with explain, change what is refused, and plan again.",
  },
  "policy-differs": {
    summary: "Plan stands on another policy",
    why: "What was judged under one policy is no decision under another, stricter or not.",
    next: "Plan again.",
  },
  "configuration-differs": {
    summary: "Environment is configured otherwise",
    why: "What was agreed to under one approval mode, address or credential is no decision under another.",
    next: "Plan again under the configuration that holds now, or go back to the one of the plan.",
  },
  "rules-differ": {
    summary: "Plan was made under other rules",
    why: "What one version of the rules judged is no decision under another.",
    next: "Plan again.",
  },
  "desired-changed": {
    summary: "VM's desired entry has changed",
    why: "A step stands on the entry that was registered when it was planned.",
    next: "See what is registered, then plan again.",
  },
  "entry-unproven": {
    summary: "VM's registered entry is not shown",
    why: "Whether a VM may be touched is judged on its entry as it is registered at this moment.",
    next: "Ask again: another file was registered in between, or the entry was left out.",
  },
  "plan-not-live": {
    summary: "Plan does not stand on a live look",
    why: "A replay, a collection or telemetry shows what was, not what is.",
    next: "Observe the place itself and plan again.",
  },
  "step-unknown": {
    summary: "Step is not of this plan",
    why: "The step that was brought is not the one that was planned and hashed.",
    next: "Take the step from the recorded plan.",
  },
  "step-expired": {
    summary: "Step has expired",
    why: "It stands on a look that is too old to act on.",
    next: "Observe and plan again.",
  },
  "step-consumed": {
    summary: "Step was tried already",
    why: "A step is tried once, whatever came of it.",
    next: "See how it ended with status; plan again from a fresh look.",
  },
  "step-claimed": {
    summary: "Step is claimed already",
    why: "A process has the step, and its call may leave at any moment; a no that stops nothing is not recorded as one.",
    next: "To stop a call that has not left, freeze the environment.",
  },
  "step-denied": {
    summary: "Step was denied",
    why: "A recorded denial denies.",
    next: "Plan again, and talk to whoever denied it.",
  },
  "approval-missing": {
    summary: "Approval is missing",
    why: "The step's tier needs the agreement of more people.",
    next: "Have it approved: dedalus approve PLAN --step N.",
  },
  "approval-own": {
    summary: "Own approval does not count",
    why: "In this environment another person approves: neither the one who asked nor the one who applies.",
    next: "Let another person approve.",
  },
  "approval-made": {
    summary: "Approver's token ties them to whoever asked or applies",
    why: "Whoever made a token could know it, so that two names would be one pair of eyes.",
    next: "Let somebody approve whose token neither of them made.",
  },
  "approval-unknown": {
    summary: "Approval not known",
    why: "Only an approval of one's own that stands can be revoked.",
    next: "See the approvals with plan show.",
  },
  "explanation-differs": {
    summary: "Another explanation was shown",
    why: "Agreement is given to what was read, and this is something else.",
    next: "Read the explanation again: dedalus explain PLAN --step N.",
  },
  "words-differ": {
    summary: "Other words were shown",
    because: {
      challenge: "the step was shown in the words {challenge}, and is confirmed in {shown}",
      program: "it was shown in the words {shown}, and the program that started last has {now}",
      unknown: "it was shown in the words {shown}, and no program recorded its own under this configuration",
      unnamed: "it does not say in which words it was shown",
    },
    why: "Agreement is given to a text that can be shown again, in the words that its program recorded.",
    next: "Read it again with the program that runs now: dedalus explain PLAN --step N.",
  },
  "confirmation-missing": {
    summary: "Confirmation is missing",
    why: "The person who applies says yes after reading what will happen.",
    next: "Confirm when dedalus apply asks; in scripts, explain PLAN --step N --challenge, then apply with --confirm HASH.",
  },
  "confirmation-spent": {
    summary: "Confirmation does not hold",
    why: "A confirmation is for one step, one person and five minutes, and counts once.",
    next: "Confirm again: dedalus explain PLAN --step N --challenge.",
  },
  "name-not-typed": {
    summary: "VM's name was not typed",
    why: "What cannot be undone is named by hand.",
    next: "Type the VM's name exactly.",
  },
  "vm-blocked": {
    summary: "VM is blocked",
    why: "An earlier outcome on it is unknown, and unknown is never success.",
    next: "End it with a fresh look: dedalus reconcile --vm VMID.",
  },
  "vm-busy": {
    summary: "VM has an open intent",
    why: "One action on one VM at a time.",
    next: "Wait for its outcome: dedalus status --vm VMID.",
  },
  "intent-unknown": {
    summary: "Intent not known",
    why: "Only an intent that is recorded and open has an outcome.",
    next: "See the open intents with status.",
  },
  "owner-alive": {
    summary: "Intent's owner may still be at work",
    why: "A running apply is never taken for a crashed one.",
    next: "Wait until its settle time has passed.",
  },
  "vm-not-blocked": {
    summary: "VM is not blocked",
    why: "Only an unknown outcome is reconciled.",
    next: "See what is blocked with status.",
  },
  "reconcile-early": {
    summary: "Too early to reconcile",
    why: "The place may still be working on it; only a look after the settle time tells how it ended.",
    next: "Look again after the settle time.",
  },
  "reconcile-unclear": {
    summary: "The look does not tell",
    why: "An outcome is ended by what was seen, and this was not seen.",
    next: "Look again when the place answers and nothing holds the VM.",
  },
  "replay-differs": {
    summary: "A decision comes out differently",
    why: "The record says something that its own request and the records before it do not lead to.",
    next: "Find out who changed the ledger, or which version wrote it; trust nothing after this record.",
  },
  "key-reused": {
    summary: "Key was used for another request",
    why: "The same key with another request is a mistake of the caller, and neither is guessed.",
    next: "Use a key of its own for every request.",
  },
  overloaded: {
    summary: "Ledger's queue is full",
    why: "What cannot be recorded soon is refused rather than kept waiting.",
    next: "Ask again later, with the same key.",
  },
} as const satisfies Readonly<Record<string, Omit<RefusalWords, "because"> & Partial<Pick<RefusalWords, "because">>>>;
