// From one desired entry and one present VM to one answer.
//
// One step holds one action. When a VM differs in more than one way, the step says so and a later plan goes on: sizes
// are written while nothing runs (before a start, after a stop), so that no restart is needed for them; a protected VM
// is started first, because starting is what it may have. Keeps P7-E1.

import type { Action, DesiredVm, PlanAnswer, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { protectedBecause } from "./protection.ts";
import { sizeDrift, waitsForRestart } from "./sizes.ts";
import { stepOr } from "./step.ts";

export const driftStep = (wish: DesiredVm, state: VmState): PlanAnswer => {
  const drift = sizeDrift(wish, state);
  const power = powerAction(wish, state);
  switch (drift.kind) {
    case "not-seen":
      return refuse("size-not-seen", { facts: { name: wish.name, size: drift.size }, vmid: wish.vmid });
    case "none":
      if (power === undefined) return { kind: "in-sync", vmid: wish.vmid };
      return stepOr(wish, state, power, "status-differs");
    case "drift":
    case "pending":
      if (power !== undefined && !resizesFirst(wish, state)) {
        return stepOr(wish, state, power, "status-differs", { ...drift.facts, later: "size" });
      }
      if (drift.kind === "pending") return waitsForRestart(wish.vmid, drift);
      return stepOr(
        wish,
        state,
        { kind: "vm.resize", ...drift.to },
        "size-differs",
        power === undefined ? drift.facts : { ...drift.facts, later: "status" },
      );
  }
};

const powerAction = (wish: DesiredVm, state: VmState): Action | undefined => {
  if (wish.target === "stopped") {
    if (state.status === "stopped") return undefined;
    return { kind: wish.stop === "shutdown" ? "vm.shutdown" : "vm.stop" };
  }
  if (state.status === "stopped") return { kind: "vm.start" };
  return state.paused === true ? { kind: "vm.resume" } : undefined;
};

const resizesFirst = (wish: DesiredVm, state: VmState): boolean =>
  state.status === "stopped" && protectedBecause(wish, state) === undefined;
