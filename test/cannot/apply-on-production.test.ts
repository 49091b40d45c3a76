// N2 at the apply: what touches a protected VM is refused there as well, beside everything else that speaks against it.

import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { apply, planned, refusalsOf, type Setting, story } from "../kernel/story.ts";
import { coded, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";

/** Asked for without a confirmation, so that nothing is refused before all of it is judged. */
const production = (setting: Setting): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told, setting);
  return coded("production-touched", refusalsOf(told.ask({ kind: "apply", of })));
};
const started = (name: string, marked: object): readonly Refusal[] => {
  const told = story();
  const entries = [wantRunning({ name, ...marked })];
  return refusalsOf(apply(told, planned(told, { vms: [vmState({ name, status: "stopped" })], entries }).of));
};

cannot("N2", "apply a stop of a VM that is named prod-", {
  neighbour: () => started("prod-db", {}),
  offence: () =>
    production({ vms: [vmState({ name: "prod-db" })], entries: [wantStopped("shutdown", { name: "prod-db" })] }),
});
cannot("N2", "apply a stop of a VM whose entry says protected", {
  neighbour: () => started("web-01", { protected: true }),
  offence: () => production({ vms: [vmState()], entries: [wantStopped("shutdown", { protected: true })] }),
});
cannot("N2", "apply a stop of a VM with the tag prod", {
  neighbour: () => production({ vms: [vmState({ tags: ["web"] })], entries: [wantStopped("shutdown")] }),
  offence: () => production({ vms: [vmState({ tags: ["prod"] })], entries: [wantStopped("shutdown")] }),
});
