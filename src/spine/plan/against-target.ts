// Whether a requested action leads away from what is registered for its VM: a later plan would want to undo it.
//
// Nothing is refused for it: it is somebody's decision, and they are told. Keeps P7-A3.

import type { Action, DesiredVm, Power } from "../model.ts";
import { rowOf } from "../rules/actions.ts";

export type AgainstTarget = "cpus" | "memory" | "status";

const LEADS_TO: { readonly [P in Power]?: DesiredVm["target"] } = { starts: "running", stops: "stopped" };

/** What of the registered entry the action leads away from; nothing for actions that the entry does not speak of. */
export const againstTarget = (action: Action, entry: DesiredVm): readonly AgainstTarget[] => {
  if (action.kind === "vm.resize") {
    return (["cpus", "memory"] as const).filter(
      (size) => action[size] !== undefined && entry[size] !== undefined && action[size] !== entry[size],
    );
  }
  if (action.kind === "vm.snapshot.rollback" || action.kind === "vm.resume") return [];
  const leadsTo = LEADS_TO[rowOf(action.kind).power];
  return leadsTo === undefined || leadsTo === entry.target ? [] : ["status"];
};
