// Commands that the kernel does not grant, and records that the ledger does not take. The spine holds their words, so
// that one catalogue has them all; it judges none of them.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const kernel = rowsOf("kernel");
const ledger = rowsOf("ledger");

export const KERNEL_REFUSALS = {
  // A command that the kernel does not grant.
  "reason-missing": kernel(
    "P7-A2",
    "No reason is given",
    "A decision that nobody can read later was not a conscious one.",
    "Say why, in words.",
  ),
  "seal-unconfirmed": kernel(
    "P7-A2",
    "Nobody confirmed that the ledger moves",
    "A sealed ledger takes no more writes; that is a person's conscious decision.",
    "Answer yes at the terminal, or add --yes.",
  ),
  "seal-misplaced": kernel(
    "P7-F1",
    "Seal does not stand at the end of what was copied",
    "A copy that lacks a record of its source would go on without it.",
    "Run the same command again; what was written meanwhile is copied first.",
  ),
  "seal-absent": kernel(
    "P7-F1",
    "There is no seal to undo",
    "Only the seal that a ledger ends with is undone, for the copy that it names.",
    "See how the ledger ends: dedalus ledger show.",
  ),
  "copy-void": kernel(
    "P7-F1",
    "Copy was declared gone",
    "Its ledger goes on without it; a copy that comes back would be a second truth.",
    "Copy to an empty place, under a new id.",
  ),
  "environment-unknown": kernel(
    "B3",
    "Environment not in the configuration",
    "What is not configured has no adapter, no credential and no approval mode.",
    "Name an environment of dedalus.yaml.",
  ),
  frozen: kernel(
    "P7-F1",
    "Frozen",
    "An operator stopped all changes here; the intents in flight are listed by status.",
    "Wait until it is lifted: dedalus unfreeze, a recorded act.",
  ),
  "freeze-absent": kernel(
    "P7-F1",
    "Nothing is frozen here",
    "What is not frozen cannot be lifted.",
    "See what is frozen: dedalus status.",
  ),
  "desired-unregistered": kernel(
    "P7-A1",
    "Nothing is registered as desired",
    "Only what an operator registered is planned for.",
    "Register the desired file: dedalus desire --env NAME FILE.",
  ),
  "value-altered": kernel(
    "N7",
    "A value differs from its digest",
    "What was recorded is not what was brought.",
    "Bring the recorded value.",
  ),
  "look-unknown": kernel(
    "N1",
    "Observation not known",
    "A plan stands on a recorded look at the same environment.",
    "Observe again: dedalus observe --env NAME.",
  ),
  "look-stale": kernel(
    "N1",
    "Observation is too old",
    "What was seen long ago may not be so any more.",
    "Observe again: dedalus observe --env NAME.",
  ),
  "provider-clock-missing": kernel(
    "N1",
    "Provider's clock is missing",
    "Without it nobody can tell whether this machine's clock is right, and every age and end is counted on that.",
    "Observe again: dedalus observe --env NAME. If it stays away, see what doctor says: dedalus doctor --env NAME.",
  ),
  "clock-ahead": kernel(
    "N1",
    "Clock is ahead of the provider's",
    "What is stamped in the future stays fresh for too long, and plans and approvals outlive their end.",
    "Set this machine's clock right. If the ledger itself is ahead (dedalus doctor tells), run: dedalus accept-clock --reason TEXT",
  ),
  "clock-not-ahead": kernel(
    "P7-A2",
    "Ledger is not ahead of the clock",
    "The clock is accepted only when the last record is more than a minute ahead; time is never turned back otherwise.",
    "Nothing needs to be done: plan as usual.",
  ),
  "ledger-moved": kernel(
    "P7-A2",
    "Ledger has moved on meanwhile",
    "A clock is accepted in the place of the very last record that was seen, and of no later one.",
    "Run the same command again; stop whatever else writes to this ledger if it happens again.",
  ),
  "identities-moved": kernel(
    "N8",
    "Remembered identities have changed meanwhile",
    "Another observation of this environment was recorded in between.",
    "Run the same command again.",
  ),
  "identity-not-observed": kernel(
    "N8",
    "Identity was not observed",
    "Only an identity that the VM shows in a recorded observation can be accepted.",
    "Take the identity from the plan or from: dedalus observe --env NAME --json",
  ),
  "identity-not-changed": kernel(
    "N8",
    "Nothing to accept",
    "The VM is remembered as it is, or was not seen before; the first observation of a VM is remembered by itself.",
    "Plan again: dedalus plan --env NAME",
  ),
  "plan-unknown": kernel(
    "B1",
    "Plan not known",
    "Nothing is applied that was not planned and recorded here in the last day.",
    "See the plans that there are: dedalus plans.",
  ),
  "plan-foreign": kernel(
    "B3",
    "Plan of another environment",
    "A plan for one environment is never applied in another.",
    "Use the environment of the plan.",
  ),
  "plan-closed": kernel(
    "B1",
    "Plan is closed",
    "A plan that was canceled, superseded or voided, or whose requester was revoked, is nobody's intention.",
    "Plan again.",
  ),
  "plan-refused": kernel(
    "P7-E3",
    "Plan was refused",
    "The verdict is final; nothing of a refused plan is applied.",
    "See why with explain, change what is refused, and plan again.",
  ),
  "policy-differs": kernel(
    "P7-A3",
    "Plan stands on another policy",
    "What was judged under one policy is no decision under another, stricter or not.",
    "Plan again.",
  ),
  "configuration-differs": kernel(
    "P7-A2",
    "Environment is configured otherwise",
    "What was agreed to under one approval mode, address or credential is no decision under another.",
    "Plan again under the configuration that holds now, or go back to the one of the plan.",
  ),
  "rules-differ": kernel(
    "P7-A3",
    "Plan was made under other rules",
    "What one version of the rules judged is no decision under another.",
    "Plan again.",
  ),
  "desired-changed": kernel(
    "P7-A1",
    "VM's desired entry has changed",
    "A step stands on the entry that was registered when it was planned.",
    "See what is registered, then plan again.",
  ),
  "entry-unproven": kernel(
    "P7-A1",
    "VM's registered entry is not shown",
    "Whether a VM may be touched is judged on its entry as it is registered at this moment.",
    "Ask again: another file was registered in between, or the entry was left out.",
  ),
  "plan-not-live": kernel(
    "N1",
    "Plan does not stand on a live look",
    "A replay, a collection or telemetry shows what was, not what is.",
    "Observe the place itself and plan again.",
  ),
  "step-unknown": kernel(
    "B1",
    "Step is not of this plan",
    "The step that was brought is not the one that was planned and hashed.",
    "Take the step from the recorded plan.",
  ),
  "step-expired": kernel(
    "N1",
    "Step has expired",
    "It stands on a look that is too old to act on.",
    "Observe and plan again.",
  ),
  "step-consumed": kernel(
    "B6",
    "Step was tried already",
    "A step is tried once, whatever came of it.",
    "See how it ended with status; plan again from a fresh look.",
  ),
  "step-claimed": kernel(
    "P7-A2",
    "Step is claimed already",
    "A process has the step, and its call may leave at any moment; a no that stops nothing is not recorded as one.",
    "To stop a call that has not left, freeze the environment.",
  ),
  "step-denied": kernel(
    "P7-A2",
    "Step was denied",
    "A recorded denial denies.",
    "Plan again, and talk to whoever denied it.",
  ),
  "approval-missing": kernel(
    "P7-A2",
    "Approval is missing",
    "The step's tier needs the agreement of more people.",
    "Have it approved: dedalus approve PLAN --step N.",
  ),
  "approval-own": kernel(
    "B2",
    "Own approval does not count",
    "In this environment another person approves: neither the one who asked nor the one who applies.",
    "Let another person approve.",
  ),
  "approval-made": kernel(
    "B2",
    "Approver's token ties them to whoever asked or applies",
    "Whoever made a token could know it, so that two names would be one pair of eyes.",
    "Let somebody approve whose token neither of them made.",
  ),
  "approval-unknown": kernel(
    "B2",
    "Approval not known",
    "Only an approval of one's own that stands can be revoked.",
    "See the approvals with plan show.",
  ),
  "explanation-differs": kernel(
    "P7-A2",
    "Another explanation was shown",
    "Agreement is given to what was read, and this is something else.",
    "Read the explanation again: dedalus explain PLAN --step N.",
  ),
  "confirmation-missing": kernel(
    "P7-A2",
    "Confirmation is missing",
    "The person who applies says yes after reading what will happen.",
    "Confirm when dedalus apply asks; in scripts, explain PLAN --step N --challenge, then apply with --confirm HASH.",
  ),
  "confirmation-spent": kernel(
    "P7-A2",
    "Confirmation does not hold",
    "A confirmation is for one step, one person and five minutes, and counts once.",
    "Confirm again: dedalus explain PLAN --step N --challenge.",
  ),
  "name-not-typed": kernel(
    "P7-A2",
    "VM's name was not typed",
    "What cannot be undone is named by hand.",
    "Type the VM's name exactly.",
  ),
  "vm-blocked": kernel(
    "P7-E2",
    "VM is blocked",
    "An earlier outcome on it is unknown, and unknown is never success.",
    "End it with a fresh look: dedalus reconcile --vm VMID.",
  ),
  "vm-busy": kernel(
    "P7-E1",
    "VM has an open intent",
    "One action on one VM at a time.",
    "Wait for its outcome: dedalus status --vm VMID.",
  ),
  "intent-unknown": kernel(
    "P7-F3",
    "Intent not known",
    "Only an intent that is recorded and open has an outcome.",
    "See the open intents with status.",
  ),
  "owner-alive": kernel(
    "P7-F2",
    "Intent's owner may still be at work",
    "A running apply is never taken for a crashed one.",
    "Wait until its settle time has passed.",
  ),
  "vm-not-blocked": kernel(
    "P7-E2",
    "VM is not blocked",
    "Only an unknown outcome is reconciled.",
    "See what is blocked with status.",
  ),
  "reconcile-early": kernel(
    "P7-E2",
    "Too early to reconcile",
    "The place may still be working on it; only a look after the settle time tells how it ended.",
    "Look again after the settle time.",
  ),
  "reconcile-unclear": kernel(
    "P7-E2",
    "The look does not tell",
    "An outcome is ended by what was seen, and this was not seen.",
    "Look again when the place answers and nothing holds the VM.",
  ),
  "replay-differs": kernel(
    "G3",
    "A decision comes out differently",
    "The record says something that its own request and the records before it do not lead to.",
    "Find out who changed the ledger, or which version wrote it; trust nothing after this record.",
  ),

  // The ledger did not take it; nothing was performed.
  "key-reused": ledger(
    "B6",
    "Key was used for another request",
    "The same key with another request is a mistake of the caller, and neither is guessed.",
    "Use a key of its own for every request.",
  ),
  overloaded: ledger(
    "P7-F1",
    "Ledger's queue is full",
    "What cannot be recorded soon is refused rather than kept waiting.",
    "Ask again later, with the same key.",
  ),
} as const satisfies Record<string, RefusalRow>;
