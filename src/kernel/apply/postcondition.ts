// What a look after the act shows: whether it proves that the action happened. The other half of the table of actions.
//
// "Unclear" is what cannot be told from this look; it never counts as success, and never as failure. Keeps P7-E2.

import type { Action, Observation, PlanStep, VmState } from "../../spine/model.ts";
import { believe } from "../../spine/plan/belief.ts";
import { rollbackEnd } from "../../spine/plan/rollback.ts";
import { doubtText } from "../../spine/words/observation-words.ts";

export type Proof =
  | { readonly kind: "holds" }
  | { readonly kind: "fails"; readonly because: string }
  | { readonly kind: "unclear"; readonly because: string };

const HOLDS: Proof = { kind: "holds" };
const fails = (because: string): Proof => ({ because, kind: "fails" });
const unclear = (because: string): Proof => ({ because, kind: "unclear" });
const proof = (holds: boolean, because: string): Proof => (holds ? HOLDS : fails(because));

export const proofOf = (step: PlanStep, before: VmState, look: Observation): Proof => {
  const { action, vmid } = step;
  const belief = believe(
    look.vms.find((state) => state.vmid === vmid),
    look,
  );
  if (belief.kind === "unknown") return unclear(`the VM was not seen: ${doubtText(belief.because)}`);
  if (action.kind === "vm.delete") return proof(belief.kind === "missing", "the VM is still there");
  if (belief.kind === "missing") return fails("the VM is gone");
  if (before.identity !== undefined && belief.state.identity !== before.identity) {
    return unclear("another VM wears this vmid");
  }
  return shown(step, action, before, belief.state, look);
};

const shown = (step: PlanStep, action: Action, before: VmState, after: VmState, look: Observation): Proof => {
  const { paused, status } = after;
  const seen = status === "running" && paused === true ? "paused" : status;
  switch (action.kind) {
    case "vm.start":
    case "vm.resume":
      return proof(seen === "running", `it is ${seen}`);
    case "vm.suspend":
      return proof(seen === "paused", `it is ${seen}`);
    case "vm.shutdown":
    case "vm.stop":
      return proof(status === "stopped", `it is ${seen}`);
    case "vm.reboot":
      if (before.boot === undefined || after.boot === undefined) return unclear("whether it started anew was not seen");
      return proof(seen === "running" && after.boot !== before.boot, `it is ${seen} and was not started anew`);
    case "vm.reset":
      return HOLDS; // The place's verdict alone tells, and the outcome says so.
    case "vm.resize":
      return resized(step, action, after);
    case "vm.snapshot.create":
      return snapshotShown(action.snapshot, true, after);
    case "vm.snapshot.delete":
      return snapshotShown(action.snapshot, false, after);
    case "vm.snapshot.rollback":
      return rolledBack(action.snapshot, before, after, seen);
    case "vm.clone":
      return cloned(action, before, look);
    case "vm.migrate":
      return unclear("on which node it is was not seen");
    case "vm.delete":
      return fails("the VM is still there");
  }
};

const resized = (step: PlanStep, { cpus, memory }: { cpus?: number; memory?: number }, after: VmState): Proof => {
  const waits = step.applies === "at-restart";
  const isSo = (wanted: number | undefined, active: number | undefined, pending: number | undefined): boolean =>
    wanted === undefined ||
    (waits ? (pending ?? active) === wanted : active === wanted && (pending ?? wanted) === wanted);
  const holds = isSo(cpus, after.cpus, after.pending?.cpus) && isSo(memory, after.maxmem, after.pending?.maxmem);
  return proof(holds, "the sizes are not those that were asked for");
};

const snapshotShown = (snapshot: string, isMade: boolean, { snapshots }: VmState): Proof => {
  if (snapshots === undefined) return unclear("its snapshots were not seen");
  const isThere = snapshots.names.includes(snapshot);
  return proof(isThere === isMade, isMade ? "the snapshot is not in the list" : "the snapshot is still in the list");
};

/** The parent says where it went back to; whether the guest executes says that it came back whole. */
const rolledBack = (snapshot: string, before: VmState, after: VmState, seen: string): Proof => {
  if (after.snapshots === undefined) return unclear("its snapshots were not seen");
  const end = rollbackEnd(before, snapshot);
  if (end === undefined) return unclear("whether the snapshot holds RAM was not seen");
  if (after.snapshots.parent !== snapshot) return fails("the snapshot is not the parent of the current state");
  return proof(seen === end.statusAfter, `it is ${seen}, and would be ${end.statusAfter}`);
};

const cloned = ({ to }: Extract<Action, { readonly kind: "vm.clone" }>, before: VmState, look: Observation): Proof => {
  const clone = look.vms.find(({ vmid }) => vmid === to);
  if (clone === undefined) return look.complete ? fails(`VM ${to} is not there`) : unclear(`VM ${to} was not seen`);
  if (clone.identity === undefined || before.identity === undefined) return unclear("its identity was not seen");
  return proof(clone.identity !== before.identity, `VM ${to} is the same VM`);
};
