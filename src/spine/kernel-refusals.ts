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
  "sensor-alone": kernel(
    "P7-A1",
    "A sensor has no other role",
    "What pushes telemetry is a program that can do nothing else, so that its token is worth nothing else.",
    "Create one token with the role sensor alone, and another one for everything else.",
  ),
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
    "N7",
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
    "Confirm when dedalus apply asks, or give --confirm with the explanation's hash.",
  ),
  "confirmation-spent": kernel(
    "P7-A2",
    "Confirmation does not hold",
    "A confirmation is for one step, one person and five minutes, and counts once.",
    "Confirm again.",
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
  "service-needed": kernel(
    "B2",
    "A service is needed here",
    "Where four eyes are required, whoever can write the ledger's files cannot apply alone.",
    "Apply through a running service (--server).",
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
  "token-known": kernel(
    "B2",
    "Token's subject exists already",
    "One name is one subject.",
    "Choose another name, or revoke the other token first.",
  ),
  "token-unknown": kernel(
    "B2",
    "Token not known",
    "Only a token that is in the ledger can be revoked.",
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
