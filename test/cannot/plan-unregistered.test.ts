// P7-A1: only a VM that an operator registered is planned for.

import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { looked, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded, desiredFor, observationOf, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

cannot("P7-A1", "plan for an environment where nothing is registered", {
  neighbour: () => refusalsOf(planned(story()).result),
  offence: () => {
    const told = story();
    const observation = observationOf([vmState()], { observedAt: told.now() });
    const id = looked(told, observation);
    return coded(
      "desired-unregistered",
      refusalsOf(told.ask({ kind: "plan", observation: id, scope: "all" }, { given: { observation } })),
    );
  },
});
cannot("P7-A1", "request an action on a VM that is not registered", {
  neighbour: () => requested(101),
  offence: () => coded("vm-not-desired", requested(102)),
});
const requested = (vmid: number): readonly Refusal[] => {
  const told = story();
  const desired = desiredFor([wantRunning()]);
  told.ask(registrationOf(desired), { given: { desired } });
  const observation = observationOf([vmState(), vmState({ vmid: vmidOf(102) })], { observedAt: told.now() });
  const id = looked(told, observation);
  const request = { action: { kind: "vm.reboot" }, vmid: vmidOf(vmid) } as const;
  return refusalsOf(
    told.ask({ kind: "plan", observation: id, request, scope: "all" }, { given: { observation, desired } }),
  );
};
