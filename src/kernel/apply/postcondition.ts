// What an observation after the act shows: whether it proves that the action happened. The other half of the table of
// actions.
//
// "Unclear" is what cannot be told from this observation; it never counts as success, and never as failure. Keeps
// P7-E2.

import type { Action, Observation, OutcomeEnd, PlanStep, VmState } from "../../spine/model.ts";
import { believe } from "../../spine/plan/belief.ts";
import { rollbackEnd } from "../../spine/plan/rollback.ts";
import { endedBy, endedByDoubt } from "../../spine/rules/outcome-causes.ts";

/** `end` is what becomes of an intent whose provider says done, and whose VM does not show it. */
export type PostconditionProof =
  | { readonly kind: "holds" }
  | { readonly kind: "fails"; readonly end: OutcomeEnd }
  | { readonly kind: "unclear"; readonly end: OutcomeEnd };

const HOLDS: PostconditionProof = { kind: "holds" };
const fails = (end: OutcomeEnd): PostconditionProof => ({ end, kind: "fails" });
const unclear = (end: OutcomeEnd): PostconditionProof => ({ end, kind: "unclear" });
const proof = (holds: boolean, end: OutcomeEnd): PostconditionProof => (holds ? HOLDS : fails(end));

/**
 * What a VM is seen to be where the outcome of one of these is success; of the others success says nothing about it.
 */
export const STATUS_PROVEN = {
  "vm.reboot": "running",
  "vm.resume": "running",
  "vm.shutdown": "stopped",
  "vm.start": "running",
  "vm.stop": "stopped",
  "vm.suspend": "paused",
} as const satisfies { readonly [K in Action["kind"]]?: "paused" | "running" | "stopped" };

export const proofOf = (step: PlanStep, before: VmState, observation: Observation): PostconditionProof => {
  const { action, vmid } = step;
  const state = observation.vms.find((one) => one.vmid === vmid);
  const belief = believe(state, observation);
  if (belief.kind === "unknown") return unclear(endedByDoubt("after-vm-unknown", belief.because));
  if (action.kind === "vm.delete") return proof(belief.kind === "missing", endedBy("after-vm-present", {}));
  if (belief.kind === "missing") return fails(endedBy("after-vm-gone", {}));
  if (before.identity !== undefined && belief.state.identity !== before.identity) {
    return unclear(endedBy("after-identity-other", {}));
  }
  return shown(step, action, before, belief.state, observation);
};

const shown = (
  step: PlanStep,
  action: Action,
  before: VmState,
  after: VmState,
  observation: Observation,
): PostconditionProof => {
  const { paused, status } = after;
  const seen = status === "running" && paused === true ? "paused" : status;
  const isSeen = (expected: "paused" | "running" | "stopped"): PostconditionProof =>
    proof(seen === expected, endedBy("after-status-other", { facts: { expected, status: seen } }));
  switch (action.kind) {
    case "vm.resume":
    case "vm.shutdown":
    case "vm.start":
    case "vm.stop":
    case "vm.suspend":
      return isSeen(STATUS_PROVEN[action.kind]);
    case "vm.reboot":
      if (before.boot === undefined || after.boot === undefined) return unclear(endedBy("after-boot-unseen", {}));
      if (seen !== STATUS_PROVEN[action.kind]) return isSeen(STATUS_PROVEN[action.kind]);
      return proof(after.boot !== before.boot, endedBy("after-boot-same", {}));
    case "vm.reset":
      return HOLDS; // The provider's verdict alone tells, and the outcome says so.
    case "vm.resize":
      return resized(step, action, after);
    case "vm.snapshot.create":
      return snapshotShown(action.snapshot, true, after);
    case "vm.snapshot.delete":
      return snapshotShown(action.snapshot, false, after);
    case "vm.snapshot.rollback":
      return rolledBack(action.snapshot, before, after, seen);
    case "vm.clone":
      return cloned(action, before, observation);
    case "vm.migrate":
      return unclear(endedBy("after-node-unseen", {}));
    case "vm.delete":
      return fails(endedBy("after-vm-present", {}));
  }
};

const resized = (
  step: PlanStep,
  { cpus, memory }: { cpus?: number; memory?: number },
  after: VmState,
): PostconditionProof => {
  const waits = step.applies === "at-restart";
  const isSo = (wanted: number | undefined, active: number | undefined, pending: number | undefined): boolean =>
    wanted === undefined ||
    (waits ? (pending ?? active) === wanted : active === wanted && (pending ?? wanted) === wanted);
  const holds = isSo(cpus, after.cpus, after.pending?.cpus) && isSo(memory, after.maxmem, after.pending?.maxmem);
  return proof(holds, endedBy("after-sizes-other", {}));
};

const snapshotShown = (snapshot: string, isMade: boolean, { snapshots }: VmState): PostconditionProof => {
  if (snapshots === undefined) return unclear(endedBy("after-snapshots-unseen", {}));
  const isThere = snapshots.names.includes(snapshot);
  const cause = isMade ? "after-snapshot-absent" : "after-snapshot-present";
  return proof(isThere === isMade, endedBy(cause, { facts: { snapshot } }));
};

/** The parent says where it went back to; whether the guest executes says that it came back whole. */
const rolledBack = (snapshot: string, before: VmState, after: VmState, seen: string): PostconditionProof => {
  if (after.snapshots === undefined) return unclear(endedBy("after-snapshots-unseen", {}));
  const end = rollbackEnd(before, snapshot);
  if (end === undefined) return unclear(endedBy("after-ram-unseen", { facts: { snapshot } }));
  if (after.snapshots.parent !== snapshot) return fails(endedBy("after-parent-other", { facts: { snapshot } }));
  const { statusAfter: expected } = end;
  return proof(seen === expected, endedBy("after-status-other", { facts: { expected, status: seen } }));
};

const cloned = (
  { to }: Extract<Action, { readonly kind: "vm.clone" }>,
  before: VmState,
  observation: Observation,
): PostconditionProof => {
  const clone = observation.vms.find(({ vmid }) => vmid === to);
  const facts = { to };
  if (clone === undefined) {
    return observation.complete
      ? fails(endedBy("after-clone-absent", { facts }))
      : unclear(endedBy("after-clone-unseen", { facts }));
  }
  if (clone.identity === undefined || before.identity === undefined) {
    return unclear(endedBy("after-identity-unseen", { facts }));
  }
  return proof(clone.identity !== before.identity, endedBy("after-clone-same", { facts }));
};
