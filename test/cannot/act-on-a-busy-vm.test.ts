// P7-E1, P7-E2: one action on one VM at a time, and none while the outcome of the last one is unknown.

import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { ended } from "../kernel/applied.ts";
import { ALICE, apply, lastId, planned, refusalsOf, type Story, story } from "../kernel/story.ts";
import { coded, state as vmState } from "../spine/world.ts";

const startBoth = (between: (told: Story, first: Ulid) => void): readonly Refusal[] => {
  const told = story();
  const first = planned(told, { by: ALICE });
  apply(told, first.of);
  between(told, lastId(told));
  return refusalsOf(apply(told, planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of));
};
const endedAs =
  (outcome: "failed" | "unknown") =>
  (told: Story, intent: Ulid): void => {
    ended(told, intent, outcome);
  };
cannot("P7-E1", "try two actions on one VM at the same time", {
  neighbour: () => startBoth(endedAs("failed")),
  offence: () =>
    coded(
      "vm-busy",
      startBoth(() => undefined),
    ),
});
cannot("P7-E2", "act on a VM whose last outcome is unknown", {
  neighbour: () => startBoth(endedAs("failed")),
  offence: () => coded("vm-blocked", startBoth(endedAs("unknown"))),
});
