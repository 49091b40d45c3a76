// The last denial of an action on a VM, in whichever plan: whoever agrees to the same again is told of it.

import type { PlanStep } from "../../spine/model.ts";
import { get } from "./persistent-map.ts";
import { actionKey, type LastDenial, type State } from "./state.ts";

export const lastDenialOf = (
  { denials }: Pick<State, "denials">,
  { environment }: { readonly environment: string },
  { action, vmid }: Pick<PlanStep, "action" | "vmid">,
): LastDenial | undefined => get(denials, actionKey(environment, vmid, action.kind));
