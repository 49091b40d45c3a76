// Why a VM gets no step, and why a whole plan is refused.

import { type RefusalRow, rowsOf } from "./refusal-row.ts";

const plan = rowsOf("plan");
const safety = rowsOf("safety");

export const PLAN_REFUSALS = {
  // This VM gets no step; others may.
  "environment-mismatch": plan(
    "B3",
    "Another environment's observation",
    "A wish for one environment says nothing about a VM of another.",
    "Give an observation of the environment that the desired file names.",
  ),
  "vm-not-desired": plan(
    "P7-A1",
    "VM is not in the desired file",
    "What nobody wrote down is not acted on, and nothing is discovered.",
    "Add the VM to the desired file, or leave it out of the scope.",
  ),
  "vm-unknown": plan(
    "N1",
    "VM's state is unknown",
    "Acting on a guess is the one mistake that cannot be explained afterwards.",
    "Look again, or narrow the scope to VMs that were seen.",
  ),
  "vm-missing": plan(
    "N1",
    "VM does not exist",
    "Missing is not stopped: a complete look did not find this VM.",
    "Correct or remove the entry, or create the VM by hand.",
  ),
  "size-not-seen": plan(
    "N1",
    "VM's size was not seen",
    "A size that was not observed cannot be compared with the one that is wanted.",
    "Look again with a source that reports sizes, or remove the size from the entry.",
  ),
  "snapshots-not-seen": plan(
    "N1",
    "VM's snapshots were not seen",
    "Whether a snapshot's name is free or taken is not guessed.",
    "Look again with a source that lists snapshots.",
  ),
  "snapshot-ram-not-seen": plan(
    "N1",
    "Whether the snapshot holds RAM was not seen",
    "A rollback to a snapshot with RAM starts the guest, one without RAM leaves it stopped; which of them is not guessed.",
    "Look again with a source that tells which snapshots hold RAM.",
  ),
  "name-mismatch": plan(
    "N8",
    "VM has another name",
    "A vmid can be reused; a different name may be a different machine.",
    "Make the names agree, in the desired file or on the VM.",
  ),
  "identity-mismatch": plan(
    "N8",
    "VM has another identity",
    "It wears the same vmid and is another machine.",
    "Confirm which machine is meant and correct the identity in the entry.",
  ),
  "identity-changed": plan(
    "N8",
    "This vmid belongs to a different VM than before",
    "A VM that was deleted and made again has the same number and name, and is not the one that was meant.",
    "Find out who replaced it. If that was on purpose, accept it: dedalus accept-identity.",
  ),
  "identity-not-seen": plan(
    "N8",
    "VM's identity was not seen",
    "The entry demands an identity that the observation does not show.",
    "Look again with a source that reports identity, or remove the identity from the entry.",
  ),
  hindered: plan(
    "P7-F1",
    "The place forbids it",
    "A call that is known to be refused is not tried.",
    "Clear what stands in the way, then plan again.",
  ),
  "state-unfit": plan(
    "P7-F1",
    "VM is not in a state for this action",
    "The action's precondition does not hold.",
    "Bring the VM into the state that the action needs, or ask for another action.",
  ),
  "waits-for-restart": plan(
    "P7-E1",
    "The change waits for a restart",
    "The sizes are written and become active when the VM restarts; a restart is never a follow-up.",
    "Request the restart as an action of its own, or wait for the next one.",
  ),

  // The whole plan is refused.
  "look-foreign": safety(
    "B3",
    "Observation of another environment",
    "Nothing that was seen says anything about the environment of these wishes.",
    "Give an observation of the environment that the desired file names.",
  ),
  "look-incomplete": safety(
    "N1",
    "Observation is incomplete",
    "What was not seen may matter to what was.",
    "Look again, or narrow the scope (--only) to VMs that were seen.",
  ),
  "truth-incomplete": safety(
    "N1",
    "A desired VM is unknown",
    "A plan for all of them must know all of them.",
    "Look again, or narrow the scope (--only) to VMs that are known.",
  ),
  "production-touched": safety(
    "N2",
    "Production VM would be interrupted or changed",
    "A VM is protected by a name that begins with prod-, by the tag prod, or by protected: true; there is no override.",
    "Take the VM out of the scope, or do it by hand at the place itself.",
  ),
  "policy-refuses": safety(
    "P7-A2",
    "Policy rules this action out",
    "An operator wrote that this action is not to be planned here.",
    "Change the policy, as a recorded act.",
  ),
} as const satisfies Record<string, RefusalRow>;
