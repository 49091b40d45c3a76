// From one desired entry and one present VM to one answer.
//
// One step holds one action. When a VM differs in more than one way, the step says so and a later plan goes on: sizes
// are written while nothing runs (before a start, after a stop), so that no restart is needed for them; a protected VM
// is started first, because starting is what it may have. Keeps P7-E1.

import type { Action, DesiredVm, PlanAnswer, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { protectedBecause } from "./protection.ts";
import { sizeDrift, waitsForRestart } from "./sizes.ts";
import type { SpineRules } from "./spine-rules.ts";
import { stepOr } from "./step.ts";

export const driftStep = (entry: DesiredVm, state: VmState, rules: SpineRules): PlanAnswer => {
  const drift = sizeDrift(entry, state);
  const power = powerAction(entry, state);
  switch (drift.kind) {
    case "not-seen":
      return refuse("size-not-seen", { facts: { name: entry.name, size: drift.size }, vmid: entry.vmid });
    case "none":
      if (power === undefined) return { kind: "in-sync", vmid: entry.vmid };
      return stepOr(rules, entry, state, power, "status-differs");
    case "drift":
    case "pending":
      if (power !== undefined && !resizesFirst(entry, state, rules)) {
        return stepOr(rules, entry, state, power, "status-differs", { ...drift.facts, later: "size" });
      }
      if (drift.kind === "pending") return waitsForRestart(entry.vmid, drift);
      return stepOr(
        rules,
        entry,
        state,
        { kind: "vm.resize", ...drift.to },
        "size-differs",
        power === undefined ? drift.facts : { ...drift.facts, later: "status" },
      );
  }
};

const powerAction = (entry: DesiredVm, state: VmState): Action | undefined => {
  if (entry.target === "stopped") {
    if (state.status === "stopped") return undefined;
    return { kind: entry.stop === "shutdown" ? "vm.shutdown" : "vm.stop" };
  }
  if (state.status === "stopped") return { kind: "vm.start" };
  return state.paused === true ? { kind: "vm.resume" } : undefined;
};

const resizesFirst = (entry: DesiredVm, state: VmState, rules: SpineRules): boolean =>
  state.status === "stopped" && protectedBecause(entry, state, rules) === undefined;
