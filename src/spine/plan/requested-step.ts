// From one requested action and one present VM to one answer.
//
// Whoever agrees to a requested action sees its parameters among the facts.

import type { Action, Observation, PlanAnswer, Refusal, RequestedAction, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { nearest } from "../values/nearest.ts";
import type { StepFacts } from "./facts.ts";
import { rollbackEnd } from "./rollback.ts";
import { sizeDrift, waitsForRestart } from "./sizes.ts";
import type { SpineRules } from "./spine-rules.ts";
import { stepOr } from "./step.ts";

/** The observation as a whole is asked for one thing: whether the vmid of a clone is free. */
export const requestedStep = (
  entry: RequestedAction,
  state: VmState,
  observation: Observation,
  rules: SpineRules,
): PlanAnswer => {
  const { action } = entry;
  if (action.kind === "vm.resize") return requestedResize(entry, action, state, rules);
  if (action.kind === "vm.clone") {
    const refusal = notFree(entry, action.to, observation);
    if (refusal !== undefined) return refusal;
  }
  if ("snapshot" in action) {
    const refusal = snapshotUnfit(entry, action, state);
    if (refusal !== undefined) return refusal;
  }
  return stepOr(rules, entry, state, action, "requested", parametersOf(action, state));
};

const snapshotUnfit = (
  entry: RequestedAction,
  { kind, snapshot }: Extract<Action, { readonly snapshot: string }>,
  state: VmState,
): Refusal | undefined => {
  const { name, vmid } = entry;
  const { snapshots } = state;
  const facts = { action: kind, name, snapshot };
  if (snapshots === undefined) return refuse("snapshots-not-seen", { facts, vmid });
  const isThere = snapshots.names.includes(snapshot);
  if (isThere !== (kind !== "vm.snapshot.create")) {
    if (isThere) return refuse("state-unfit", { cause: "snapshot-present", facts, vmid });
    const meant = nearest(snapshot, snapshots.names);
    return meant === undefined
      ? refuse("state-unfit", { cause: "snapshot-absent", facts, vmid })
      : refuse("state-unfit", { cause: "snapshot-absent-meant", facts: { ...facts, meant }, vmid });
  }
  if (kind !== "vm.snapshot.rollback" || rollbackEnd(state, snapshot) !== undefined) return undefined;
  return refuse("snapshot-ram-not-seen", { facts, vmid });
};

const requestedResize = (
  entry: RequestedAction,
  action: Action & { readonly kind: "vm.resize" },
  state: VmState,
  rules: SpineRules,
): PlanAnswer => {
  const { name, vmid } = entry;
  const facts = { action: action.kind, name };
  if (action.cpus === undefined && action.memory === undefined) {
    return refuse("state-unfit", { cause: "no-size", facts, vmid });
  }
  const drift = sizeDrift(action, state);
  switch (drift.kind) {
    case "none":
      return refuse("state-unfit", { cause: "size-same", facts, vmid });
    case "not-seen":
      return refuse("size-not-seen", { facts: { name, size: drift.size }, vmid });
    case "pending":
      return waitsForRestart(vmid, drift);
    case "drift":
      return stepOr(rules, entry, state, action, "requested", drift.facts);
  }
};

const notFree = (
  { action, name, vmid }: RequestedAction,
  to: number,
  observation: Observation,
): Refusal | undefined => {
  const facts = { action: action.kind, cloneVmid: to, name };
  if (observation.vms.some((state) => state.vmid === to))
    return refuse("state-unfit", { cause: "vmid-taken", facts, vmid });
  return observation.complete ? undefined : refuse("state-unfit", { cause: "vmid-not-seen", facts, vmid });
};

const parametersOf = (action: Action, state: VmState): StepFacts | undefined => {
  switch (action.kind) {
    case "vm.snapshot.create":
    case "vm.snapshot.delete":
      return { snapshot: action.snapshot };
    case "vm.snapshot.rollback": {
      const { power: _, ...end } = rollbackEnd(state, action.snapshot) ?? {};
      return { snapshot: action.snapshot, ...end };
    }
    case "vm.clone":
      return { cloneName: action.name, cloneVmid: action.to };
    case "vm.migrate":
      return { targetNode: action.node };
    default:
      return undefined;
  }
};
