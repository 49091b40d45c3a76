// Commands that the kernel does not grant, and records that the ledger does not take. The spine holds their words, so
// that one catalogue has them all; it judges none of them.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const kernel = rowsOf("kernel");
const ledger = rowsOf("ledger");

export const KERNEL_REFUSALS = {
  // A command that the kernel does not grant.
  "actor-unknown": kernel(
    "B2",
    "Nobody proven asks",
    "Who asks is shown by a token or by the ledger's own configuration, and never taken from a request.",
    "Use a token that is in the ledger, or act as the operator of dedalus.yaml.",
  ),
  "role-missing": kernel(
    "P7-A1",
    "Role does not cover this",
    "A subject may do what its roles say, and viewing grants nothing.",
    "Ask somebody whose role covers it, or have a token made with that role.",
  ),
  "agent-decides": kernel(
    "P7-A2",
    "An agent cannot decide",
    "Approving, denying and confirming are decisions of people.",
    "Let a person decide.",
  ),
  "reason-missing": kernel(
    "P7-A2",
    "No reason is given",
    "A decision that nobody can read later was not a conscious one.",
    "Say why, in words.",
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
    "A plan that was canceled or superseded is nobody's intention.",
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
  "agent-irreversible": kernel(
    "P7-A2",
    "An agent asks for what cannot be undone",
    "No approval makes an irreversible step an agent's to apply.",
    "Let a person apply it.",
  ),
  "agent-foreign-plan": kernel(
    "P7-A2",
    "An agent applies another's plan",
    "People agreed to it for the one who asked, and an agent applies only what it asked for.",
    "Let the one who asked apply it, or plan as this agent and have that approved.",
  ),
  "service-needed": kernel(
    "B2",
    "A service is needed here",
    "Where four eyes are required, whoever can write the ledger's files neither approves nor applies there.",
    "Approve and apply through a running service (--server).",
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
  "subject-name": kernel(
    "B2",
    "Name is not allowed",
    "Two names that look alike, or one that the kernel or the operator has, would be two subjects to the ledger and one to its reader.",
    "Choose another name: small letters, digits, and single dots, hyphens or underscores between them.",
  ),
  "token-end": kernel(
    "B2",
    "Token has no end that is allowed",
    "A token that never ends is known to more and more people.",
    "Let it end within 365 days: --days N.",
  ),
  "token-expired": kernel(
    "B2",
    "Token has ended",
    "A token proves who asks until its end, and not after.",
    "Have it rotated: dedalus token rotate --name NAME --days N.",
  ),
  "token-known": kernel(
    "B2",
    "Token's subject exists already",
    "One name is one subject.",
    "Choose another name, rotate the other token, or revoke it first.",
  ),
  "token-malformed": kernel(
    "B2",
    "Token's id, hash or end is not one",
    "A token is known by a short public id and by its hash, and ends at an instant.",
    "Make it with dedalus token create or rotate.",
  ),
  "token-unknown": kernel(
    "B2",
    "Token not known",
    "Only a token that is in the ledger can be rotated or revoked.",
    "See the tokens with dedalus token list.",
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
