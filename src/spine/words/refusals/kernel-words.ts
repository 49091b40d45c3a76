// The words of refusals that the kernel makes of reasons, the ledger, environments, clocks and observations. Sentences
// for people: nothing is decided or recognised by them. Plans and steps have a file of their own (step-words.ts).

import { after } from "../cause.ts";
import { BLOCKER_WORDS, DOUBT_WORDS } from "../causes/observation-words.ts";
import type { RefusalWords } from "../template.ts";

/** Where a decision that is made again differs from its record. */
export const REPLAY_WORDS = {
  "blob-missing": "the blob {digest} is missing",
  body: "the body is not what this decision has",
  field: "{field} is not what this decision has",
  "request-unfit": "its request is not one that its kind has, and cannot be decided",
  result: "decided again it comes to {made}, and the record says {found}",
  "stamped-earlier": "it is stamped earlier than the record before",
} as const;

export const KERNEL_WORDS = {
  "reason-missing": {
    summary: "No usable reason is given",
    because: {
      blank: "the reason is blank",
      invisible: "the reason contains characters that cannot be seen",
      lines: "the reason has a line break",
      long: "the reason has {length} characters; the limit is {limit}",
    },
    why: "The reason is recorded for whoever reads the decision later.",
    next: {
      blank: "Give a reason, in words.",
      invisible: "Write it in visible characters, on one line.",
      lines: "Write it on one line.",
      long: "Say it in {limit} characters or less, on one line.",
    },
  },
  "loosening-unconfirmed": {
    summary: "Loosening was not confirmed",
    because: {
      declined: "the answer was not yes, and {count:loosening is|loosenings are} not registered for {environment}",
      moved: "another desired state was registered for {environment} since the question",
      unsaid: "for {environment} it removes what protects or identifies a VM, {count:time|times}: VM {vmids}",
    },
    why: "What protects a VM, or says which one is meant, is removed by somebody who means it.",
    next: {
      declined: "Nothing was registered.",
      moved: "Look at it again.",
      unsaid: "Say that it is meant, or put it back into the desired file.",
    },
  },
  "seal-unconfirmed": {
    summary: "Move was not confirmed",
    because: {
      declined: "the answer was not yes",
      "no-terminal": "no terminal: pass the answer with the request",
    },
    why: "A sealed ledger takes no more writes; that is a person's conscious decision.",
    next: "Answer yes at the terminal, or with the request.",
  },
  "seal-misplaced": {
    summary: "Seal is not at the end of what was copied",
    because: "{copied:record|records} were copied, and the ledger has {size}",
    why: "A copy that lacks a record of its source would go on without it.",
    next: "Run the same command again; what was written meanwhile is copied first.",
  },
  "join-unfounded": {
    summary: "Instance cannot join on these grounds",
    because: {
      known: "an instance with this signing key is at the ledger already",
      stranger: "the checkpoint is signed with a key of no instance at the ledger",
      uncovered: "the checkpoint covers {covered:record|records}, and says nothing of what was verified",
    },
    why: "Joining voids no plan and no approval, so it stands on a checkpoint of another instance and is no way on after an anchor was lost.",
    next: {
      known:
        "Put the anchor of this instance back, or begin a new one. Another instance needs a signing key of its own.",
      stranger: "Take the anchor and the public key of an instance that writes to this ledger.",
      uncovered: "Sign a checkpoint at that instance, and join with it.",
    },
  },
  "seal-absent": {
    summary: "There is no seal to undo",
    because: "the last record is not a seal for this copy",
    why: "Only the seal that a ledger ends with is undone, for the copy that it names.",
    next: "See how the ledger ends.",
  },
  "backup-sealed": {
    summary: "Ledger ends with a seal",
    because: "record {seq}, the last one, is a seal",
    why: "Its records do not say whether it is the ledger that goes on; restored, it could be a second one.",
    next: "Use the ledger that goes on, once it has a record after the seal; a checkpoint writes one.",
  },
  "copy-void": {
    summary: "Copy was declared gone",
    because: "the copy {copy} was declared gone",
    why: "The ledger went on without it; a copy that comes back would be a second ledger.",
    next: "Copy to an empty location, under a new id.",
  },
  "environment-unknown": {
    summary: "Environment not in the configuration",
    because: {
      needless: "{asked} is of no single environment",
      "not-configured": "{environment} is not configured",
      "not-in-file": "{environment} is not in {file}",
      "not-in-file-meant": "{environment} is not in {file}",
      "not-named": "no environment is named",
      several: "{file} has several environments, and none is named",
    },
    why: "What is not configured has no adapter, no credential and no approval mode.",
    next: {
      needless: "Name no environment.",
      "not-configured": "Name an environment of dedalus.yaml.",
      "not-in-file": "The configured environments are: {known}.",
      "not-in-file-meant": "Did you mean {meant}? The configured environments are: {known}.",
      "not-named": "Name an environment of dedalus.yaml.",
      several: "Name one of them: {known}.",
    },
  },
  frozen: {
    summary: "Frozen",
    because: {
      environment: "{by} froze {environment}: {reason}",
      "environment-again": "{by} froze {environment}: {reason}; {others:more freeze|more freezes} of it since",
      everything: "{by} froze everything: {reason}",
      "everything-again": "{by} froze everything: {reason}; {others:more freeze|more freezes} of it since",
    },
    why: "An operator stopped all changes here; the intents in flight are listed by status.",
    next: "Wait until it is lifted, or lift it: a recorded act.",
  },
  "freeze-absent": {
    summary: "Nothing is frozen here",
    because: {
      environment: "{environment} is not frozen",
      everything: "there is no freeze on everything",
    },
    why: "What is not frozen cannot be lifted.",
    next: "See what is frozen.",
  },
  "desired-unregistered": {
    summary: "Nothing is registered as desired",
    because: "nothing is registered for {environment}",
    why: "Only what an operator registered is planned for.",
    next: "Register the desired file. Where there is none yet, import writes one of what is there.",
  },
  "desired-moved": {
    summary: "Another file was registered meanwhile",
    because: "what is registered for {environment} is not what the file was compared with",
    why: "A file is registered only in place of what it was compared with, so that it removes no protection unseen.",
    next: "See what is registered, then ask again.",
  },
  "value-altered": {
    summary: "A value differs from its digest",
    because: {
      configuration: "the configuration is not the one that its hash names",
      desired: "the desired file is not the one that its digest names",
      observation: "the observation is not the one that its digest names",
      size: "{accepted} records are accepted, and the ledger has {size}",
      words: "the catalogue of words is not the one that its digest names",
    },
    why: "What was recorded is not what was brought.",
    next: "Bring the recorded value.",
  },
  "observation-unknown": {
    summary: "Observation not known",
    because: {
      absent: "there is no observation {observation} of this environment",
      "not-live": "there is no live observation {observation} of this environment",
    },
    why: "A plan stands on a recorded observation of the same environment.",
    next: "Observe again.",
  },
  "observation-stale": {
    summary: "Observation is too old",
    because: {
      old: "it is {ageSeconds:span} old; the limit is {limitSeconds:span}",
      undated: "the observation does not say when it was made",
    },
    why: "A plan is made from what was seen a short while ago (maxObservationAge); apply observes again anyway.",
    next: "Observe again.",
  },
  "provider-clock-missing": {
    summary: "Provider's clock is missing",
    because: {
      absent: "the observation shows VMs, and not the provider's time",
      "absent-complete": "the observation is complete and shows no VM, and it does not show the provider's time",
      unreadable: "the provider's time is not a valid instant",
    },
    why: "Without it nobody can tell whether this machine's clock is right, and every age and end is counted on that.",
    next: "Observe again. If it is still missing, examine the provider.",
  },
  "clock-ahead": {
    summary: "Clock is ahead of the provider's",
    because: "process time is {processTime}, and the provider's clock showed {providerTime}",
    why: "What is stamped in the future stays fresh for too long, and plans and approvals outlive their end.",
    next: "Set this machine's clock right. If an examination finds that the ledger itself is ahead, accept the clock.",
  },
  "clock-not-ahead": {
    summary: "Ledger is not ahead of the clock",
    because: "the last record is of {head}, which is not more than a minute ahead of this machine's clock",
    why: "The clock is accepted only when the last record is more than a minute ahead; time is never turned back otherwise.",
    next: "Nothing needs to be done: plan as usual.",
  },
  "ledger-moved": {
    summary: "Ledger has moved on meanwhile",
    because: "the command was made for a ledger of {seen:record|records}, and it has {size}",
    why: "An accepted clock or a new anchor holds for the records that were seen, and not for what came behind them.",
    next: "Look at what was recorded meanwhile. Ask for the same again if it is still needed.",
  },
  "identities-moved": {
    summary: "Remembered identities have changed meanwhile",
    because: "the identities that were brought are not those that are remembered now",
    why: "Another observation of this environment was recorded in between.",
    next: "Run the same command again.",
  },
  "identity-not-observed": {
    summary: "Identity was not observed",
    because: {
      none: "the observation shows no identity of the VM",
      other: "the observation shows the identity {observed}",
      unknown: "the VM's state is unknown in the observation",
    },
    why: "Only an identity that the VM shows in a recorded observation can be accepted.",
    next: "Take the identity from the plan or from an observation.",
  },
  "identity-not-changed": {
    summary: "Nothing to accept",
    because: {
      same: "this identity is the remembered one",
      unseen: "no identity is remembered for the VM",
    },
    why: "The first observation of a VM is remembered by itself; only a different identity is accepted by hand.",
    next: "Plan again.",
  },
  "intent-unknown": {
    summary: "Intent not known",
    because: {
      absent: "there is no open intent {intent}",
      foreign: "intent {intent} belongs to another process",
    },
    why: "Only an intent that is recorded and open has an outcome.",
    next: "See which intents are open.",
  },
  "owner-alive": {
    summary: "Intent's owner may still be at work",
    because: "its owner has until {settleBy}",
    why: "A running apply is never taken for a crashed one.",
    next: "Wait until its settle time has passed.",
  },
  "vm-not-blocked": {
    summary: "VM is not blocked",
    because: {
      intent: "intent {intent} blocks no VM of this environment",
      vm: "VM {vmid} of {environment} is not blocked",
    },
    why: "Only an unknown outcome is reconciled.",
    next: "See what is blocked.",
  },
  "reconcile-early": {
    summary: "Too early to reconcile",
    because: "its settle time is {settleBy}",
    why: "The provider may still be working on it; only an observation after the settle time tells how it ended.",
    next: "Reconcile again after the settle time.",
  },
  "reconcile-unclear": {
    summary: "Observation is inconclusive",
    because: { ...BLOCKER_WORDS, ...DOUBT_WORDS },
    why: "An outcome is ended by what was observed, and this was not.",
    next: "Reconcile again when the provider answers and nothing holds the VM.",
  },
  "replay-differs": {
    summary: "Replayed decision differs from the record",
    because: after("record {seq}: ", REPLAY_WORDS),
    why: "The record does not follow from its request and the records before it.",
    next: "Find out who changed the ledger, or which version wrote it; trust nothing after this record.",
  },
  "key-reused": {
    summary: "Key was used for another request",
    because: "record {seq} has this key for another request",
    why: "A key is for one request; which of the two was meant is not guessed.",
    next: "Use a key of its own for every request.",
  },
  overloaded: {
    summary: "Ledger's queue is full",
    because: "too many commands are waiting",
    why: "What cannot be recorded soon is refused rather than kept waiting.",
    next: "Ask again later, with the same key.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
