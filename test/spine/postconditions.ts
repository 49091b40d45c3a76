// A provider that does what it is told: every step's postcondition applied to the states that the plan stood on.
//
// A model for the tests of convergence, not a simulator: nothing fails, nothing is slow, nothing else changes.

import type { Action, PlanStep, VmState } from "../../src/spine/model.ts";

type Resize = Extract<Action, { readonly kind: "vm.resize" }>;

/** What was pending becomes active when a VM starts anew or is stopped. */
const settledSizes = ({ pending, ...state }: VmState): VmState => ({
  ...state,
  ...(pending?.cpus === undefined ? {} : { cpus: pending.cpus }),
  ...(pending?.maxmem === undefined ? {} : { maxmem: pending.maxmem }),
});

const executing = ({ paused: _, ...state }: VmState): VmState => ({ ...state, status: "running" });
const halted = ({ paused: _, ...state }: VmState): VmState => settledSizes({ ...state, status: "stopped" });

const written = (state: VmState, { cpus, memory }: Resize): VmState => ({
  ...state,
  pending: {
    ...state.pending,
    ...(cpus === undefined ? {} : { cpus }),
    ...(memory === undefined ? {} : { maxmem: memory }),
  },
});

const after = (step: PlanStep, state: VmState): VmState => {
  const { action } = step;
  switch (action.kind) {
    case "vm.start":
      return executing(settledSizes(state));
    case "vm.resume":
      return executing(state);
    case "vm.shutdown":
    case "vm.stop":
      return halted(state);
    case "vm.resize":
      return step.applies === "now" ? settledSizes(written(state, action)) : written(state, action);
    default:
      return state;
  }
};

export const performed = (steps: readonly PlanStep[], vms: readonly VmState[]): readonly VmState[] =>
  vms.map((state) => {
    const step = steps.find(({ vmid }) => vmid === state.vmid);
    return step === undefined ? state : after(step, state);
  });
