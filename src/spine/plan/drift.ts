// From one desired entry and one present VM to one answer.
//
// One step holds one action. When a VM differs in more than one way, the step says so and a later plan goes on: sizes
// are written while nothing runs (before a start, after a stop), so that no restart is needed for them; a protected VM
// is started first, because starting is what it may have. Keeps P7-E1.

import type { Action, Answer, DesiredVm, Refusal, VmState } from "../model.ts";
import { refuse } from "../rules/refusals.ts";
import { inOrderOfKeys, type StepFacts } from "./facts.ts";
import { protectedBecause } from "./protection.ts";
import { sizeDrift } from "./sizes.ts";
import { statusText, stepOr } from "./step.ts";

export const driftStep = (wish: DesiredVm, state: VmState): Answer => {
  const drift = sizeDrift(wish, state);
  const power = powerAction(wish, state);
  switch (drift.kind) {
    case "not-seen":
      return refuse("size-not-seen", { because: drift.because, facts: { name: wish.name }, vmid: wish.vmid });
    case "none":
      if (power === undefined) return { kind: "settled", vmid: wish.vmid };
      return stepOr(wish, state, power, powerReason(wish, state));
    case "drift":
    case "pending":
      if (power !== undefined && !resizesFirst(wish, state)) {
        return stepOr(wish, state, power, `${powerReason(wish, state)}; also ${drift.text}, in a later plan`);
      }
      if (drift.kind === "pending") return waits(wish, drift);
      return stepOr(
        wish,
        state,
        { kind: "vm.resize", ...drift.to },
        power === undefined ? drift.text : `${drift.text}; also ${powerReason(wish, state)}, in a later plan`,
        drift.facts,
      );
  }
};

const waits = (wish: DesiredVm, drift: { readonly facts: StepFacts; readonly text: string }): Refusal =>
  refuse("waits-for-restart", {
    because: `${drift.text}: it is written and waits for a restart`,
    facts: inOrderOfKeys(drift.facts),
    vmid: wish.vmid,
  });

const powerAction = (wish: DesiredVm, state: VmState): Action | undefined => {
  if (wish.target === "stopped") {
    if (state.status === "stopped") return undefined;
    return { kind: wish.stop === "shutdown" ? "vm.shutdown" : "vm.stop" };
  }
  if (state.status === "stopped") return { kind: "vm.start" };
  return state.paused === true ? { kind: "vm.resume" } : undefined;
};

const powerReason = (wish: DesiredVm, state: VmState): string => `${statusText(state)}, wanted ${wish.target}`;

const resizesFirst = (wish: DesiredVm, state: VmState): boolean =>
  state.status === "stopped" && protectedBecause(wish, state) === undefined;
