// From one requested action and one present VM to one answer.
//
// Whoever agrees to a requested action sees its parameters among the facts.

import type { Action, Answer, Observation, Refusal, Request, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { inOrderOfKeys, type StepFacts } from "./facts.ts";
import { rollbackEnd } from "./rollback.ts";
import { sizeDrift } from "./sizes.ts";
import { stepOr } from "./step.ts";

/** The look as a whole is asked for one thing: whether the vmid of a clone is free. */
export const requestedStep = (wish: Request, state: VmState, look: Observation): Answer => {
  const { action } = wish;
  if (action.kind === "vm.resize") return requestedResize(wish, action, state);
  if (action.kind === "vm.clone") {
    const because = notFree(action.to, look);
    if (because !== undefined) return unfit(wish, because);
  }
  if ("snapshot" in action) {
    const refusal = snapshotUnfit(wish, action, state);
    if (refusal !== undefined) return refusal;
  }
  return stepOr(wish, state, action, reasonOf(action), parametersOf(action, state));
};

const snapshotUnfit = (
  wish: Request,
  { kind, snapshot }: Extract<Action, { readonly snapshot: string }>,
  state: VmState,
): Refusal | undefined => {
  const { name, vmid } = wish;
  const { snapshots } = state;
  if (snapshots === undefined) {
    return refuse("snapshots-not-seen", {
      because: "the observation does not list its snapshots",
      facts: { action: kind, name },
      vmid,
    });
  }
  const isThere = snapshots.names.includes(snapshot);
  if (isThere !== (kind !== "vm.snapshot.create")) {
    return unfit(wish, isThere ? `it has a snapshot ${snapshot} already` : `it has no snapshot ${snapshot}`);
  }
  if (kind !== "vm.snapshot.rollback" || rollbackEnd(state, snapshot) !== undefined) return undefined;
  return refuse("snapshot-ram-not-seen", {
    because: `the observation does not tell whether snapshot ${snapshot} holds RAM`,
    facts: { action: kind, name, snapshot },
    vmid,
  });
};

const reasonOf = (action: Action): string => `${action.kind} was requested`;

const unfit = ({ action, name, vmid }: Request, because: string): Refusal =>
  refuse("state-unfit", { because, facts: { action: action.kind, name }, vmid });

const requestedResize = (wish: Request, action: Action & { readonly kind: "vm.resize" }, state: VmState): Answer => {
  if (action.cpus === undefined && action.memory === undefined) return unfit(wish, "the request names no size");
  const drift = sizeDrift(action, state);
  switch (drift.kind) {
    case "none":
      return unfit(wish, "it has the requested size");
    case "not-seen":
      return refuse("size-not-seen", { because: drift.because, facts: { name: wish.name }, vmid: wish.vmid });
    case "pending":
      return refuse("waits-for-restart", {
        because: `${drift.text}: it is written and waits for a restart`,
        facts: inOrderOfKeys(drift.facts),
        vmid: wish.vmid,
      });
    case "drift":
      return stepOr(wish, state, action, `${reasonOf(action)}: ${drift.text}`, drift.facts);
  }
};

const notFree = (vmid: number, look: Observation): string | undefined => {
  if (look.vms.some((state) => state.vmid === vmid)) return `vmid ${vmid} is taken`;
  return look.complete ? undefined : `whether vmid ${vmid} is free was not seen`;
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
